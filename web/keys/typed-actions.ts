import { endpointsOf } from '../../core/keys/endpoints.ts'
import type { KeyEndpoints } from '../../core/keys/endpoints.ts'
import type { Context } from '../../core/context.ts'
import type { Form } from '../form.ts'

/** Actions selected for a key. */
export interface TypedActions {
  /** Apps limited to the selected actions. */
  readonly only: readonly string[]
  /** Each as `app/endpoint`. */
  readonly ticked: readonly string[]
}

export function typedActions(form: Form): TypedActions {
  return { only: [...new Set(form.all('only'))], ticked: [...new Set(form.all('endpoint'))] }
}

/** Form values of the current limits. */
export function actionsAsTyped(endpoints: KeyEndpoints | null): TypedActions {
  const limits = Object.entries(endpoints ?? {})
  return {
    only: limits.map(([app]) => app),
    ticked: limits.flatMap(([app, names]) => names.map((name) => `${app}/${name}`)),
  }
}

/** Null: no limits. */
export function endpointsIn({ only, ticked }: TypedActions): KeyEndpoints | null {
  if (only.length === 0) return null
  const of = (app: string): readonly string[] =>
    ticked.filter((one) => one.startsWith(`${app}/`)).map((one) => one.slice(app.length + 1))
  return Object.fromEntries(only.map((app) => [app, of(app)]))
}

/** `before`: limits when the form was shown; ignored for apps that are no longer limited. */
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
