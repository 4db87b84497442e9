import type { JSX } from 'preact'
import type { AppSettings, ConfirmSetting } from '../../core/accounts/settings.ts'
import type { App, Endpoint } from '../../connectors/registry.ts'
import type { Viewer } from '../parts/layout.tsx'
import { actionOf } from '../parts/declared.ts'
import { openFor, openForHint } from '../calls/open-for.ts'
import { Text } from '../parts/text.tsx'
import { ActionForm, SaveBar } from '../parts/dashboard.tsx'
import { newStandingPath } from '../standing/summary.tsx'
import { PasskeyChoice, passkeyNow, PasskeyNotice, passkeySays } from './passkey-demand.tsx'
import type { ChosenPasskey } from './passkey-demand.tsx'

/** Suggested times to decide; others can be typed. */
const offered = ['1 hour', '12 hours', '1 day', '7 days', '30 days']

/** A row's setting in canonical form: equal settings give equal texts. */
export function saysOf({ confirm, expirySeconds, keys }: RowSetting, passkey: ChosenPasskey): string {
  const of = keys.length === 0 ? '' : ` ${keys.toSorted().join(' ')}`
  return `${chosenOf(confirm)} ${expirySeconds ?? ''}${of}${passkeySays(passkey)}`
}

/** A row's setting without the passkey requirement. */
export interface RowSetting extends ConfirmSetting {
  /** Lineages of the keys that never ask. */
  readonly keys: readonly string[]
}

/** The current setting without the passkey requirement. */
export function settingOf({ confirm, keys }: AppSettings, name: string): RowSetting {
  return { ...(confirm.get(name) ?? { confirm: null, expirySeconds: null }), keys: keys.get(name) ?? [] }
}

/** The current setting. One that fails verification differs from every setting of a form. */
export function rowNow(settings: AppSettings, endpoint: Pick<Endpoint, 'app' | 'name'>): string {
  const { unproven, demands } = settings
  const { name } = endpoint
  const says = saysOf(settingOf(settings, name), passkeyNow(settings, endpoint))
  return `${unproven.has(name) || demands === 'unproven' ? 'unproven ' : ''}${says}`
}

const chosenOf = (confirm: boolean | null): string => (confirm === null ? '' : confirm ? 'yes' : 'no')

/** Approval policy of each write, and how long its calls stay open. */
export function ConfirmForm(props: {
  readonly viewer: Viewer
  readonly app: App
  readonly settings: AppSettings
  readonly keys: readonly KeyChoice[]
  /** The user has a passkey, and passkeys work at this address. */
  readonly passkeys: boolean
}): JSX.Element {
  const { viewer, app, settings, keys, passkeys } = props
  const writes = [...app.endpoints.values()].filter(({ access }) => access === 'write')
  return (
    <section class="card" aria-labelledby="confirm">
      <h2 id="confirm">What asks you first</h2>
      <p class="hint">
        What never asks is sent right away, even if it reaches other people, and you are responsible for it. You can
        allow this for one key (and its replacement) only: the others still ask.
      </p>
      {writes.length > 0 && <PasskeyNotice settings={settings} usable={passkeys} />}
      <ActionForm viewer={viewer} action={`/apps/${app.slug}`} class="long" label="What asks you first">
        <datalist id="open-for">
          {offered.map((time) => (
            <option key={time} value={time} />
          ))}
        </datalist>
        {writes.map((endpoint) => (
          <ConfirmRow key={endpoint.name} endpoint={endpoint} settings={settings} keys={keys} passkeys={passkeys} />
        ))}
        <SaveBar action="confirm" hint="Holds for new calls." />
      </ActionForm>
    </section>
  )
}

/** Actions that were changed elsewhere while the form was open. */
export function NotSaved({ app, stale }: { readonly app: App; readonly stale: readonly string[] }): JSX.Element {
  const actions = stale.map((name) => actionOf(app.endpoints.get(name), name))
  return (
    <p class="notice bad" role="alert">
      Not saved: {actions.join(', ')}. This was changed in another window since you opened the page, and is{' '}
      <a href="#confirm">shown as it is now</a>: choose again. Anything else that you changed is saved.
    </p>
  )
}

function ConfirmRow(props: {
  readonly endpoint: Endpoint
  readonly settings: AppSettings
  readonly keys: readonly KeyChoice[]
  readonly passkeys: boolean
}): JSX.Element {
  const { endpoint, settings, keys, passkeys } = props
  const { name, label, summary, confirm: usual } = endpoint
  const now = settings.confirm.get(name)
  const chosen = chosenOf(now?.confirm ?? null)
  const asks = now?.confirm ?? usual
  const lapsed = usual && settings.unproven.has(name)
  const trusted = settings.keys.get(name) ?? []
  return (
    <fieldset class="setting">
      <legend>
        {label} <code class="hint">{name}</code>
      </legend>
      <p class="hint">
        {summary}
        {asks && passkeyNow(settings, endpoint)?.above !== null && (
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
      {chosen === 'no' && (
        <p class="hint">
          <span class="tag warn">all keys</span> No key or program asks you, and future ones will not either.
        </p>
      )}
      <input type="hidden" name={`was.${name}`} value={rowNow(settings, endpoint)} />
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
              never asks, all keys and programs
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
        <PasskeyChoice endpoint={endpoint} settings={settings} usable={passkeys} />
      </div>
      {keys.length > 0 && (asks || trusted.length > 0) && <KeyTicks name={name} keys={keys} trusted={trusted} />}
    </fieldset>
  )
}

/** A key or OAuth grant that can be allowed to run an action without asking. */
export interface KeyChoice {
  readonly line: string
  readonly name: string
  readonly hint: string
}

function KeyTicks(props: {
  readonly name: string
  readonly keys: readonly KeyChoice[]
  readonly trusted: readonly string[]
}): JSX.Element {
  const { name, keys, trusted } = props
  const names = keys.filter(({ line }) => trusted.includes(line)).map((key) => key.name)
  return (
    <details open={trusted.length > 0}>
      <summary>
        {names.length === 0 ? 'Never asks for one key alone…' : 'Never asks for '}
        {names.length > 0 && <Text value={names.join(', ')} />}
      </summary>
      <input type="hidden" name={`shown.${name}`} value="yes" />
      <div class="ticks">
        {keys.map(({ line, name: called, hint }) => (
          <label key={line} class="tick">
            <input type="checkbox" name={`never.${name}`} value={line} checked={trusted.includes(line)} />{' '}
            <span>
              <Text value={called} /> <span class="hint">{hint}</span>
            </span>
          </label>
        ))}
      </div>
    </details>
  )
}
