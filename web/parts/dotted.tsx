import type { ComponentChildren, JSX } from 'preact'

/** Short facts in one line, with dots between; where the line breaks, there is none. */
export function Dotted({ parts }: { readonly parts: readonly ComponentChildren[] }): JSX.Element {
  return (
    <p class="hint dotted">
      {parts.map((part, at) => (
        <span key={at}>
          {at > 0 && <span class="dot"> · </span>}
          {part}
        </span>
      ))}
    </p>
  )
}
