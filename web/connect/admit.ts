import { ServerResponse } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type Koa from 'koa'
import { listAccounts } from '../../core/accounts/accounts.ts'
import type { Account } from '../../core/accounts/accounts.ts'
import { isToBeMade } from '../../core/connectors/traces.ts'
import type { Context } from '../../core/context.ts'
import type { App } from '../../connectors/registry.ts'
import { named } from '../../schemas/names.ts'
import { signedIn } from '../session.ts'

const livePath = named('/connect/{slug}/live')

/** Whether a request is a WebSocket upgrade on a live path. All other upgrades are declined. */
export function isLive(request: IncomingMessage): boolean {
  const { pathname = '' } = URL.parse(request.url ?? '', 'http://localhost') ?? {}
  return request.headers.upgrade?.toLowerCase() === 'websocket' && livePath.test(pathname)
}

/** Per picture: larger ones take longer to send than they are shown. */
const mostPixels = 2_000_000

export interface Wanted {
  readonly owner: string
  /** Whether that user is still signed in, in the browser that asked. */
  readonly stillSignedIn: () => Promise<boolean>
  readonly app: App
  /** The account to sign in to again. */
  readonly account: Account | undefined
  /** The app's address as the user typed it; '' where none was asked for. */
  readonly address: string
  /** In CSS pixels; `scale`: pixels of the user's screen per CSS pixel. */
  readonly size: { readonly width: number; readonly height: number; readonly scale: number }
  /** Id of the recording to make. */
  readonly record: string | undefined
}

/** Admits only the signed-in user, from our own pages; otherwise the status to refuse with. */
export async function admit(ctx: Context, koa: Koa, request: IncomingMessage): Promise<Wanted | number> {
  const url = URL.parse(request.url ?? '', 'http://localhost')
  const slug = livePath.exec(url?.pathname ?? '')?.[1]
  const app = slug === undefined ? undefined : ctx.apps.get(slug)
  if (url === null || app === undefined) return 404
  const http = koa.createContext(request, new ServerResponse(request))
  const origin = request.headers.origin ?? ''
  if (origin !== new URL(ctx.config.publicUrl).origin && URL.parse(origin)?.host !== request.headers.host) return 403
  const person = await signedIn(ctx, http)
  if (person === undefined) return 403
  const number = (name: string, low: number, high: number, usual: number): number =>
    Math.min(Math.max(Number(url.searchParams.get(name)) || usual, low), high)
  const [width, height] = [Math.round(number('width', 320, 1280, 800)), Math.round(number('height', 400, 1000, 640))]
  const sharpest = Math.max(1, Math.sqrt(mostPixels / (width * height)))
  const size = { width, height, scale: Math.min(number('scale', 1, 2, 1), sharpest) }
  const wanted = url.searchParams.get('account')
  const account = (await listAccounts(ctx, person.owner, app.slug)).find(({ id }) => id === wanted)
  const { owner } = person
  const address = url.searchParams.get('address') ?? ''
  const record = url.searchParams.get('record') ?? undefined
  if (record !== undefined && !(await isToBeMade(ctx.db, owner, app.slug, record))) return 404
  const stillSignedIn = async (): Promise<boolean> => (await signedIn(ctx, http))?.owner === owner
  return { owner, stillSignedIn, app, account, address, size, record }
}
