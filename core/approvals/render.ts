import { Stopped } from '../../connectors/runtime/outcome.ts'
import { needsNothing, render } from '../../connectors/runtime/rendered.ts'
import type { Rendered } from '../../connectors/runtime/rendered.ts'
import type { CallFile } from '../../connectors/runtime/file-inputs.ts'
import { InputRejected } from '../../connectors/kit/failures.ts'
import { UnsafePath, within } from '../../connectors/kit/request-line.ts'
import type { App, Endpoint } from '../../connectors/registry.ts'
import { openPayload, placeOf } from '../calls/payload.ts'
import { siteOf } from '../accounts/site.ts'
import type { Site } from '../../connectors/runtime/site.ts'
import type { CallRow } from '../calls/rows.ts'
import type { Context } from '../context.ts'

/**
 * The request of a call as it will be sent, where nothing of the app is needed to make it. Undefined: it is made in the workflow's first step,
 * which also says why where it cannot be made at all.
 */
export function renderNow(
  ctx: Pick<Context, 'config'>,
  wanted: {
    readonly app: App
    /** Of the account. */
    readonly origin: string
    readonly endpoint: Endpoint
    readonly input: Readonly<Record<string, unknown>>
    readonly files: readonly CallFile[]
  },
): Rendered | undefined {
  const { app, endpoint, input, files } = wanted
  const site = siteOf(ctx, app, wanted.origin)
  if (!needsNothing(endpoint) || site === undefined) return undefined
  try {
    return render(endpoint, input, {
      origin: site.origin,
      anchor: null,
      now: new Date(),
      before: {},
      page: null,
      files,
    })
  } catch (error) {
    if (error instanceof InputRejected || error instanceof UnsafePath || error instanceof Stopped) return undefined
    throw error
  }
}

/** Whether a call that waits can no longer be sent as it was rendered, or not at all. Throws when what is sealed cannot be opened. */
export function isVoid(ctx: Pick<Context, 'apps' | 'config' | 'secrets'>, row: CallRow): boolean {
  const app = ctx.apps.get(row.app)
  const endpoint = app?.endpoints.get(row.endpoint)
  const site = app && siteOf(ctx, app, row.account_origin)
  if (row.request === null) return site === undefined || endpoint?.access !== 'write'
  return !mayLeave(site, endpoint, openPayload(ctx.secrets, placeOf(row), 'request', row.request) as Rendered)
}

/** Whether a request that was rendered by some release may leave in this one: the endpoint is still a write, and its app or the host of it that it names still at this address. */
export function mayLeave(site: Site | undefined, endpoint: Endpoint | undefined, request: Rendered): boolean {
  if (site === undefined || endpoint?.access !== 'write') return false
  return within(endpoint.root ?? site.origin, new URL(request.url))
}
