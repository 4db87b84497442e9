import type { JSX } from 'preact'

/** Shown when parts of a call cannot be decrypted. */
export function Locked(): JSX.Element {
  return (
    <p class="notice warn">
      Callgate cannot open all that is kept of this call; what it cannot open is left out here. The operator of Callgate
      finds why in its log.
    </p>
  )
}
