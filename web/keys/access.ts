import type Koa from 'koa'
import type { Context } from '../../core/context.ts'
import { AccessPage } from './access-page.tsx'
import { findKey, grantApp } from '../queries.ts'
import type { KeyAccess } from '../queries.ts'
import { knownApp } from '../parts/known-app.ts'
import { PageError, replyPage, seeOther } from '../reply.ts'
import { postedForm, signedInOrLogin } from '../session.ts'
import type { SignedIn } from '../session.ts'

/** Where `request_access_url` leads: which key asks for which app. */
export async function askAccess(ctx: Context, koa: Koa.Context, slug: string): Promise<void> {
  const person = await signedInOrLogin(ctx, koa)
  if (person === undefined) return
  const key = await ownKey(ctx, person, koa.URL.searchParams.get('key'))
  const app = knownApp(ctx, slug)
  replyPage(koa, 200, AccessPage({ viewer: person, app, apiKey: key, granted: key.apps?.includes(slug) ?? true }))
}

export async function grantAccess(ctx: Context, koa: Koa.Context, slug: string): Promise<void> {
  const { person, form } = await postedForm(ctx, koa)
  const key = await ownKey(ctx, person, form.get('key'))
  const app = knownApp(ctx, slug)
  await grantApp(ctx.db, person.owner, key.id, app.slug)
  seeOther(koa, `/access/${app.slug}?key=${encodeURIComponent(key.id)}`)
}

async function ownKey(ctx: Context, person: SignedIn, id: string | null | undefined): Promise<KeyAccess> {
  const key = typeof id === 'string' && /^[\w-]{1,64}$/.test(id) ? await findKey(ctx.db, person.owner, id) : undefined
  if (key === undefined)
    throw new PageError(404, 'No such key', 'You have no API key with this id that is still valid.')
  return key
}
