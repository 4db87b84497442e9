import type { Context } from '../../core/context.ts'
import type { App, Apps } from '../../connectors/registry.ts'
import { PageError } from '../page-error.ts'

/** The app with that slug; throws PageError 404, or 503 when its connector is broken. */
export function knownApp(ctx: Context, slug: string): App {
  const app = ctx.apps.get(slug)
  if (ctx.apps.broken.has(slug))
    throw new PageError(
      503,
      'Off for now',
      'Callgate cannot use its connector for this app, and its operators have been told. Calls that were made before wait; everything else works.',
    )
  if (app === undefined) throw new PageError(404, 'No such app', 'Callgate has no app of this name.')
  return app
}

/** Names by slug. */
export function appNames({ all }: Apps): ReadonlyMap<string, string> {
  return new Map(all.map(({ slug, name }) => [slug, name]))
}
