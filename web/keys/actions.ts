import type { App } from '../../connectors/registry.ts'
import { endpointsOf } from '../../core/keys/endpoints.ts'
import type { KeyEndpoints } from '../../core/keys/endpoints.ts'
import { listKeys } from '../../core/keys/keys.ts'
import type { KeyView } from '../../core/keys/keys.ts'
import { setKeyEndpoints } from '../../core/keys/limits.ts'
import type { Context } from '../../core/context.ts'
import type { Form } from '../form.ts'
import { PageError } from '../page-error.ts'
import { replyPage, seeOther } from '../reply.ts'
import type { Posted, Visit } from '../visit.ts'
import { KeyActionsPage } from './actions-page.tsx'

/** What was ticked of the actions of a key. */
export interface TypedActions {
  /** Apps of which only what is ticked may be called. */
  readonly only: readonly string[]
  /** Each as `app/endpoint`. */
  readonly ticked: readonly string[]
}

export function typedActions(form: Form): TypedActions {
  return { only: [...new Set(form.all('only'))], ticked: [...new Set(form.all('endpoint'))] }
}

/** As the form shows what is so. */
export function actionsAsTyped(endpoints: KeyEndpoints | null): TypedActions {
  const limits = Object.entries(endpoints ?? {})
  return {
    only: limits.map(([app]) => app),
    ticked: limits.flatMap(([app, names]) => names.map((name) => `${app}/${name}`)),
  }
}

/** Null: without a limit. */
export function endpointsIn({ only, ticked }: TypedActions): KeyEndpoints | null {
  if (only.length === 0) return null
  const of = (app: string): readonly string[] =>
    ticked.filter((one) => one.startsWith(`${app}/`)).map((one) => one.slice(app.length + 1))
  return Object.fromEntries(only.map((app) => [app, of(app)]))
}

/** `before`: what the form showed as ticked, which counts for nothing where it is no more to be the only. */
export function problemOfActions(
  { apps }: Pick<Context, 'apps'>,
  typed: TypedActions,
  before: KeyEndpoints | null,
): string | undefined {
  const known = new Set(
    apps.all.flatMap(({ slug, endpoints }) => [...endpoints.keys()].map((name) => `${slug}/${name}`)),
  )
  if (typed.only.some((slug) => apps.get(slug) === undefined) || typed.ticked.some((one) => !known.has(one)))
    return 'There is no such action. Tick those that there are.'
  const wanted = endpointsIn(typed)
  for (const { slug, name } of apps.all) {
    const names = endpointsOf(wanted, slug)
    if (names?.length === 0)
      return `No action of ${name} is ticked. Tick those that it may call; if it is to call none, take the app from it.`
    const shown = endpointsOf(before, slug) ?? []
    const more = typed.ticked.some((one) => one.startsWith(`${slug}/`) && !shown.includes(one.slice(slug.length + 1)))
    if (names === undefined && more)
      return `Actions of ${name} are ticked: tick “only what is ticked here” there, too, or clear them.`
  }
  return undefined
}

/** The apps of which the key can be limited to some actions: those that it may use. */
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

/** What is said of apps that the form did not show stays as it is: nobody has seen that it would go. */
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
