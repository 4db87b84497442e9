import { createHash } from 'node:crypto'
import { renderToString } from 'preact-render-to-string'
import { FullRequest, shownFills } from '../../../web/confirm/request.tsx'
import { isolated } from '../../../connectors/isolate/isolated.ts'
import { hashOf, loadAdded } from '../../../connectors/runtime/added.ts'
import type { LoadedConnector } from '../../../connectors/runtime/added.ts'
import { exchange, renderInApp } from '../../../connectors/runtime/exchange.ts'
import { Stopped } from '../../../connectors/runtime/outcome.ts'
import { renewInApp } from '../../../connectors/runtime/renew.ts'
import { needsNothing, render } from '../../../connectors/runtime/rendered.ts'
import type { Rendered } from '../../../connectors/runtime/rendered.ts'
import { InputRejected } from '../../../connectors/kit/failures.ts'
import { UnsafePath } from '../../../connectors/kit/request-line.ts'
import type { App, Endpoint } from '../../../connectors/registry.ts'
import type { AppSession } from '../../../schemas/session.ts'
import { cursorKey } from '../local-app.ts'
import { differences, strayHeaders } from './compare.ts'
import { photo } from './grammar.ts'
import type { Batch, HostileCase } from './grammar.ts'
import { shownOn } from './page.ts'
import { sessionCookies } from './server.ts'
import type { HostileApp } from './server.ts'

/** What came of a case. `differences`: of what was shown and what left. */
export interface Ran {
  readonly one: HostileCase
  /** `sent`, or why nothing was. */
  readonly end: string
  readonly differences: readonly string[]
}

export const session: AppSession = {
  cookies: Object.entries(sessionCookies).map(([name, value]) => ({ name, value, domain: '127.0.0.1', path: '/' })),
  user_agent: 'Hostile/1',
  browser: { 'accept-language': 'pt' },
  tokens: { access: 'T-access', refresh: 'T-refresh' },
}

const sha256 = createHash('sha256').update(photo.bytes).digest('hex')
const files = [
  { place: 'photo', address: photo.address, sha256, name: photo.name, type: photo.type, size: photo.bytes.length },
]
const contents = new Map([[sha256, photo.bytes]])

/** The headers with tokens of the session, as they have to be. */
export function authorized(authorize: App['authorize']): readonly (readonly [string, string])[] {
  return authorize.map(({ header, token, scheme }) => [header, `${scheme} ${session.tokens?.[token] ?? ''}`.trim()])
}

/** Runs the cases of a connector one after another, each from its rendering to its bytes. */
export async function runBatch(app: HostileApp, batch: Batch): Promise<readonly Ran[]> {
  const { loaded, refused } = await load(app, batch)
  const ran = [...refused]
  if (loaded === undefined) return ran
  try {
    const [first] = batch.cases
    if (first) ran.push(...(await renewed(app, loaded.app, first)))
    for (const one of batch.cases) {
      const endpoint = loaded.app.endpoints.get(one.name)
      if (endpoint) ran.push(await run(app, loaded.app, endpoint, one))
    }
  } finally {
    loaded.dispose()
  }
  return ran
}

/** What a renewal sends besides stored tokens: nobody approves it. */
async function renewed(app: HostileApp, { renew }: App, one: HostileCase): Promise<readonly Ran[]> {
  if (renew === null) return []
  app.requests = []
  await renewInApp(renew, { origin: `${app.origin}/shop/` }, session)
  const sent = app.requests.flatMap(({ body, headers }) => {
    const isJson = headers.some(([name, value]) => name.toLowerCase() === 'content-type' && value.includes('json'))
    const text = body.toString()
    return Object.entries<unknown>(
      isJson ? (JSON.parse(text) as Record<string, unknown>) : Object.fromEntries(new URLSearchParams(text)),
    )
  })
  const stored: readonly unknown[] = Object.values(session.tokens ?? {})
  const isKnown = ([name, value]: readonly [string, unknown]): boolean =>
    stored.includes(value) || (name === 'grant_type' && value === 'refresh_token') || name === 'client_id'
  return sent
    .filter((pair) => !isKnown(pair))
    .map((pair) => ({ one, end: 'renewed', differences: [`renewal sends ${pair.join('=')}`] }))
}

/** As one is added; without the cases that it is refused for, one after another. */
export async function load(
  app: HostileApp,
  batch: Batch,
): Promise<{ loaded?: LoadedConnector; refused: readonly Ran[] }> {
  const refused: Ran[] = []
  let left = batch.cases
  while (left.length > 0) {
    const code = batch.bundle(app.origin, left)
    const about = { slug: 'hostile', package: 'hostile@1.0.0', hash: hashOf(code), hosts: [app.origin], trusted: [] }
    try {
      return { loaded: await loadAdded(about, code, (source) => isolated(source)), refused }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      const at = left.filter(({ name }) => new RegExp(`\\b${name}\\b`).test(reason))
      const out = at.length > 0 ? at.slice(0, 1) : left
      refused.push(
        ...out.map((one) => ({ one, end: `not added: ${reason.replaceAll(one.name, 'it')}`, differences: [] })),
      )
      left = left.filter((one) => !out.includes(one))
    }
  }
  return { refused }
}

async function run(app: HostileApp, own: App, endpoint: Endpoint, one: HostileCase): Promise<Ran> {
  app.requests = []
  app.served = []
  const ended = (end: string, found: readonly string[] = []): Ran => ({ one, end, differences: found })
  const parsed = endpoint.parseInput(one.input, { cursorKey })
  if (!parsed.ok) return ended('input refused')
  const options = {
    endpoint,
    input: parsed.input,
    origin: `${app.origin}/shop/`,
    session,
    account: 'a',
    cursorKey,
    fence: () => Promise.resolve(true),
    now: new Date(),
    files,
    contents,
  }
  const authorize = authorized(own.authorize)
  const early = (): readonly string[] =>
    app.requests.flatMap((bytes) => [
      ...(bytes.method === 'GET' && bytes.body.length === 0
        ? []
        : [`left without an approval: ${bytes.method} ${bytes.target}`]),
      ...strayHeaders(app, bytes, authorize).map((pair) => `header of a page: ${pair.join(': ')}`),
    ])
  if (endpoint.access === 'read') {
    const { outcome } = await exchange(options)
    return ended(`read: ${outcome.kind}`, early())
  }
  const made = await shownRequest(endpoint, options)
  if (typeof made === 'string') return ended(made, early())
  const before = early()
  // As it is kept.
  const request = JSON.parse(JSON.stringify(made)) as Rendered
  const fills = shownFills(request, endpoint)
  const shown = shownOn(renderToString(FullRequest({ request, isAdded: true, fills })))
  if (shown === undefined) throw new Error('the page shows no request')
  app.requests = []
  const { outcome, sent, instead } = await exchange({ ...options, request, now: new Date(Date.now() + 1) })
  const acts = app.requests.filter(({ method }) => method !== 'GET')
  const [act, ...more] = acts
  if (act === undefined)
    return ended(instead ? 'made anew' : `not sent: ${reasonOf(outcome)}`, [
      ...before,
      ...(sent ? ['sent, they say'] : []),
    ])
  app.requests = app.requests.filter((bytes) => bytes !== act)
  const found = [...before, ...early(), ...more.map(({ method, target }) => `sent besides: ${method} ${target}`)]
  return ended('sent', [...found, ...differences(app, act, shown, authorize)])
}

type Options = Parameters<typeof exchange>[0]

/** The request, or why there is none. */
async function shownRequest(endpoint: Endpoint, options: Options): Promise<Rendered | string> {
  if (!needsNothing(endpoint)) {
    const { outcome } = await renderInApp(options)
    return outcome.kind === 'rendered' ? outcome.request : `not rendered: ${reasonOf(outcome)}`
  }
  try {
    const { input, origin, now = new Date() } = options
    return render(endpoint, input, { origin, now, anchor: null, before: {}, page: null, files })
  } catch (error) {
    if (error instanceof Stopped) return `not rendered: ${reasonOf(error.outcome)}`
    if (error instanceof InputRejected || error instanceof UnsafePath) return `not rendered: ${error.name}`
    throw error
  }
}

function reasonOf(outcome: Awaited<ReturnType<typeof exchange>>['outcome']): string {
  return outcome.kind === 'changed' ? `changed, ${outcome.rule}` : outcome.kind
}
