import type { ComponentChildren, JSX } from 'preact'

/** Short facts separated by dots; no dot where the line wraps. */
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
