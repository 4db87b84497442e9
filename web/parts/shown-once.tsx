import type { JSX } from 'preact'

/** What can never be seen again, with a button to copy it (by play.js). */
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
