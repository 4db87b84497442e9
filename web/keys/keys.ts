import type { Context } from '../../core/context.ts'
import { revokeKey } from '../../core/keys/rows.ts'
import { listKeys, makeKey, mostKeys, rotateKey } from '../../core/keys/keys.ts'
import { setKeyApps, setKeyRights, setKeySight } from '../../core/keys/limits.ts'
import type { NewKey } from '../../core/keys/keys.ts'
import type { Form } from '../form.ts'
import { PageError } from '../page-error.ts'
import { replyPage, seeOther } from '../reply.ts'
import type { Posted, Visit } from '../visit.ts'
import { changeKeyActions } from './actions.ts'
import { endpointsIn, problemOfActions, typedActions } from './typed-actions.ts'
import type { TypedApps, WrongKeyForm } from './form.tsx'
import { KeysPage } from './page.tsx'
import { NewKeyPage } from './new-key-page.tsx'

export async function showKeys(visit: Visit): Promise<void> {
  await reply(visit)
}

async function reply({ ctx, koa, person }: Visit, wrong?: WrongKeyForm): Promise<void> {
  const keys = await listKeys(ctx.db, person.owner)
  const said = koa.URL.searchParams.get('said')
  const status = wrong === undefined ? 200 : 422
  const { publicUrl } = ctx.config
  replyPage(
    koa,
    status,
    KeysPage({ viewer: person, keys, apps: ctx.apps.all, said, publicUrl, ...(wrong && { wrong }) }),
  )
}

/** Creates a key and shows it once. */
export async function createKey(posted: Posted): Promise<void> {
  const { ctx, person, form } = posted
  const typed = {
    keyId: null,
    name: form.get('name') ?? '',
    days: form.get('days') ?? '',
    apps: typedApps(form),
    seesAll: typedSight(form),
    readOnly: typedRights(form),
    actions: typedActions(form),
  }
  const name = typed.name.trim()
  const bad = name === '' || name.length > 80 || name.includes('\0')
  const days = daysOf(form.get('days'))
  const wrongApps = problemOfApps(ctx, typed.apps, null)
  const wrongActions = problemOfActions(ctx, typed.actions, null)
  if (bad || days === undefined || wrongApps !== undefined || wrongActions !== undefined)
    return reply(posted, {
      ...typed,
      problems: {
        ...(bad && { name: 'Give the key a name of 1 to 80 characters, such as the agent that gets it.' }),
        ...(days === undefined && { days: 'Choose when the key expires.' }),
        ...(wrongApps !== undefined && { apps: wrongApps }),
        ...(wrongActions !== undefined && { actions: wrongActions }),
      },
    })
  const { owner } = person
  const { seesAll, readOnly } = typed
  const limits = { apps: appsOf(typed.apps), endpoints: endpointsIn(typed.actions) }
  const made = await makeKey(ctx, { owner, name, ...limits, seesAll, readOnly, days })
  if (made === 'full') return reply(posted, { ...typed, problems: { key: fullWords } })
  showNewKey(posted, made)
}

const fullWords = `You have ${mostKeys} valid keys, as many as there may be. Revoke one that nobody needs any more.`

/** Revokes or replaces a key, or changes its apps, actions, rights or call visibility. */
export async function changeKey(posted: Posted<'key'>): Promise<void> {
  const { ctx, koa, form, params } = posted
  const { owner } = posted.person
  const keyId = params.key
  const action = form.get('action')
  if (action === 'rotate') return showNewKey(posted, await replacement(ctx, owner, keyId, form))
  if (action === 'actions') return changeKeyActions(posted)
  if (action === 'apps') {
    const typed = typedApps(form)
    const known = found((await listKeys(ctx.db, owner)).find(({ id, valid }) => valid && id === keyId))
    const wrong = problemOfApps(ctx, typed, known.apps)
    if (wrong !== undefined) return reply(posted, { ...untyped, keyId, apps: typed, problems: { apps: wrong } })
    found(await setKeyApps(ctx, owner, keyId, appsOf(typed)))
  } else if (action === 'sight') found(await setKeySight(ctx, owner, keyId, typedSight(form)))
  else if (action === 'rights') found(await setKeyRights(ctx, owner, keyId, typedRights(form)))
  else if (action === 'revoke') found(await revokeKey(ctx, owner, keyId))
  else throw new PageError(422, 'Nothing was done', 'The form did not say what to do with the key.')
  seeOther(koa, `/keys?said=${action === 'revoke' ? 'revoked' : action}`)
}

/** Whether the form grants more: a new key, or more rights for an existing one. */
export function widensKey(form: Form): boolean {
  const action = form.get('action')
  return action === 'rights' ? !typedRights(form) : action !== 'revoke'
}

const untyped = { name: '', days: '', seesAll: false, readOnly: false, actions: { only: [], ticked: [] } }

async function replacement(ctx: Context, owner: string, keyId: string, form: Form): Promise<NewKey> {
  const made = found(await rotateKey(ctx, owner, keyId, hoursOf(form.get('hours'))))
  if (made === 'replaced')
    throw new PageError(
      409,
      'This key was replaced before',
      'Nothing was done: a key is replaced once. Replace the key that came after it, or make another one.',
    )
  if (made === 'full')
    throw new PageError(409, 'Too many keys', `Nothing was done. ${fullWords} Or let the old key stay valid no longer.`)
  return made
}

function showNewKey({ ctx, koa, person }: Visit, made: NewKey): void {
  replyPage(koa, 200, NewKeyPage({ viewer: person, made, publicUrl: ctx.config.publicUrl }))
}

function found<T>(result: T | false | undefined): T {
  if (result === false || result === undefined)
    throw new PageError(404, 'No such key', 'You have no API key with this id that is still valid.')
  return result
}

function typedApps(form: Form): TypedApps {
  return { all: form.all('all').includes('yes'), ticked: [...new Set(form.all('app'))] }
}

function typedSight(form: Form): boolean {
  return form.get('sees_all') === 'yes'
}

/** Whether the key is read-only; a missing field means read and write. */
function typedRights(form: Form): boolean {
  return form.get('rights') === 'read'
}

/** The selected apps; null: all apps. */
function appsOf({ all, ticked }: TypedApps): readonly string[] | null {
  return all ? null : ticked
}

/** `before`: apps selected when the form was shown, ignored if "all" is chosen; null: none were. */
function problemOfApps(ctx: Context, { all, ticked }: TypedApps, before: readonly string[] | null): string | undefined {
  if (ticked.some((slug) => ctx.apps.get(slug) === undefined)) return 'There is no such app. Tick those that there are.'
  return all && before === null && ticked.length > 0
    ? 'All apps, or only those ticked? Choose “Only some apps”, or clear the ticks.'
    : undefined
}

/** Null: never expires; undefined: invalid. */
function daysOf(text: string | undefined): number | null | undefined {
  if (text === '') return null
  return /^(30|90|365)$/.test(text ?? '') ? Number(text) : undefined
}

function hoursOf(text: string | undefined): number {
  if (!/^(0|1|24|168)$/.test(text ?? ''))
    throw new PageError(422, 'Nothing was done', 'Choose how long the old key stays valid.')
  return Number(text)
}
