import type { JSX } from 'preact'
import type { AppSettings } from '../../../activities/settings.ts'
import type { App, Endpoint } from '../../../connectors/registry.ts'
import type { Viewer } from '../layout.tsx'
import { labelOf } from '../value.tsx'
import { openFor, openForHint } from './open-for.ts'
import { ActionForm, SaveBar } from './parts.tsx'
import { newStandingPath } from './standing-words.tsx'

/** Times to decide that are offered; any other may be written. */
const offered = ['1 hour', '12 hours', '1 day', '7 days', '30 days']

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
        <datalist id="open-for">
          {offered.map((time) => (
            <option key={time} value={time} />
          ))}
        </datalist>
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
  return (
    <fieldset class="setting">
      <legend>
        {labelOf(name)} <code class="hint">{name}</code>
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
        <label>
          Stays open for
          <input
            name={`expiry.${name}`}
            value={now?.expirySeconds == null ? '' : openFor(now.expirySeconds)}
            placeholder="3 days, as usual"
            title={`How long you have to decide: ${openForHint}.`}
            list="open-for"
            autocomplete="off"
            maxlength={20}
          />
        </label>
      </div>
    </fieldset>
  )
}
