import type { JSX } from 'preact'
import { hasAmounts } from '../../core/approvals/amounts.ts'
import { demandKey } from '../../core/approvals/passkey-demands.ts'
import type { AppSettings } from '../../core/accounts/settings.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import type { Form } from '../form.ts'
import { PageError } from '../page-error.ts'

/** Passkey requirement of an endpoint, as in the form; null: none. */
export type ChosenPasskey = { readonly above: string | null } | null

/** The current requirement. Settings that fail verification count as "always". */
export function passkeyNow(
  { demands }: Pick<AppSettings, 'demands'>,
  { app, name }: Pick<Endpoint, 'app' | 'name'>,
): ChosenPasskey {
  return demands === 'unproven' ? { above: null } : (demands[demandKey(app, name)] ?? null)
}

/** Canonical form within a row; '' for no requirement. */
export function passkeySays(chosen: ChosenPasskey): string {
  if (chosen === null) return ''
  return chosen.above === null ? ' passkey' : ` passkey above ${chosen.above}`
}

/** Whether the new requirement is weaker. */
export function demandsLess(before: ChosenPasskey, next: ChosenPasskey): boolean {
  if (before === null) return false
  if (next === null || before.above === null) return next?.above !== null
  return next.above !== null && Number(next.above) > Number(before.above)
}

/** Undefined: not in the form. */
export function readPasskey(form: Form, { name, inputSchema }: Endpoint): ChosenPasskey | undefined {
  const chosen = form.all(`passkey.${name}`)
  const amounts = form.all(`above.${name}`)
  const [choice] = chosen
  if (choice === undefined) return undefined
  if (
    chosen.length > 1 ||
    amounts.length > 1 ||
    !['', 'always', 'above'].includes(choice) ||
    (choice === 'above' && !hasAmounts(inputSchema))
  )
    throw new PageError(422, 'Nothing was changed', `The form has a setting of ${name} that there is not.`)
  if (choice !== 'above') return choice === '' ? null : { above: null }
  const amount = (amounts[0] ?? '').trim().replace(',', '.')
  if (!/^\d{1,12}(\.\d{1,4})?$/.test(amount))
    throw new PageError(
      422,
      'Nothing was changed',
      `“${amount.slice(0, 40)}” is no amount above which approving ${name} could need a passkey: write a number such as 250 or 99.50. Go back, and what you changed is still there.`,
    )
  return { above: amount }
}

/** Passkey requirement in an endpoint's row. */
export function PasskeyChoice(props: {
  readonly endpoint: Endpoint
  readonly settings: AppSettings
  /** The user has a passkey, and it works at the gateway's address. */
  readonly usable: boolean
}): JSX.Element | null {
  const { endpoint, settings, usable } = props
  const { name, inputSchema } = endpoint
  const now = passkeyNow(settings, endpoint)
  if (!usable && now === null) return null
  const withAmounts = hasAmounts(inputSchema)
  const chosen = now === null ? '' : now.above === null ? 'always' : 'above'
  return (
    <>
      <label>
        Passkey to approve
        <select name={`passkey.${name}`}>
          <option value="" selected={chosen === ''}>
            not needed
          </option>
          <option value="always" selected={chosen === 'always'}>
            each time
          </option>
          {withAmounts && (
            <option value="above" selected={chosen === 'above'}>
              above an amount
            </option>
          )}
        </select>
      </label>
      {withAmounts && (
        <label>
          Above this amount
          <input
            name={`above.${name}`}
            value={now?.above ?? ''}
            inputmode="decimal"
            placeholder="such as 250"
            title="In whole units of the call’s currency. All amounts of a call count together; one that says none needs a passkey, too."
            autocomplete="off"
            maxlength={17}
          />
        </label>
      )}
    </>
  )
}

/** Shown above the rows. */
export function PasskeyNotice({
  settings,
  usable,
}: {
  readonly settings: AppSettings
  readonly usable: boolean
}): JSX.Element {
  return (
    <>
      {settings.demands === 'unproven' && (
        <p class="notice warn">
          Callgate cannot verify any more for what you demanded a passkey, so approving anything needs one, and
          everything asks. Choose again here, then save; what you chose for other apps is forgotten then, so choose it
          there, too.
        </p>
      )}
      <p class="hint">
        {usable ? (
          <>
            Where approving needs a passkey, it asks in any case, no approval in advance covers it, and it is approved
            on its own page only. Of amounts, all in a call count together, but nobody knows what a quantity beside them
            makes of it; a call that says none needs a passkey, too.
          </>
        ) : (
          <>
            Approving can need a passkey, too, each time or above an amount:{' '}
            <a href="/account#passkeys">add a passkey</a> first.
          </>
        )}
      </p>
    </>
  )
}
