import type { AppSession } from '../../../schemas/session.ts'
import type { CleanOptions, Cleaned } from '../../authoring/clean/clean.ts'
import type { RawTrace } from '../../authoring/clean/raw.ts'
import { ConnectorFailed } from '../../isolate/failed.ts'
import { hosted } from '../../isolate/hosted.ts'
import { loadBundle } from '../../isolate/load-bundle.ts'
import type { Recording } from '../../recordings/recording.ts'
import type { AddedConnector, LoadCode } from '../added.ts'
import type { App, Endpoint } from '../app.ts'
import { CookieJar } from '../cookies.ts'
import { exchange as exchangeHere, renderInApp as renderInAppHere } from '../exchange.ts'
import type { Exchange, ExchangeOptions } from '../exchange.ts'
import { readIdentity as readIdentityHere } from '../identity.ts'
import type { Asked } from '../identity.ts'
import type { Renewed } from '../renew.ts'
import type { Rendered } from '../rendered.ts'
import type { Site } from '../site.ts'
import { jobs } from './jobs.ts'
import type { GivenExchange } from './jobs.ts'
import { crossing } from './crossing.ts'
import type { GivenTo, JobName, ResultOf } from './messages.ts'
import { ExchangePool } from './pool.ts'
import type { AddedSource, CodeSource } from './source.ts'
import type { OnMain, Task } from './task.ts'

/** The threads of this process: none before the first job. */
const pool = new ExchangePool()

/** Call at the end of the process, so that no running job keeps it alive. */
export function endExchangeThreads(): void {
  pool.end()
}

interface Place {
  readonly source?: CodeSource | undefined
  readonly lane: string
  readonly stepMs?: number
}

function begin<N extends JobName>(job: N, place: Place, given: GivenTo<N>, main: OnMain = {}): Task {
  return pool.begin({ job, ...place, given, main })
}

async function run<N extends JobName>(job: N, place: Place, given: GivenTo<N>, main?: OnMain): Promise<ResultOf<N>> {
  return (await begin(job, place, given, main).result) as ResultOf<N>
}

/** `exchange` of `exchange.ts` on an exchange thread. Network, fence and signal stay here. */
export async function exchange(options: ExchangeOptions): Promise<Exchange> {
  const { endpoint, session } = options
  if (endpoint.source === undefined) return exchangeHere(options)
  const task = begin('exchange', placeOf(endpoint, options), givenOf(options), options)
  try {
    const result = (await task.result) as Exchange
    return task.hasActed ? { ...result, sent: true } : result
  } catch (error) {
    if (!(error instanceof ConnectorFailed)) throw error
    return { outcome: error.outcome, session: changedBy(task, session), sent: task.hasActed }
  }
}

/** `renderInApp` of `exchange.ts` on an exchange thread. */
export async function renderInApp(
  options: Omit<ExchangeOptions, 'fence' | 'request'>,
): Promise<ResultOf<'renderInApp'>> {
  const { endpoint, session } = options
  if (endpoint.source === undefined) return renderInAppHere(options)
  const main = { ...options, fence: () => Promise.resolve(false) }
  const task = begin('renderInApp', placeOf(endpoint, options), givenOf(options), main)
  try {
    return (await task.result) as ResultOf<'renderInApp'>
  } catch (error) {
    if (!(error instanceof ConnectorFailed)) throw error
    return { outcome: error.outcome, session: changedBy(task, session) }
  }
}

/** Renders a request that needs nothing from the app; undefined: it cannot be rendered. */
export async function render(
  endpoint: Endpoint,
  account: string,
  given: Omit<GivenTo<'render'>, 'endpoint'>,
): Promise<Rendered | undefined> {
  const { source, name } = endpoint
  const here = { app: (): Pick<App, 'endpoints'> => ({ endpoints: new Map([[name, endpoint]]) }) }
  if (source === undefined) return jobs.render(here, { ...given, endpoint: name })
  try {
    return await run('render', placeOf(endpoint, { account }), { ...given, endpoint: name })
  } catch (error) {
    if (error instanceof ConnectorFailed) return undefined
    throw error
  }
}

/** `readIdentity` of `identity.ts` on an exchange thread. Throws `ConnectorFailed`. */
export async function readIdentity(app: App, site: Site, session: AppSession): Promise<Asked> {
  if (app.source === undefined) return readIdentityHere(app, site, session)
  const { origin, reach } = site
  return run('readIdentity', placeOfApp(app, origin), { origin, session }, { reach })
}

/** `renewInApp` of `renew.ts` on a thread. Without a result, a token may be used up: `over`. */
export async function renewInApp(app: App, { origin, reach }: Site, session: AppSession): Promise<Renewed> {
  const { renew } = app
  if (renew === null) return { kind: 'over' }
  // The renewal is data: no code of the app runs.
  const { lane } = placeOfApp(app, origin)
  try {
    return await run('renewInApp', { lane }, { renew, origin, session }, { reach })
  } catch (error) {
    if (error instanceof ConnectorFailed) return { kind: 'over' }
    throw error
  }
}

/** The account that a page of the app shows. Throws `ConnectorFailed`. */
export async function accountOn(app: App, origin: string, page: string): Promise<ResultOf<'accountOn'>> {
  if (app.source === undefined) return app.signIn.who.account(page)
  return run('accountOn', placeOfApp(app, origin), { page })
}

/** One step cleans up to 300 exchanges, 12 MB in total. */
const cleanMs = 60_000

export function clean(account: string, raw: RawTrace, { key, released }: CleanOptions): Promise<Cleaned> {
  const given = { raw, options: { released, key: new Uint8Array(key) } }
  return run('clean', { lane: `recording ${account}`, stepMs: cleanMs }, given)
}

export function asksForSecret(account: string, page: string): Promise<boolean> {
  return run('asksForSecret', { lane: `recording ${account}` }, { page })
}

export function recordingText(
  app: App,
  endpoint: string,
  { steps, ...rest }: Recording,
): Promise<ResultOf<'recordingText'>> {
  const recording = { ...rest, steps: steps.map(({ request, answer }) => ({ request: crossing(request), answer })) }
  return run('recordingText', placeOfApp(app, rest.origin), { endpoint, recording })
}

let loaded = 0

/** Loads an added connector for threads. On the main thread it is data: its functions throw. */
export const onThreads: LoadCode = async (code: string, { slug, hash, trusted }: AddedConnector) => {
  const { told, image } = await loadBundle(code)
  const spec = hosted(told, () => () => {
    throw new Error('author code runs on exchange threads only')
  })
  const source: AddedSource = { kind: 'added', slug, id: `${slug} ${hash} ${++loaded}`, told, image, trusted }
  return { spec, source, dispose: () => pool.forget(source) }
}

function placeOf({ app, source }: Endpoint, { account }: { readonly account?: string }): Place {
  return { source, lane: source?.kind === 'added' ? `app ${app}` : `account ${account ?? app}` }
}

function placeOfApp({ slug, source }: App, origin: string): Place {
  return { source, lane: source?.kind === 'added' ? `app ${slug}` : `site ${slug} ${origin}` }
}

function givenOf(
  options: Omit<ExchangeOptions, 'fence' | 'request'> & Pick<ExchangeOptions, 'request'>,
): GivenExchange {
  const { endpoint, request, input, files, tellsVersion, session, account, origin, timeoutMs, maxBytes } = options
  const { now = new Date(), cursorKey, contents } = options
  return {
    ...{ endpoint: endpoint.name, input, session, origin, now },
    // Copies, because a Buffer may share its memory with others.
    cursorKey: new Uint8Array(cursorKey),
    ...(contents && { contents: new Map([...contents].map(([hash, bytes]) => [hash, new Uint8Array(bytes)])) }),
    ...(request && { request }),
    ...(files && { files }),
    ...(tellsVersion !== undefined && { tellsVersion }),
    ...(account !== undefined && { account }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(maxBytes !== undefined && { maxBytes }),
  }
}

/** The cookies that the app changed before the connector failed. */
function changedBy({ answers }: Task, session: AppSession): AppSession | null {
  const jar = new CookieJar(session)
  for (const { url, setCookies } of answers) jar.take(setCookies, url)
  return jar.changes()
}
