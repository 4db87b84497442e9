import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { brotliDecompressSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { loadApps } from '../../connectors/registry.ts'
import { connect } from '../../core/accounts/sessions.ts'
import { addWebhook } from '../../core/notices/targets.ts'
import { freePort } from '../../local-services/dev-server.ts'
import type { Running } from '../../local-services/service.ts'
import { previousRelease } from '../../scripts/schema/previous-release.ts'
import { startGateway } from '../fire/gateway.ts'
import type { Gateway } from '../fire/gateway.ts'
import { createDatabase } from '../harness.ts'
import { waitsFor } from '../support/asked-reply.ts'
import { firstContact } from '../support/contacts.ts'
import { balancedLedger } from '../support/ledger.ts'
import { listen } from '../support/listen.ts'
import { standBetween } from '../support/between.ts'
import type { Between } from '../support/between.ts'
import { askAsOperator } from '../support/operator.ts'
import { apiService, startProcess, workerService } from '../support/processes.ts'
import { startReceiver, verifies } from '../support/receiver.ts'
import type { Receiver } from '../support/receiver.ts'
import { standingFor } from '../support/standing.ts'
import { makeUser, TestUser } from '../support/user.ts'

/** From the release before to this one, in order: each step needs those before it. */

const code = brotliDecompressSync(
  await readFile(path.join(import.meta.dirname, '../connectors/older-bundles/shop.1.js.br')),
).toString()
const titles: string[] = []
const shop = createServer((request, response) => {
  void text(request).then((body) => {
    if (request.method === 'POST') titles.push((JSON.parse(body) as { title: string }).title)
    const list = titles.map((title, id) => `<li data-id=${id}>${title}`).join('') || '<li class=none>'
    const [type, answer] =
      request.method === 'POST'
        ? ['application/json', '{"id":7}']
        : ['text/html', `<meta name=csrf content=t><ul>${list}</ul>`]
    response.writeHead(200, { 'content-type': type }).end(answer)
  })
})
const env = { WEBHOOK_ALLOW: '127.0.0.0/8' }
/** A call of each kind, by what it is to come to; filled by the first test. */
const calls: Record<string, string> = {}
const ended = ['executed', 'rejected', 'cancelled', 'expired', 'failed', 'unknown']
const before: Record<string, Record<string, unknown>> = {}

let gateway: Gateway
/** Between both releases and the sandbox: the release before knows other signs of a block. */
let between: Between
let site: Gateway['site']
let previous: Awaited<ReturnType<typeof previousRelease>>
let copy: Awaited<ReturnType<typeof createDatabase>>
let receiver: Receiver
let secret: string
let user: TestUser
let blocked: TestUser
let signedOut: TestUser
let cursors: { readonly listings: string; readonly calls: string }
const running: Running[] = []

beforeAll(async () => {
  const origin = `http://127.0.0.1:${await listen(shop)}`
  previous = await previousRelease()
  const { url, namespace, drop } = await createDatabase()
  copy = await createDatabase()
  await withClient(url, (client) => client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public'))
  await previous.migrate(url)
  const address = inject('temporalAddress')
  const foundations = { databaseUrl: url, temporalAddress: address, temporalNamespace: namespace, drop }
  gateway = await startGateway({ foundations })
  between = await standBetween()
  between.target = gateway.sandbox.url
  site = { ...gateway.site, sandboxUrl: between.url }
  receiver = await startReceiver()
  await startPrevious()
  const made = { code: code.replace('http://127.0.0.1:1', `${origin}/`).replace(/csrf: headerToken\(\{[^}]*\}\),/, '') }
  const parts = { adminUrl: gateway.adminUrl, ctx: gateway }
  const added = { slug: 'old-shop', package: 'old-shop@1.0.0', hosts: [origin], ...made }
  expect(await askAsOperator(parts, 'POST', '/connectors', added)).toMatchObject({ status: 200 })
  const people = { ctx: gateway, publicUrl: gateway.publicUrl, sandbox: gateway.sandbox }
  ;[user, blocked, signedOut] = [await makeUser(people), await makeUser(people), await makeUser(people)]
  const session = { cookies: [], user_agent: null }
  await connect(gateway, { owner: user.id, app: 'old-shop', externalId: 'ann', label: 'Ann', session })
  for (const one of [user, blocked, signedOut]) {
    const hook = await addWebhook(gateway, one.id, receiver.url, ['call.final'])
    if (hook === 'full') throw new Error('there is no room for a webhook')
    if (one === user) ({ secret } = hook)
  }
})
afterAll(async () => {
  await Promise.all(running.map((process) => process.kill()))
  await receiver.close()
  await gateway.stop()
  await between[Symbol.asyncDispose]()
  await copy.drop()
  shop.closeAllConnections()
  shop.close()
})

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const portOf = (url: string): number => Number(new URL(url).port)

const passes: Between['instead'] = () => Promise.resolve(false)
const blocks: Between['instead'] = (_request, response) => {
  response.writeHead(403, { 'x-palisade': 'denied; ref=1' }).end()
  return Promise.resolve(true)
}

async function startPrevious(): Promise<void> {
  const older = { ...site, root: previous.root }
  const ports = { port: portOf(gateway.publicUrl), adminPort: portOf(gateway.adminUrl) }
  running.push(
    await startProcess(apiService(older, { ...ports, name: 'previous-api', env })),
    await startProcess(workerService(older, { name: 'previous-worker', env })),
  )
}

async function stopAll(): Promise<void> {
  for (const process of running.splice(0)) await process.stop()
}

/** The same person and key at another address. */
const at = (one: TestUser, publicUrl: string): TestUser => new TestUser({ ...fieldsOf(one), publicUrl })
const fieldsOf = ({ id, email, password, key, keyId, accounts, publicUrl }: TestUser) => {
  return { id, email, password, key, keyId, accounts, publicUrl }
}

async function ask(one: TestUser, message: string): Promise<string> {
  const input = { contact_id: await firstContact(one), message }
  return String((await one.call('reply_to_contact', input, { Prefer: 'wait=0' })).body['call_id'])
}

const sentTo = async (one: TestUser, message: string): Promise<number> =>
  JSON.stringify(await gateway.sandbox.effects(one.account.seeded.account)).split(`"${message}"`).length - 1

it('the release before has calls in every state', { timeout: 240_000 }, async () => {
  // Faults are everybody's: those who meet one have nothing else open, and the others begin afterwards.
  calls['blocked'] = await ask(blocked, 'blocked')
  between.instead = blocks
  await blocked.approve(calls['blocked'])
  await waitsFor(blocked, calls['blocked'], 'blocked')
  between.instead = passes
  calls['signed out'] = await ask(signedOut, 'signed out')
  await signedOut.approve(calls['signed out'], () => gateway.sandbox.fault('expire'))
  await waitsFor(signedOut, calls['signed out'], 'reconnect')
  await gateway.sandbox.clearFaults()
  const contact_id = await firstContact(user)
  await gateway.sandbox.fault('drop_after', { times: 1 })
  calls['unknown'] = String((await user.call('add_contact_note', { contact_id, note: 'unknown' })).body['call_id'])

  between.instead = blocks
  const failing = await user.call('add_contact_note', { contact_id, note: 'failed' })
  calls['failed'] = String(failing.body['request_id'])
  between.instead = passes
  for (const name of ['executed', 'rejected', 'cancelled', 'approve later', 'reject later', 'cancel later'])
    calls[name] = await ask(user, name)
  await user.approve(calls['executed'])
  await user.reject(calls['rejected'])
  await user.cancel(calls['cancelled'])
  await gateway.db.query(
    `INSERT INTO endpoint_settings (owner, app, endpoint, expiry_seconds) VALUES ($1, 'property-advertising', 'reply_to_contact', 2)
     ON CONFLICT (owner, app, endpoint) DO UPDATE SET expiry_seconds = 2`,
    [user.id],
  )
  calls['expired'] = await ask(user, 'expired')
  await gateway.db.query('UPDATE endpoint_settings SET expiry_seconds = NULL WHERE owner = $1', [user.id])
  await standingFor({ ...gateway, apps: loadApps({ sandboxUrl: site.sandboxUrl }) }, user)
  const inAdvance = await user.call('reply_to_contact', { contact_id, message: 'in advance' })
  expect([inAdvance.status, inAdvance.body]).toMatchObject([200, { contact_id }])
  const bread = await user.send('POST', '/old-shop/add_order', { title: 'Bread' })
  calls['order'] = String(bread.body['call_id'])

  const listing = (await user.call('list_listings', { limit: 1 })).body
  const listed = (await user.send('GET', '/calls?limit=2')).body
  cursors = { listings: String(listing['next_cursor']), calls: String(listed['next_cursor']) }
  for (const status of ended) {
    before[status] = await user.record(calls[status], 30)
    expect(before[status]['status'], status).toBe(status)
  }
})

it('and is backed up', async () => {
  await stopAll()
  const name = (url: string): string => new URL(url).pathname.slice(1)
  await withClient(inject('databaseUrl'), async (client) => {
    await client.query(`DROP DATABASE ${name(copy.url)}`)
    // Connections of this test's own pool, which makes others.
    await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
      name(gateway.site.databaseUrl),
    ])
    await client.query(`CREATE DATABASE ${name(copy.url)} TEMPLATE ${name(gateway.site.databaseUrl)}`)
  })
  await startPrevious()
  expect(await user.record(calls['approve later'])).toMatchObject({ status: 'awaiting_confirmation' })
})

it(
  'this release goes on beside it, and then alone, and refuses, loses and repeats nothing',
  { timeout: 400_000 },
  async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    const api = await startProcess(apiService(site, { port: portOf(url), adminPort: 0, name: 'new-api', env }))
    running.unshift(api)
    // Both at once: what the older one accepts now, the newer one ends.
    const beside = await user.call('reply_to_contact', { contact_id: await firstContact(user), message: 'beside' })
    expect([beside.status, beside.body], JSON.stringify(beside.body)).toMatchObject([200, {}])
    const worker = await startProcess(workerService(site, { name: 'new-worker', env }))
    running.shift()
    await stopAll()
    running.push(api, worker)

    const [me, mine, theirs] = [at(user, url), at(blocked, url), at(signedOut, url)]
    for (const status of ended) expect(await me.record(calls[status]), status).toEqual(before[status])
    expect((await me.approve(calls['approve later'])).status).toBe(303)
    expect((await me.reject(calls['reject later'])).status).toBe(303)
    expect((await me.cancel(calls['cancel later'])).status).toBe(200)
    expect((await me.approve(calls['order'])).status).toBe(303)
    const { account, label, session } = signedOut.account.seeded
    const again = { owner: signedOut.id, app: gateway.sandbox.slug, externalId: account, label, session }
    expect(await connect(gateway, again)).toBe(signedOut.account.id)
    for (const [name, one, status] of [
      ['approve later', me, 'executed'],
      ['reject later', me, 'rejected'],
      ['cancel later', me, 'cancelled'],
      ['order', me, 'executed'],
      ['signed out', theirs, 'executed'],
      ['blocked', mine, 'executed'],
    ] as const) {
      const statusNow = async () => (await one.record(calls[name], 30))['status']
      await expect.poll(statusNow, { timeout: 200_000, interval: 2_000, message: name }).toBe(status)
    }
    const effects = { executed: 1, 'approve later': 1, 'in advance': 1, beside: 1, unknown: 1 }
    for (const [message, times] of Object.entries(effects)) expect(await sentTo(user, message), message).toBe(times)
    for (const message of ['rejected', 'cancelled', 'expired', 'failed', 'reject later', 'cancel later'])
      expect(await sentTo(user, message), message).toBe(0)
    expect([await sentTo(blocked, 'blocked'), await sentTo(signedOut, 'signed out')]).toEqual([1, 1])
    expect(titles).toEqual(['Bread'])
    for (const one of [user, blocked, signedOut]) expect((await balancedLedger(gateway, one.id)).reserved).toBe(0)

    expect((await me.call('list_listings', { limit: 1, cursor: cursors.listings })).status).toBe(200)
    expect((await me.send('GET', `/calls?limit=2&cursor=${cursors.calls}`)).status).toBe(200)
    const inAdvance = { contact_id: await firstContact(me), message: 'in advance still' }
    expect((await me.call('reply_to_contact', inAdvance)).status).toBe(200)
    expect((await me.send('POST', '/old-shop/list_orders', {})).body).toMatchObject({ orders: [{ title: 'Bread' }] })
  },
)

it('and each end was told to the webhooks once, signed with the secret of before', { timeout: 60_000 }, async () => {
  const finals = () => receiver.received.map(({ event }) => String(event.data['call_id']))
  const told = Object.values(calls)
  await expect.poll(() => told.filter((id) => !finals().includes(id)), { timeout: 45_000 }).toEqual([])
  expect(finals().length).toBe(new Set(finals()).size)
  const own = receiver.received.filter(({ event }) => event.data['call_id'] === calls['approve later'])
  expect(own.map((one) => verifies(secret, one))).toEqual([true])
})

it(
  'the backup of the release before is brought up to date and goes on where it was',
  { timeout: 120_000 },
  async () => {
    await stopAll()
    const restored = { ...site, databaseUrl: copy.url, temporalNamespace: copy.namespace }
    const url = `http://127.0.0.1:${await freePort()}`
    running.push(
      await startProcess(apiService(restored, { port: portOf(url), adminPort: 0, name: 'restored-api', env })),
      await startProcess(workerService(restored, { name: 'restored-worker', env })),
    )
    const me = at(user, url)
    for (const status of ended) expect(await me.record(calls[status]), status).toEqual(before[status])
    expect(await me.record(calls['cancel later'])).toMatchObject({ status: 'awaiting_confirmation' })
    // After a restore a person may be asked once more (docs/reliability.md).
    const approved = async () => {
      const record = await me.record(calls['cancel later'])
      if (record['status'] === 'awaiting_confirmation') await me.approve(calls['cancel later'])
      return record
    }
    await expect.poll(approved, { timeout: 90_000, interval: 3_000 }).toMatchObject({ status: 'executed' })
    expect(await sentTo(user, 'cancel later')).toBe(1)
  },
)
