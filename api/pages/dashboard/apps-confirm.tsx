import type { JSX } from 'preact'
import type { AppSettings } from '../../../activities/settings.ts'
import type { App, Endpoint } from '../../../connectors/registry.ts'
import type { Viewer } from '../layout.tsx'
import { ActionForm, SaveBar } from './parts.tsx'
import { newStandingPath } from './standing-words.tsx'

/** Times to decide that can be chosen, in seconds. */
export const expiries: readonly (readonly [number, string])[] = [
  [3_600, 'an hour'],
  [86_400, 'a day'],
  [604_800, 'a week'],
  [2_592_000, '30 days'],
]

/** For each write of the app: whether it asks first, and for how long it stays open. */
export function ConfirmForm(props: {
  readonly viewer: Viewer
  readonly app: App
  readonly settings: AppSettings
}): JSX.Element {
  const { viewer, app, settings } = props
  const writes = [...app.endpoints.values()].filter(({ access }) => access === 'write')
  return (
    <section class="card" aria-labelledby="confirm">
      <h2 id="confirm">What asks you first</h2>
      <p class="hint">
        What never asks is sent at once, also when it reaches other people. It is you who answers for it.
      </p>
      <ActionForm viewer={viewer} action={`/apps/${app.slug}`} class="long" label="What asks you first">
        {writes.map((endpoint) => (
          <ConfirmRow key={endpoint.name} endpoint={endpoint} settings={settings} />
        ))}
        <SaveBar action="confirm" hint="Holds for new calls." />
      </ActionForm>
    </section>
  )
}

function ConfirmRow({ endpoint, settings }: { endpoint: Endpoint; settings: AppSettings }): JSX.Element {
  const { name, summary, confirm: usual } = endpoint
  const now = settings.confirm.get(name)
  const chosen = now?.confirm == null ? '' : now.confirm ? 'yes' : 'no'
  const asks = now?.confirm ?? usual
  const lapsed = usual && settings.unproven.has(name)
  // One that was set elsewhere, such as by a test of 2 s, is kept.
  const other = now?.expirySeconds != null && !expiries.some(([seconds]) => seconds === now.expirySeconds)
  return (
    <fieldset class="setting">
      <legend>
        <code>{name}</code>
      </legend>
      <p class="hint">
        {summary}
        {asks && (
          <>
            {' '}
            <a href={newStandingPath({ app: endpoint.app, endpoint: name })}>Approve some in advance…</a>
          </>
        )}
      </p>
      {lapsed && (
        <p class="notice warn">
          “Never asks” stood here, but Callgate cannot verify any more that you chose it, so it asks. Choose it again if
          you want that.
        </p>
      )}
      <div class="row">
        <label>
          Asks
          <select name={`confirm.${name}`}>
            <option value="" selected={chosen === ''}>
              as usual ({usual ? 'asks' : 'does not ask'})
            </option>
            <option value="yes" selected={chosen === 'yes'}>
              always asks
            </option>
            <option value="no" selected={chosen === 'no'}>
              never asks
            </option>
          </select>
        </label>
        {other ? (
          <p class="hint">open for {now.expirySeconds} seconds</p>
        ) : (
          <label>
            Stays open for
            <select name={`expiry.${name}`}>
              <option value="" selected={now?.expirySeconds == null}>
                3 days, as usual
              </option>
              {expiries.map(([seconds, label]) => (
                <option key={seconds} value={String(seconds)} selected={now?.expirySeconds === seconds}>
                  {label}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
    </fieldset>
  )
}
