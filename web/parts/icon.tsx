import type { JSX } from 'preact'

/** Icons in web/assets/style/icons.css. */
export type IconName =
  | 'home'
  | 'inbox'
  | 'queue-list'
  | 'squares-2x2'
  | 'key'
  | 'circle-stack'
  | 'chart-bar'
  | 'play'
  | 'user-circle'
  | 'book-open'
  | 'arrow-right-start-on-rectangle'
  | 'document-text'
  | 'shield-check'
  | 'users'
  | 'wrench-screwdriver'
  | 'check-circle'
  | 'x-circle'
  | 'clock'
  | 'question-mark-circle'
  | 'arrow-path'
  | 'no-symbol'
  | 'check'
  | 'x-mark'
  | 'arrow-down-tray'
  | 'trash'
  | 'plus'
  | 'bars-3'
  | 'banknotes'
  | 'globe-alt'
  | 'exclamation-triangle'

/** A decorative icon next to its label, hidden from screen readers. */
export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  return <span class={`icon icon-${name}`} aria-hidden="true" />
}
