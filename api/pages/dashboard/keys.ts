import type Koa from 'koa'
import type { Context } from '../../../activities/context.ts'
import { revokeKey } from '../../../activities/db/keys.ts'
import { listKeys, makeKey, rotateKey, setKeyApps } from '../../../activities/keys.ts'
import type { NewKey } from '../../../activities/keys.ts'
import type { Form } from '../form.ts'
import { PageError, replyPage, seeOther } from '../reply.ts'
import { postedForm, signedInOrLogin } from '../session.ts'
import type { SignedIn } from '../session.ts'
import { KeysPage, NewKeyPage } from './keys-page.tsx'

export async function showKeys(ctx: Context, koa: Koa.Context): Promise<void> {
  const person = await signedInOrLogin(ctx, koa)
  if (person === undefined) return
  const keys = await listKeys(ctx.db, person.owner)
  replyPage(koa, 200, KeysPage({ viewer: person, keys, apps: ctx.apps.all, said: koa.URL.searchParams.get('said') }))
}

/** Makes a key, and shows it this once. */
export async function createKey(ctx: Context, koa: Koa.Context): Promise<void> {
  const { person, form } = await postedForm(ctx, koa)
  const name = (form.get('name') ?? '').trim()
  if (name === '' || name.length > 80 || name.includes('\0'))
    throw new PageError(
      422,
      'No key was made',
      'Give the key a name of 1 to 80 characters, such as the agent that gets it.',
    )
  const days = daysOf(form.get('days'))
  showNewKey(ctx, koa, person, await makeKey(ctx, { owner: person.owner, name, apps: appsOf(ctx, form), days }))
}

/** Revokes a key, replaces it, or ticks its apps. */
export async function changeKey(ctx: Context, koa: Koa.Context, keyId: string): Promise<void> {
  const { person, form } = await postedForm(ctx, koa)
  const { owner } = person
  const action = form.get('action')
  if (action === 'rotate')
    return showNewKey(ctx, koa, person, found(await rotateKey(ctx, owner, keyId, hoursOf(form.get('hours')))))
  if (action === 'revoke') found(await revokeKey(ctx, owner, keyId))
  else if (action === 'apps') found(await setKeyApps(ctx, owner, keyId, appsOf(ctx, form)))
  else throw new PageError(422, 'Nothing was done', 'The form did not say what to do with the key.')
  seeOther(koa, `/keys?said=${action === 'revoke' ? 'revoked' : 'apps'}`)
}

function showNewKey(ctx: Context, koa: Koa.Context, person: SignedIn, made: NewKey): void {
  replyPage(koa, 200, NewKeyPage({ viewer: person, made, publicUrl: ctx.config.publicUrl }))
}

function found<T>(result: T | false | undefined): T {
  if (result === false || result === undefined)
    throw new PageError(404, 'No such key', 'You have no API key with this id that is still valid.')
  return result
}

/** The ticked apps; null when the key may use all. */
function appsOf(ctx: Context, form: Form): readonly string[] | null {
  if (form.get('all') === 'yes') return null
  return [...new Set(form.all('app'))].filter((slug) => ctx.apps.get(slug) !== undefined)
}

function daysOf(text: string | undefined): number | null {
  if (text === '') return null
  if (!/^(30|90|365)$/.test(text ?? '')) throw new PageError(422, 'No key was made', 'Choose when the key expires.')
  return Number(text)
}

function hoursOf(text: string | undefined): number {
  if (!/^(0|1|24|168)$/.test(text ?? ''))
    throw new PageError(422, 'Nothing was done', 'Choose how long the old key stays valid.')
  return Number(text)
}
