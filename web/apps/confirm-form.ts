import type { Context } from '../../core/context.ts'
import { readSettings, setConfirm } from '../../core/accounts/settings.ts'
import { demandPasskey } from '../../core/approvals/passkey-demand-rules.ts'
import type { App } from '../../connectors/registry.ts'
import { openForHint, readOpenFor } from '../calls/open-for.ts'
import type { Form } from '../form.ts'
import { PageError } from '../page-error.ts'
import { rowNow, saysOf, settingOf } from './confirm.tsx'
import type { RowSetting } from './confirm.tsx'
import { demandsLess, passkeyNow, passkeySays, readPasskey } from './passkey-demand.tsx'
import type { ChosenPasskey } from './passkey-demand.tsx'

/** Whether the form stops an action from asking for approval. */
export async function weakensConfirm(ctx: Context, owner: string, app: App, form: Form): Promise<boolean> {
  const settings = await readSettings(ctx, owner, app.slug)
  return confirmRows(app, form).some(({ endpoint, confirm: next, keys, passkey }) => {
    const { name } = endpoint
    // Saving drops settings that fail verification, also for other apps.
    if (passkey !== undefined && settings.demands === 'unproven') return true
    if (passkey !== undefined && demandsLess(passkeyNow(settings, endpoint), passkey)) return true
    const usual = app.endpoints.get(name)?.confirm ?? true
    const now = settings.unproven.has(name) ? usual : (settings.confirm.get(name)?.confirm ?? usual)
    const trusted = settings.keys.get(name) ?? []
    // A key set to "never ask" keeps that when asking is switched on for all.
    return (now && !(next ?? usual)) || keys?.some((line) => !trusted.includes(line)) === true
  })
}

/**
 * Saves only the rows that the user changed in the form, so that a form left open does not revert
 * other changes and the audit log shows what a user did. Returns the actions that were also changed
 * elsewhere in the meantime: these are not saved.
 */
export async function changeConfirm(ctx: Context, owner: string, app: App, form: Form): Promise<readonly string[]> {
  const settings = await readSettings(ctx, owner, app.slug)
  const stale: string[] = []
  const demanded = new Map<string, ChosenPasskey>()
  const switched: [string, RowSetting][] = []
  for (const { endpoint, confirm, expirySeconds: wanted, keys, passkey, was } of confirmRows(app, form)) {
    const { name } = endpoint
    const before = settingOf(settings, name)
    const next = {
      confirm,
      expirySeconds: wanted === undefined ? before.expirySeconds : wanted,
      keys: keys ?? before.keys,
    }
    const nextPasskey = passkey === undefined ? passkeyNow(settings, endpoint) : passkey
    const now = rowNow(settings, endpoint)
    const says = saysOf(next, nextPasskey)
    if (says === was || says === now) continue
    if (was !== undefined && was !== now) {
      stale.push(name)
      continue
    }
    if (settings.unproven.has(name) || saysOf(next, null) !== saysOf(before, null)) switched.push([name, next])
    const isNew =
      settings.demands === 'unproven' || passkeySays(nextPasskey) !== passkeySays(passkeyNow(settings, endpoint))
    if (passkey !== undefined && isNew) demanded.set(name, passkey)
  }
  if (demanded.size > 0 && !(await demandPasskey(ctx, owner, app.slug, demanded)))
    throw new PageError(422, 'Nothing was changed', 'You have no passkey yet: add one on the account page first.')
  for (const [name, next] of switched) await setConfirm(ctx, owner, app.slug, name, next)
  return stale
}

/**
 * All rows, read before the first is saved. `keys`: lineages that never ask; undefined: not in the
 * form. A missing time to decide stays unchanged; null is the default. `was`: what the form showed.
 */
function confirmRows(app: App, form: Form) {
  const writes = [...app.endpoints.values()].filter(({ access }) => access === 'write')
  return writes.flatMap((endpoint) => {
    const { name } = endpoint
    const asked = form.all(`confirm.${name}`)
    const expiry = form.all(`expiry.${name}`)
    const passkey = readPasskey(form, endpoint)
    if (asked.length + expiry.length === 0 && passkey === undefined) return []
    const [confirm = 'none'] = asked
    const [time] = expiry
    const shown = form.all(`was.${name}`)
    if (!['', 'yes', 'no'].includes(confirm) || [asked, expiry, shown].some(({ length }) => length > 1))
      throw new PageError(422, 'Nothing was changed', `The form has a setting of ${name} that there is not.`)
    const expirySeconds = time === undefined ? undefined : time.trim() === '' ? null : readOpenFor(time)
    if (time !== undefined && expirySeconds === undefined)
      throw new PageError(
        422,
        'Nothing was changed',
        `“${time.slice(0, 40)}” is no time that ${name} can stay open for: write ${openForHint}. Go back, and what you changed is still there.`,
      )
    const keys = form.get(`shown.${name}`) === 'yes' ? [...new Set(form.all(`never.${name}`))] : undefined
    return [
      { endpoint, confirm: confirm === '' ? null : confirm === 'yes', expirySeconds, keys, passkey, was: shown[0] },
    ]
  })
}
