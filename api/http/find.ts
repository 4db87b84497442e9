import type { App, Apps, Endpoint } from '../../connectors/registry.ts'
import { CallgateError } from '../../schemas/errors.ts'

/** Throws unknown_app, with the valid names, or unavailable for an app that is off. */
export function findApp(apps: Apps, slug: string): App {
  const app = apps.get(slug)
  if (app !== undefined) return app
  if (apps.broken.has(slug)) throw off(slug)
  const names = apps.all.map((known) => known.slug)
  throw unknown('unknown_app', `There is no app "${clip(slug)}".`, names)
}

/** Throws unknown_endpoint, with the valid names. */
export function findEndpoint({ slug, endpoints }: App, name: string): Endpoint {
  const endpoint = endpoints.get(name)
  if (endpoint !== undefined) return endpoint
  throw unknown('unknown_endpoint', `${slug} has no endpoint "${clip(name)}".`, [...endpoints.keys()])
}

/** Its connector cannot be used. Calls accepted before wait. */
function off(slug: string): CallgateError {
  return new CallgateError('unavailable', {
    message: (terms) =>
      `${slug} is off for now: Callgate's connector for it is broken, and its operators have been told. Nothing was accepted or charged; calls that were accepted before wait. Try again after ${terms.retryAfter}.`,
    headers: { 'Retry-After': '60' },
  })
}

function unknown(code: 'unknown_app' | 'unknown_endpoint', problem: string, names: readonly string[]): CallgateError {
  return new CallgateError(code, {
    message: ({ repeats }) => `${problem} ${repeats ? `Valid names: ${names.join(', ')}` : 'Use one of valid_names'}.`,
    fields: { valid_names: names },
  })
}

function clip(text: string): string {
  return text.toWellFormed().slice(0, 100)
}
