import type Koa from 'koa'
import { listAccounts } from '../../../activities/accounts.ts'
import { disconnect } from '../../../activities/connections.ts'
import type { Context } from '../../../activities/context.ts'
import { listPauses } from '../../../activities/db/pauses.ts'
import { listStanding } from '../../../activities/db/standing.ts'
import { liftPause, readSettings, setConfirm, setScope } from '../../../activities/settings.ts'
import type { Scope } from '../../../activities/settings.ts'
import type { App } from '../../../connectors/registry.ts'
import type { Form } from '../form.ts'
import { knownApp } from '../known-app.ts'
import { PageError, replyPage, seeOther } from '../reply.ts'
import { postedForm, signedInOrLogin } from '../session.ts'
import { AppSettingsPage, AppsPage, expiries } from './apps-page.tsx'
import { told } from './standing-view.ts'

/** Every app, and which of the owner's accounts are connected. */
export async function showOwnApps(ctx: Context, koa: Koa.Context): Promise<void> {
  const person = await signedInOrLogin(ctx, koa)
  if (person === undefined) return
  const accounts = await listAccounts(ctx, person.owner)
  replyPage(koa, 200, AppsPage({ viewer: person, apps: ctx.apps.all, accounts }))
}

export async function showOwnApp(ctx: Context, koa: Koa.Context, slug: string): Promise<void> {
  const person = await signedInOrLogin(ctx, koa)
  if (person === undefined) return
  const app = knownApp(ctx, slug)
  const [accounts, settings, pauses, standing] = await Promise.all([
    listAccounts(ctx, person.owner, slug),
    readSettings(ctx.db, person.owner, slug),
    listPauses(ctx.db, person.owner, slug),
    listStanding(ctx.db, person.owner, slug),
  ])
  const said = koa.URL.searchParams.get('said')
  const inAdvance = standing.map((row) => told(ctx, row)).filter(({ state }) => state !== 'revoked')
  replyPage(koa, 200, AppSettingsPage({ viewer: person, app, accounts, settings, pauses, inAdvance, said }))
}

export async function changeApp(ctx: Context, koa: Koa.Context, slug: string): Promise<void> {
  const { person, form } = await postedForm(ctx, koa)
  const app = knownApp(ctx, slug)
  const action = form.get('action')
  if (action === 'scope') await changeScope(ctx, person.owner, app, form)
  else if (action === 'confirm') await changeConfirm(ctx, person.owner, app, form)
  else if (action === 'disconnect') await disconnectAccount(ctx, person.owner, form)
  else if (action === 'lift') await lift(ctx, person.owner, app, form)
  else throw new PageError(422, 'Nothing was changed', 'The form did not say what to change.')
  seeOther(koa, `/apps/${app.slug}?said=${action}`)
}

async function changeScope(ctx: Context, owner: string, app: App, form: Form): Promise<void> {
  const mode = (['all', 'read', 'chosen'] as const).find((known) => known === form.get('mode'))
  if (mode === undefined) throw new PageError(422, 'Nothing was changed', 'Choose what agents may do in this app.')
  const endpoints = mode === 'chosen' ? form.all('endpoint').filter((name) => app.endpoints.has(name)) : []
  const before: Scope = (await readSettings(ctx.db, owner, app.slug)).scope
  if (before.mode === mode && before.endpoints.join() === endpoints.join()) return
  await setScope(ctx, owner, app.slug, mode, endpoints)
}

/** One row a write; only what differs from before is changed, so that the log tells what somebody did. */
async function changeConfirm(ctx: Context, owner: string, app: App, form: Form): Promise<void> {
  const { confirm: before } = await readSettings(ctx.db, owner, app.slug)
  for (const { name, access } of app.endpoints.values()) {
    const asked = form.get(`confirm.${name}`)
    const expiry = form.get(`expiry.${name}`)
    if (access !== 'write' || asked === undefined || expiry === undefined) continue
    const known = expiry === '' || expiries.some(([seconds]) => String(seconds) === expiry)
    if (!['', 'yes', 'no'].includes(asked) || !known)
      throw new PageError(422, 'Nothing was changed', `The form has a setting of ${name} that there is not.`)
    const confirm = asked === '' ? null : asked === 'yes'
    const expirySeconds = expiry === '' ? null : Number(expiry)
    const old = before.get(name) ?? { confirm: null, expirySeconds: null }
    if (old.confirm !== confirm || old.expirySeconds !== expirySeconds)
      await setConfirm(ctx, owner, app.slug, name, { confirm, expirySeconds })
  }
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
