import type { JSX } from 'preact'

/** A secret that is shown only once, with a copy button (play.js). */
export function ShownOnce({ text, copy }: { readonly text: string; readonly copy: string }): JSX.Element {
  return (
    <>
      <pre id="text-once">
        <code>{text}</code>
      </pre>
      <p>
        <button class="quiet" type="button" data-copy="text-once" hidden>
          {copy}
        </button>
      </p>
    </>
  )
}
