import type { JSX } from 'preact'

const keys: readonly (readonly [key: string, does: string])[] = [
  ['j', 'the next call'],
  ['k', 'the one before'],
  ['Enter', 'unfold it'],
  ['x', 'tick it, once it is unfolded'],
  ['a', 'its own page, to approve it there'],
  ['r', 'its own page, to reject it with a reason'],
  ['?', 'this list of keys'],
]

/** Keyboard shortcuts, shown if scripts run. None decides a call; they can be disabled. */
export function KeysHelp(): JSX.Element {
  return (
    <details class="keys" data-keys hidden>
      <summary>Keyboard shortcuts</summary>
      <dl class="facts">
        {keys.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label class="tick">
        <input type="checkbox" autocomplete="off" /> Use these shortcuts in this browser
      </label>
    </details>
  )
}
