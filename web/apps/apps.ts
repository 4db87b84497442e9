import { listAccounts } from '../../core/accounts/accounts.ts'
import { disconnect } from '../../core/accounts/sessions.ts'
import type { Context } from '../../core/context.ts'
import { listPauses } from '../../core/calls/blocks.ts'
import { listStanding } from '../../core/approvals/standing-rows.ts'
import { listKeys } from '../../core/keys/keys.ts'
import type { KeyView } from '../../core/keys/keys.ts'
import { liftPause } from '../../core/operators/pauses.ts'
import { readSettings, setConfirm, setScope } from '../../core/accounts/settings.ts'
import type { Scope } from '../../core/accounts/settings.ts'
import { demandPasskey } from '../../core/approvals/passkey-demand-rules.ts'
import { listPasskeys, partyOf } from '../../core/users/passkeys.ts'
import { agreeToWatch, endWatch, ownWatches } from '../../core/watch/watches.ts'
import type { App } from '../../connectors/registry.ts'
import type { Form } from '../form.ts'
import { knownApp } from '../parts/known-app.ts'
import { pausedOf } from '../queries.ts'
import { PageError } from '../page-error.ts'
import { replyPage, seeOther } from '../reply.ts'
import type { Posted, Visit } from '../visit.ts'
import { AppSettingsPage, AppsPage } from './page.tsx'
import type { WrongScope } from './page.tsx'
import { rowNow, saysOf, settingOf } from './confirm.tsx'
import type { KeyChoice, RowSetting } from './confirm.tsx'
import { demandsLess, passkeyNow, passkeySays, readPasskey } from './passkey-demand.tsx'
import type { ChosenPasskey } from './passkey-demand.tsx'
import { openForHint, readOpenFor } from '../calls/open-for.ts'
import { standingOf } from '../standing/view.ts'

/** Every app, and which of the owner's accounts are connected. */
export async function showOwnApps({ ctx, koa, person }: Visit): Promise<void> {
  const accounts = await listAccounts(ctx, person.owner)
  replyPage(koa, 200, AppsPage({ viewer: person, apps: ctx.apps.all, accounts }))
}

export async function showOwnApp(visit: Visit<'app'>): Promise<void> {
  await reply(visit, knownApp(visit.ctx, visit.params.app))
}

/** Whether agents may do more after the form, or something that asks now would not. */
export async function weakensApp({ ctx, person, form, params }: Posted<'app'>): Promise<boolean> {
  const app = knownApp(ctx, params.app)
  const action = form.get('action')
  if (action !== 'scope' && action !== 'confirm') return false
  const settings = await readSettings(ctx, person.owner, app.slug)
  // To read is more than some chosen actions are.
  if (action === 'scope') return form.get('mode') !== 'read' || settings.scope.mode === 'chosen'
  return confirmRows(app, form).some(({ endpoint, confirm: next, keys, passkey }) => {
    const { name } = endpoint
    // What cannot be verified is forgotten then, for other apps, too.
    if (passkey !== undefined && settings.demands === 'unproven') return true
    if (passkey !== undefined && demandsLess(passkeyNow(settings, endpoint), passkey)) return true
    const usual = app.endpoints.get(name)?.confirm ?? true
    const now = settings.unproven.has(name) ? usual : (settings.confirm.get(name)?.confirm ?? usual)
    const trusted = settings.keys.get(name) ?? []
    // A key that never asks stays so when asking is switched on for all.
    return (now && !(next ?? usual)) || keys?.some((line) => !trusted.includes(line)) === true
  })
}

/** What of a form was not taken. */
interface Refused {
  readonly wrong?: WrongScope
  readonly stale?: readonly string[]
}

async function reply({ ctx, koa, person }: Visit, app: App, refused: Refused = {}): Promise<void> {
  const { slug } = app
  const [accounts, settings, pauses, standing, paused, watches, all, own] = await Promise.all([
    listAccounts(ctx, person.owner, slug),
    readSettings(ctx, person.owner, slug),
    listPauses(ctx.db, person.owner, slug),
    listStanding(ctx.db, person.owner, slug),
    pausedOf(ctx.db, slug),
    ownWatches(ctx.db, person.owner, slug),
    listKeys(ctx.db, person.owner),
    listPasskeys(ctx.db, person.owner),
  ])
  const passkeys = own.length > 0 && partyOf(ctx.config.publicUrl) !== undefined
  const said = koa.URL.searchParams.get('said')
  const inAdvance = standing.map((row) => standingOf(ctx, row)).filter(({ state }) => state !== 'revoked')
  const shown = {
    viewer: person,
    app,
    accounts,
    settings,
    keys: keyChoices(all),
    passkeys,
    pauses,
    paused,
    inAdvance,
    watches,
    said,
    ...refused,
  }
  replyPage(koa, refused.wrong ? 422 : refused.stale ? 409 : 200, AppSettingsPage(shown))
}

export async function changeApp(posted: Posted<'app'>): Promise<void> {
  const { ctx, koa, person, form, params } = posted
  const app = knownApp(ctx, params.app)
  const action = form.get('action')
  if (action === 'scope') {
    const wrong = await changeScope(ctx, person.owner, app, form)
    if (wrong !== undefined) return reply(posted, app, { wrong })
  } else if (action === 'confirm') {
    const stale = await changeConfirm(ctx, person.owner, app, form)
    if (stale.length > 0) return reply(posted, app, { stale })
  } else if (action === 'disconnect') await disconnectAccount(ctx, person.owner, form)
  else if (action === 'lift') await lift(ctx, person.owner, app, form)
  else if (action === 'agree-watch' || action === 'end-watch') {
    const change = action === 'agree-watch' ? agreeToWatch : endWatch
    if (!(await change(ctx, person.owner, form.get('watch') ?? '')))
      throw new PageError(404, 'Nothing was changed', 'This daily look is not there any more.')
  } else throw new PageError(422, 'Nothing was changed', 'The form did not say what to change.')
  seeOther(koa, `/apps/${app.slug}?said=${action}`)
}

/** Returns what will not do, if so. */
async function changeScope(ctx: Context, owner: string, app: App, form: Form): Promise<WrongScope | undefined> {
  const mode = (['all', 'read', 'chosen'] as const).find((known) => known === form.get('mode'))
  const ticked = [...new Set(form.all('endpoint'))]
  const wrong = (problem: string): WrongScope => ({ mode, endpoints: ticked, problem })
  if (mode === undefined) return wrong('Choose what agents may do in this app.')
  if (ticked.some((name) => !app.endpoints.has(name)))
    return wrong(`${app.name} has no such action. Tick some of these.`)
  const before: Scope = (await readSettings(ctx, owner, app.slug)).scope
  // Those that were ticked before stay ticked in the form when somebody chooses something else.
  if (mode !== 'chosen' && before.mode !== 'chosen' && ticked.length > 0)
    return wrong('There are actions ticked: choose “only what is ticked here”, or clear them.')
  const endpoints = mode === 'chosen' ? ticked : []
  if (before.mode === mode && before.endpoints.join() === endpoints.join()) return undefined
  await setScope(ctx, owner, app.slug, mode, endpoints)
  return undefined
}

/**
 * One row a write. Only what the person changed in the form is saved, so that one that was open for long undoes nothing, and the log
 * tells what somebody did. Returns the actions that they changed and somebody else changed first: nothing is saved for these.
 */
async function changeConfirm(ctx: Context, owner: string, app: App, form: Form): Promise<readonly string[]> {
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

/** The valid ones, the youngest of each line. */
function keyChoices(all: readonly KeyView[]): readonly KeyChoice[] {
  const valid = all.filter((key) => key.valid)
  return valid.filter(({ line }, at) => valid.findIndex((key) => key.line === line) === at)
}

/** All rows are read before the first is changed. `keys`: the lines of those that never ask; undefined: the form showed none. Without a time to decide that stays as it is; null is the usual one. `was`: what the form showed. */
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

async function disconnectAccount(ctx: Context, owner: string, form: Form): Promise<void> {
  if (!(await disconnect(ctx, owner, form.get('account') ?? ''))) throw noAccount()
}

async function lift(ctx: Context, owner: string, app: App, form: Form): Promise<void> {
  const [account = '', endpoint = ''] = (form.get('pause') ?? '').split(' ')
  const pauses = await listPauses(ctx.db, owner, app.slug)
  if (!pauses.some((pause) => pause.account === account && pause.endpoint === endpoint)) throw noAccount()
  await liftPause(ctx, account, endpoint, owner)
}

const noAccount = (): PageError => new PageError(404, 'No such account', 'You have no connected account with this id.')
