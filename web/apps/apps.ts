import { listAccounts } from '../../core/accounts/accounts.ts'
import { disconnect } from '../../core/accounts/sessions.ts'
import type { Context } from '../../core/context.ts'
import { listPauses } from '../../core/calls/blocks.ts'
import { listStanding } from '../../core/approvals/standing-rows.ts'
import { listKeys } from '../../core/keys/keys.ts'
import type { KeyView } from '../../core/keys/keys.ts'
import { liftPause } from '../../core/operators/pauses.ts'
import { readSettings } from '../../core/accounts/settings.ts'
import { listPasskeys, partyOf } from '../../core/users/passkeys.ts'
import { agreeToWatch, endWatch, ownWatches } from '../../core/watch/watches.ts'
import type { App } from '../../connectors/registry.ts'
import type { Form } from '../form.ts'
import { knownApp } from '../parts/known-app.ts'
import { pausedOf } from '../queries.ts'
import { PageError } from '../page-error.ts'
import { replyPage, seeOther } from '../reply.ts'
import type { Posted, Visit } from '../visit.ts'
import { AppSettingsPage } from './page.tsx'
import { AppsPage } from './apps-page.tsx'
import type { KeyChoice } from './confirm.tsx'
import { changeConfirm, weakensConfirm } from './confirm-form.ts'
import type { WrongScope } from './scope.tsx'
import { changeScope } from './scope-form.ts'
import { standingOf } from '../standing/view.ts'

/** Every app, with the owner's connections. */
export async function showOwnApps({ ctx, koa, person }: Visit): Promise<void> {
  const accounts = await listAccounts(ctx, person.owner)
  replyPage(koa, 200, AppsPage({ viewer: person, apps: ctx.apps.all, accounts }))
}

export async function showOwnApp(visit: Visit<'app'>): Promise<void> {
  await reply(visit, knownApp(visit.ctx, visit.params.app))
}

/** Whether the form gives agents more rights, or stops an action from asking. */
export async function weakensApp({ ctx, person, form, params }: Posted<'app'>): Promise<boolean> {
  const app = knownApp(ctx, params.app)
  const action = form.get('action')
  // Switching from chosen actions to all reads can widen access.
  if (action === 'scope')
    return form.get('mode') !== 'read' || (await readSettings(ctx, person.owner, app.slug)).scope.mode === 'chosen'
  return action === 'confirm' && weakensConfirm(ctx, person.owner, app, form)
}

/** Parts of a form that were not saved. */
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

/** Valid keys, the newest of each lineage. */
function keyChoices(all: readonly KeyView[]): readonly KeyChoice[] {
  const valid = all.filter((key) => key.valid)
  return valid.filter(({ line }, at) => valid.findIndex((key) => key.line === line) === at)
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
