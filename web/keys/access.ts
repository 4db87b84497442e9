import { AccessPage } from './access-page.tsx'
import { findKeyAccess } from '../../core/keys/keys.ts'
import type { KeyAccess } from '../../core/keys/keys.ts'
import { grantApp } from '../../core/keys/limits.ts'
import { knownApp } from '../parts/known-app.ts'
import { PageError } from '../page-error.ts'
import { replyPage, seeOther } from '../reply.ts'
import type { Posted, Visit } from '../visit.ts'

/** Target of `request_access_url`: lets the owner grant a key access to an app. */
export async function askAccess(visit: Visit<'app'>): Promise<void> {
  const { ctx, koa, person, params } = visit
  const key = await ownKey(visit, koa.URL.searchParams.get('key'))
  const app = knownApp(ctx, params.app)
  const granted = key.apps?.includes(app.slug) ?? true
  replyPage(koa, 200, AccessPage({ viewer: person, app, apiKey: key, granted }))
}

export async function grantAccess(posted: Posted<'app'>): Promise<void> {
  const { ctx, koa, person, form, params } = posted
  const key = await ownKey(posted, form.get('key'))
  const app = knownApp(ctx, params.app)
  await grantApp(ctx, person.owner, key.id, app.slug)
  seeOther(koa, `/access/${app.slug}?key=${encodeURIComponent(key.id)}`)
}

async function ownKey({ ctx, person }: Visit, id: string | null | undefined): Promise<KeyAccess> {
  const key =
    typeof id === 'string' && /^[\w-]{1,64}$/.test(id) ? await findKeyAccess(ctx.db, person.owner, id) : undefined
  if (key === undefined)
    throw new PageError(404, 'No such key', 'You have no API key with this id that is still valid.')
  return key
}
