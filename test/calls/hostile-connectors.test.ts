import { afterAll, beforeAll, expect, it } from 'vitest'
import { connect } from '../../core/accounts/sessions.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { ask } from '../api/http/gateway.ts'
import { differences, strayHeaders } from '../connectors/hostile/compare.ts'
import { batchOf } from '../connectors/hostile/grammar.ts'
import type { HostileCase } from '../connectors/hostile/grammar.ts'
import { shownOn } from '../connectors/hostile/page.ts'
import { authorized, load, session } from '../connectors/hostile/run.ts'
import { hostileApp } from '../connectors/hostile/server.ts'
import type { HostileApp } from '../connectors/hostile/server.ts'
import { lookAt } from '../../scripts/connector/look.ts'
import { red, startFileHost } from '../support/album.ts'
import type { FileHost } from '../support/album.ts'
import { shopPackage } from '../support/corner-shop.ts'
import { askAsOperator } from '../support/operator.ts'
import type { TestUser } from '../support/user.ts'

/** Of the 2,000 that run in process, these go all the way: an operator adds them, a call is made, shown, approved and sent. */
const batches = [0, 1, 2, 3, 4, 5]
const wanted = 40

let stack: Stack
let app: HostileApp
let host: FileHost
let user: TestUser
beforeAll(async () => {
  stack = await startStack({ settings: { FILE_ALLOW: '127.0.0.1/32' } })
  app = await hostileApp()
  host = await startFileHost()
  host.files.set('/a.png', red)
  user = await stack.user({ accounts: [] })
})
afterAll(async () => {
  await host[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
  await stack.stop()
})

const soon = { interval: 200 }
const at = (route: string, json?: object) => ask(`${stack.url}${route}`, { key: user.key, ...(json && { json }) })

/** Adds the connector of a batch as an operator does, and connects an account. Its cases. */
async function added(slug: string, batch: number): Promise<readonly HostileCase[]> {
  const own = batchOf(batch)
  const { loaded } = await load(app, own)
  if (loaded === undefined) return []
  const cases = own.cases.filter(({ name }) => loaded.app.endpoints.has(name))
  loaded.dispose()
  const callgate = { connector: './index.js', api: 1, hosts: [app.origin] }
  await using source = await shopPackage({
    'package.json': JSON.stringify({ name: slug, version: '1.0.0', type: 'module', callgate }),
    'index.js': own.bundle(app.origin, cases),
  })
  const { package: from, hosts, code } = await lookAt(source.folder)
  const said = await askAsOperator(stack, 'POST', '/connectors', { slug, package: from, hosts, code })
  expect(said, JSON.stringify(said.body)).toMatchObject({ status: 200 })
  await expect.poll(async () => (await at(`/${slug}`)).status, soon).toBe(200)
  const about = { owner: user.id, app: slug, externalId: 'ann', label: 'Ann', session }
  await connect(stack.ctx, about)
  return cases
}

async function stateOf(
  call: string,
): Promise<{ readonly status: string; readonly made: boolean; readonly tried: boolean }> {
  const { rows } = await stack.ctx.db.query<{ status: string; made: boolean; tried: boolean }>(
    `SELECT status, request IS NOT NULL AS made, prepare_tries > 0 OR prepare_at IS NULL AS tried FROM calls WHERE id = $1`,
    [call],
  )
  if (rows[0] === undefined) throw new Error('no such call')
  return rows[0]
}

/** Its request is there, or cannot be made. */
async function isMade(call: string): Promise<boolean> {
  const { status, made, tried } = await stateOf(call)
  return made || tried || status !== 'awaiting_confirmation'
}

/** It ended, or waits for something else than an approval: the app, or one about another request. */
async function isOver(call: string): Promise<boolean> {
  const { rows } = await stack.ctx.db.query<{ over: boolean }>(
    `SELECT status IN ('executed', 'failed', 'rejected', 'unknown') OR held_for IS NOT NULL OR round > 1 AS over FROM calls WHERE id = $1`,
    [call],
  )
  return rows[0]?.over === true
}

/** What of a case left otherwise than it was shown; `sent`: whether anything was. */
async function ran(
  slug: string,
  one: HostileCase,
): Promise<{ readonly sent: boolean; readonly found: readonly string[] }> {
  app.requests = []
  const tokens = stack.ctx.apps.get(slug)?.authorize ?? []
  const authorize = authorized(tokens)
  const early = (): readonly string[] =>
    app.requests.flatMap((bytes) => [
      ...(bytes.method === 'GET' ? [] : [`left without an approval: ${bytes.method} ${bytes.target}`]),
      ...strayHeaders(app, bytes, authorize).map((pair) => `header of a page: ${pair.join(': ')}`),
    ])
  const photo = { ...('photo' in one.input && { photo: `${host.origin}/a.png` }) }
  const { status, body } = await at(`/${slug}/${one.name}`, { ...one.input, ...photo })
  if (status !== 202) return { sent: false, found: early() }
  const call = String(body['call_id'])
  const page = async () => (await (await user.person()).get(`/confirm/${call}`)).text()
  await expect.poll(() => isMade(call), soon).toBe(true)
  const html = await page()
  const shown = shownOn(html)
  if (shown === undefined) return { sent: false, found: early() }
  const before = [
    ...early(),
    ...(/[\u0000-\u0008\u000b-\u001f\u202a-\u202e\u2066-\u2069]/.test(html) ? ['hidden signs on the page'] : []),
  ]
  app.requests = []
  await user.approve(call)
  await expect.poll(() => isOver(call), soon).toBe(true)
  const acts = app.requests.filter(({ method }) => method !== 'GET')
  const [act, ...more] = acts
  if (act === undefined) return { sent: false, found: [...before, ...early()] }
  app.requests = app.requests.filter((bytes) => bytes !== act)
  const besides = more.map(({ method, target }) => `sent besides: ${method} ${target}`)
  return { sent: true, found: [...before, ...early(), ...besides, ...differences(app, act, shown, authorize)] }
}

it('what is approved of hostile connectors is what leaves', { timeout: 600_000 }, async () => {
  const found: string[] = []
  let [runs, sent] = [0, 0]
  for (const batch of batches) {
    const slug = `hostile-${batch}`
    for (const one of (await added(slug, batch)).slice(0, wanted - runs)) {
      runs += 1
      const end = await ran(slug, one)
      if (end.sent) sent += 1
      if (one.isBenign) expect(end.sent, `HOSTILE_CASE=${one.number}`).toBe(true)
      found.push(...end.found.map((what) => `HOSTILE_CASE=${one.number}: ${JSON.stringify(what)}`))
    }
  }
  expect(found).toEqual([])
  expect(runs).toBe(wanted)
  expect(sent).toBeGreaterThan(wanted / 4)
})
