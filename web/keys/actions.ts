import type { App } from '../../connectors/registry.ts'
import { listKeys } from '../../core/keys/keys.ts'
import type { KeyView } from '../../core/keys/keys.ts'
import { setKeyEndpoints } from '../../core/keys/limits.ts'
import type { Context } from '../../core/context.ts'
import { PageError } from '../page-error.ts'
import { replyPage, seeOther } from '../reply.ts'
import type { Posted, Visit } from '../visit.ts'
import { KeyActionsPage } from './actions-page.tsx'
import { actionsAsTyped, endpointsIn, problemOfActions, typedActions } from './typed-actions.ts'

/** Apps whose actions can be limited for the key: those that it may use. */
function appsFor({ apps }: Context, key: KeyView): readonly App[] {
  const only = key.granted_for?.match(/^\/mcp\/(.+)$/)?.[1]
  return apps.all.filter(({ slug }) => (key.apps?.includes(slug) ?? true) && (only === undefined || slug === only))
}

async function ownKey({ ctx, person, params }: Visit<'key'>): Promise<KeyView> {
  const key = (await listKeys(ctx.db, person.owner)).find(({ id, valid }) => valid && id === params.key)
  if (key === undefined)
    throw new PageError(404, 'No such key', 'You have no API key with this id that is still valid.')
  return key
}

export async function showKeyActions(visit: Visit<'key'>): Promise<void> {
  const key = await ownKey(visit)
  const said = visit.koa.URL.searchParams.get('said')
  const apps = appsFor(visit.ctx, key)
  replyPage(
    visit.koa,
    200,
    KeyActionsPage({ viewer: visit.person, apiKey: key, apps, typed: actionsAsTyped(key.endpoints), said }),
  )
}

/** Limits of apps that the form did not show stay: the user did not see that they would go. */
export async function changeKeyActions(posted: Posted<'key'>): Promise<void> {
  const { ctx, koa, person, form } = posted
  const key = await ownKey(posted)
  const typed = typedActions(form)
  const problem = problemOfActions(ctx, typed, key.endpoints)
  if (problem !== undefined) {
    const page = { viewer: person, apiKey: key, apps: appsFor(ctx, key), typed, said: null, problem }
    return replyPage(koa, 422, KeyActionsPage(page))
  }
  const shown = new Set(form.all('shown'))
  const unseen = Object.entries(key.endpoints ?? {}).filter(([app]) => !shown.has(app))
  const endpoints = { ...Object.fromEntries(unseen), ...endpointsIn(typed) }
  await setKeyEndpoints(ctx, person.owner, key.id, Object.keys(endpoints).length === 0 ? null : endpoints)
  seeOther(koa, `/keys/${key.id}/actions?said=saved`)
}
