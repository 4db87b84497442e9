import type { App, Apps, Endpoint } from '../connectors/registry.ts'
import { CallgateError } from '../schemas/errors.ts'

/** Throws unknown_app, with the names that there are. */
export function findApp(apps: Apps, slug: string): App {
  const app = apps.get(slug)
  if (app !== undefined) return app
  const names = apps.all.map((known) => known.slug)
  throw unknown('unknown_app', `There is no app "${clip(slug)}".`, names)
}

/** Throws unknown_endpoint, with the names that there are. */
export function findEndpoint({ slug, endpoints }: App, name: string): Endpoint {
  const endpoint = endpoints.get(name)
  if (endpoint !== undefined) return endpoint
  throw unknown('unknown_endpoint', `${slug} has no endpoint "${clip(name)}".`, [...endpoints.keys()])
}

function unknown(code: 'unknown_app' | 'unknown_endpoint', problem: string, names: readonly string[]): CallgateError {
  return new CallgateError(code, {
    message: `${problem} Valid names: ${names.join(', ')}.`,
    fields: { valid_names: names },
  })
}

function clip(text: string): string {
  return text.toWellFormed().slice(0, 100)
}
