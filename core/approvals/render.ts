import { sourceOf } from '../../connectors/runtime/fill-source.ts'
import { needsNothing } from '../../connectors/runtime/rendered.ts'
import type { Rendered } from '../../connectors/runtime/rendered.ts'
import type { CallFile } from '../../connectors/runtime/file-inputs.ts'
import { render } from '../../connectors/runtime/threads/exchange-threads.ts'
import { within } from '../../connectors/kit/request-line.ts'
import type { App, Endpoint } from '../../connectors/registry.ts'
import { openPayload, placeOf } from '../calls/payload.ts'
import { siteOf } from '../accounts/site.ts'
import type { Site } from '../../connectors/runtime/site.ts'
import type { CallRow } from '../calls/rows.ts'
import type { Context } from '../context.ts'

/**
 * The request of a call as it will be sent, if rendering needs nothing from the app. Undefined: the
 * workflow's first step renders it, or ends the call with the reason if that is impossible.
 */
export async function renderNow(
  ctx: Pick<Context, 'config'>,
  wanted: {
    readonly app: App
    readonly account: string
    /** Of the account. */
    readonly origin: string
    readonly endpoint: Endpoint
    readonly input: Readonly<Record<string, unknown>>
    readonly files: readonly CallFile[]
  },
): Promise<Rendered | undefined> {
  const { app, account, endpoint, input, files } = wanted
  const site = siteOf(ctx, app, wanted.origin)
  if (!needsNothing(endpoint) || site === undefined) return undefined
  const request = await render(endpoint, account, { input, origin: site.origin, now: new Date(), files })
  return request && withVersion(app, endpoint, request)
}

/**
 * Records which version of an added connector rendered the request: after an update it is rendered
 * again, or sent as it was approved.
 */
export function withVersion({ added }: App, endpoint: Endpoint, request: Rendered): Rendered {
  if (added === undefined) return request
  return { ...request, by: { version: added.hash, from: request.fills.map((fill) => sourceOf(fill, endpoint)) } }
}

/** Whether a version of the added connector other than this process's rendered the request. */
export function isOfOtherVersion(app: App | undefined, request: Rendered | undefined): boolean {
  return request?.by !== undefined && app?.added !== undefined && request.by.version !== app.added.hash
}

/** The same for a waiting call. Throws when its request cannot be opened. */
export function isOutdated(ctx: Pick<Context, 'apps' | 'secrets'>, row: CallRow): boolean {
  if (row.status !== 'awaiting_confirmation' || row.request === null) return false
  const request = openPayload(ctx.secrets, placeOf(row), 'request', row.request) as Rendered
  return isOfOtherVersion(ctx.apps.get(row.app), request)
}

/** Whether the endpoint still has the request's route, and fills it from the same sources. */
export function isStillSentSo(endpoint: Endpoint, site: Site, request: Rendered): boolean {
  const { by, fills } = request
  return isItsRoute(endpoint, site, request) && fills.every((fill, at) => sourceOf(fill, endpoint) === by?.from[at])
}

function isItsRoute({ definition, root }: Endpoint, site: Site, { method, url }: Rendered): boolean {
  const { line, form } = definition
  // A form's page decides where it goes.
  if (form !== null) return true
  const declared = line.path.replaceAll(/\{[^}]*\}/g, blank).replace(/^\//, '')
  const wanted = new URL(declared, root ?? site.origin).pathname.split('/')
  const segments = new URL(url).pathname.split('/')
  if (method !== line.method) return false
  // With an optional segment any length matches.
  if (segments.length !== wanted.length) return line.optional.length > 0
  return wanted.every((segment, at) => isLike(segment, segments[at] ?? ''))
}

const blank = 'x-placeholder-x'

function isLike(declared: string, segment: string): boolean {
  const parts = declared.split(blank)
  if (parts.length === 1) return declared === segment
  return segment.startsWith(parts[0] ?? '') && segment.endsWith(parts.at(-1) ?? '')
}

/** Whether a waiting call cannot be sent as rendered, or at all. Throws when it fails to open. */
export function isVoid(ctx: Pick<Context, 'apps' | 'config' | 'secrets'>, row: CallRow): boolean {
  const app = ctx.apps.get(row.app)
  const endpoint = app?.endpoints.get(row.endpoint)
  const site = app && siteOf(ctx, app, row.account_origin)
  if (row.request === null) return site === undefined || endpoint?.access !== 'write'
  return !mayLeave(site, endpoint, openPayload(ctx.secrets, placeOf(row), 'request', row.request) as Rendered)
}

/**
 * Whether a request rendered by any release may be sent by this one: the endpoint is still a write,
 * and its app, or the host it declares, is still at this address.
 */
export function mayLeave(site: Site | undefined, endpoint: Endpoint | undefined, request: Rendered): boolean {
  if (site === undefined || endpoint?.access !== 'write') return false
  return within(endpoint.root ?? site.origin, new URL(request.url))
}
