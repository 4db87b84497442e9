import type { Context } from '../../activities/context.ts'
import type { App, Apps } from '../../connectors/registry.ts'
import { PageError } from './reply.ts'

/** The app that an address names; throws 404. */
export function knownApp(ctx: Context, slug: string): App {
  const app = ctx.apps.get(slug)
  if (app === undefined) throw new PageError(404, 'No such app', 'Callgate has no app of this name.')
  return app
}

/** By slug. */
export function appNames({ all }: Apps): ReadonlyMap<string, string> {
  return new Map(all.map(({ slug, name }) => [slug, name]))
}
