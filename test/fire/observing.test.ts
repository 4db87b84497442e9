import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { securityKinds } from '../../core/security-log.ts'
import { isErrorCode } from '../../schemas/errors.ts'
import { freePort } from '../../local-services/dev-server.ts'
import { begin } from '../../local-services/service.ts'
import type { Running } from '../../local-services/service.ts'
import { firstContact } from '../support/contacts.ts'
import { apiService, exitOf, logsOf, startProcess, workerService } from '../support/processes.ts'
import { startGateway } from './gateway.ts'
import type { Gateway } from './gateway.ts'

interface Alert {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly runbook: string }
}

/** What is worked out before, under a name of its own. */
interface Recorded {
  readonly record: string
  readonly expr: string
}

const root = path.join(import.meta.dirname, '../..')
const alertsFile = await readFile(path.join(root, 'deploy/alerts.yml'), 'utf8')
const { groups } = parse(alertsFile) as {
  readonly groups: readonly { readonly rules: readonly (Alert | Recorded)[] }[]
}
const rules = groups.flatMap(({ rules }) => rules)
const alerts = rules.flatMap((rule) => ('alert' in rule ? [rule] : []))
const recorded = rules.flatMap((rule) => ('record' in rule ? [rule] : []))
/** What panels of the dashboard ask for. */
const dashboard = JSON.parse(await readFile(path.join(root, 'deploy/grafana/callgate.json'), 'utf8')) as {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[]
}
const panels = dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ name: title, expr })))

/** What an expression asks for, and by which labels it picks. */
function metricsIn(expr: string): readonly { readonly name: string; readonly labels: readonly string[] }[] {
  const names = /(?<![\w:"$])(up|(?:callgate|process|nodejs|temporal)_\w+|callgate:[\w:]+)(?:\{(.*?)\})?/g
  return [...expr.matchAll(names)].map(([, name = '', picked = '']) => ({
    name,
    labels: [...picked.matchAll(/(\w+)(?==)/g)].map(([label]) => label),
  }))
}

const told = async (url: string): Promise<string> => (await fetch(url)).text()

describe('the alerts', () => {
  it('each have an entry in the runbook that says what it means, how to see more and what to do, and no entry is left over', async () => {
    const runbook = await readFile(path.join(root, 'docs/runbook.md'), 'utf8')
    const entries = runbook.split(/^## /m).slice(1)
    expect(entries.map((entry) => entry.split('\n')[0])).toEqual(alerts.map(({ alert }) => alert))
    for (const entry of entries) expect(entry).toMatch(/\*\*Means\*\* [^]+\*\*See\*\* [^]+\*\*Do\*\* /)
    for (const { alert, annotations, labels } of alerts) {
      expect(annotations.runbook).toBe(`docs/runbook.md#${alert.toLowerCase()}`)
      expect(['critical', 'warning']).toContain(labels.severity)
    }
  })

  it('pick outcomes and kinds that there are', () => {
    const picked = (label: string): string[] =>
      [...alertsFile.matchAll(new RegExp(`\\b${label}=~?"(.*?)"`, 'g'))].flatMap(([, values = '']) => values.split('|'))
    expect(securityKinds).toEqual(expect.arrayContaining(picked('kind')))
    expect(picked('outcome').filter((code) => !isErrorCode(code))).toEqual([])
    expect([picked('kind').length, picked('outcome').length]).toEqual([3, 4])
  })
})

describe('a worker that has a port', () => {
  let gateway: Gateway
  let worker: Running
  let at: string
  let sdk: string
  /** One whose engine says nothing. */
  let waiting: Running
  let waitingAt: string
  /** An API process of the same engine. */
  let early: Running
  let earlyPort: number
  const silent = createServer()
  beforeAll(async () => {
    gateway = await startGateway({ logLevel: 'info' })
    const [port, sdkPort] = [await freePort(), await freePort()]
    at = `http://127.0.0.1:${port}`
    sdk = `http://127.0.0.1:${sdkPort}/metrics`
    const env = { WORKER_ADMIN_PORT: String(port), SDK_METRICS_PORT: String(sdkPort) }
    const [, started] = await Promise.all([
      gateway.startApi(),
      startProcess(workerService(gateway.site, { name: 'worker-1', env })),
    ])
    worker = started
    silent.listen(0, '127.0.0.1')
    const waitingPort = await freePort()
    waitingAt = `http://127.0.0.1:${waitingPort}`
    const away = { TEMPORAL_ADDRESS: `127.0.0.1:${(silent.address() as AddressInfo).port}` }
    const other = { ...away, WORKER_ADMIN_PORT: String(waitingPort) }
    waiting = await begin(workerService(gateway.site, { name: 'worker-2', env: other }))
    earlyPort = await freePort()
    early = await begin(apiService(gateway.site, { port: earlyPort, adminPort: 0, name: 'early', env: away }))
  })
  afterAll(async () => {
    await Promise.all([worker.kill(), waiting.kill(), early.kill()])
    silent.close()
    await gateway.stop()
  })

  it('tells how long apps took and what came of it, and logs a line for each call that ended, without what it said', async () => {
    const user = await gateway.user()
    const contact = await firstContact(user)
    const done = await user.call('add_contact_note', { contact_id: contact, note: 'Nobody logs this.' })
    const refused = await user.call('get_listing', { listing_id: 'CV-none' })
    expect([done.status, refused.status]).toEqual([200, 422])
    // Who called is answered from the commit; the worker counts after it.
    const metrics = await vi.waitUntil(
      async () => {
        const said = await told(`${at}/metrics`)
        return said.includes('callgate_calls_ended_total{app="property-advertising",status="failed"}') && said
      },
      { timeout: 120_000 },
    )
    const of = (endpoint: string): string => `app="property-advertising",endpoint="${endpoint}"`
    for (const line of [
      `callgate_sends_total{${of('add_contact_note')},outcome="executed"} 1`,
      `callgate_sends_total{${of('get_listing')},outcome="app_rejected"} 1`,
      `callgate_send_seconds_bucket{le="15",${of('add_contact_note')}} 1`,
      'callgate_calls_ended_total{app="property-advertising",status="failed"} 1',
      'callgate_database_up 1',
      'callgate_engine_up 1',
      'callgate_database_connections{state="waiting"} 0',
    ])
      expect(metrics.split('\n')).toContain(line)
    expect(Number(/send_seconds_sum\{.*get_listing"\} (\S+)/.exec(metrics)?.[1])).toBeGreaterThan(0)
    expect(await told(sdk)).toMatch(/^temporal_request_total\{/m)

    const log = await readFile(path.join(logsOf(gateway.site), 'worker-1.log'), 'utf8')
    const lines = log.split('\n').filter((line) => line.includes('a call has ended'))
    const said = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    const app = 'property-advertising'
    const ms = expect.any(Number) as number
    const call = String(done.headers.get('x-request-id'))
    expect(said.find((line) => line['call'] === call)).toMatchObject({
      ...{ app, endpoint: 'add_contact_note', outcome: 'executed', answer: 'executed', ms },
    })
    expect(said.find((line) => line['call'] === refused.body['request_id'])).toMatchObject({
      ...{ app, endpoint: 'get_listing', outcome: 'failed', answer: 'app_rejected', ms },
    })
    expect(log).not.toMatch(/Nobody logs this|CV-none/)
  })

  it('answers nothing else, and nobody who knows it by another name', async () => {
    expect((await fetch(`${at}/operator/apps`)).status).toBe(404)
    const changed = await fetch(`${at}/metrics`, { method: 'POST' })
    expect([changed.status, changed.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    const asked = request(`${at}/metrics`, { headers: { Host: 'attacker.example' } }).end()
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    answer.resume()
    expect(answer.statusCode).toBe(421)
  })

  it('is alive while its engine says nothing, and ready when it takes work', async () => {
    expect([(await fetch(`${at}/healthz`)).status, await told(`${at}/readyz`)]).toEqual([
      200,
      JSON.stringify({ database: true, engine: true, draining: false }),
    ])
    const status = async (what: string): Promise<number | string> =>
      fetch(`${waitingAt}/${what}`).then((answer) => answer.status, String)
    await expect.poll(() => status('healthz')).toBe(200)
    expect(await status('readyz')).toBe(503)
  })

  it('and an API process listens before it has found its engine: it lives, and tells everybody to come back', async () => {
    const ask = (where: string, init?: RequestInit) => fetch(`http://127.0.0.1:${earlyPort}${where}`, init)
    await expect.poll(() => ask('/healthz').then(({ status }) => status, String)).toBe(200)
    const call = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }
    for (const [where, init] of [
      ['/v1/property-advertising/list_listings', call],
      ['/mcp', call],
      ['/login', {}],
      ['/healthz', call],
      ['/openapi.json', {}],
    ] as const) {
      const answer = await ask(where, init)
      expect([answer.status, answer.headers.get('retry-after')], where).toEqual([503, '5'])
      const request_id = answer.headers.get('x-request-id')
      const message = expect.stringContaining('is starting') as string
      expect(await answer.json(), where).toEqual({ error: 'unavailable', message, request_id })
    }
    // One that is ready says that it lives at the same place.
    expect((await fetch(`${gateway.publicUrl}/healthz`)).status).toBe(200)
    expect((await fetch(`${gateway.publicUrl}/openapi.json`)).status).toBe(200)
  })

  it('and the API have every figure that an alert or a panel of the dashboard asks for, and those that are documented', async () => {
    const figures = new Map<string, Set<string>>()
    for (const text of [await told(`${at}/metrics`), await told(`${gateway.adminUrl}/metrics`), await told(sdk)]) {
      for (const [, name = '', type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
        figures.set(name, figures.get(name) ?? new Set())
        if (type === 'histogram') for (const part of ['bucket', 'count']) figures.set(`${name}_${part}`, new Set())
      }
      for (const [, name = '', labels = ''] of text.matchAll(/^(\w+)\{(.*)\} \S+$/gm))
        for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) figures.get(name)?.add(label)
    }
    for (const { record } of recorded) figures.set(record, new Set())
    expect(alerts.length).toBeGreaterThan(20)
    expect(panels.length).toBeGreaterThan(30)
    const named = [
      ...alerts.map(({ alert: name, expr }) => ({ name, expr })),
      ...recorded.map(({ record: name, expr }) => ({ name, expr })),
      ...panels,
    ]
    for (const { name: where, expr } of named) {
      const asked = metricsIn(expr)
      expect(asked.length, where).toBeGreaterThan(0)
      for (const { name, labels } of asked) {
        if (name === 'up') continue
        expect(figures.has(name), `${where}: ${name}`).toBe(true)
        const known = figures.get(name) ?? new Set()
        // Which job and process it is, Prometheus adds.
        const own = labels.filter((label) => label !== 'job')
        if (known.size > 0) expect([...known], `${where}: labels of ${name}`).toEqual(expect.arrayContaining(own))
      }
    }
    const table = await readFile(path.join(root, 'docs/operating.md'), 'utf8')
    const documented = [...table.matchAll(/^\| (`callgate_.*?) \|/gm)].flatMap(
      ([, names = '']) => names.match(/callgate_\w+/g) ?? [],
    )
    const own = [...figures.keys()].filter((name) => /^callgate_(?!.*_(?:bucket|count)$)/.test(name))
    expect(documented.toSorted()).toEqual(own.toSorted())
  })

  it('says that it leaves while it finishes what it began', async () => {
    const user = await gateway.user()
    await gateway.sandbox.fault('slow', { ms: 4_000 })
    const reading = user.call('list_listings', { limit: 1 })
    const sending = async () =>
      (await gateway.db.query(`SELECT 1 FROM calls WHERE owner = $1 AND send = 'sending'`, [user.id])).rowCount
    await expect.poll(sending, { interval: 50 }).toBe(1)
    const stopped = worker.stop()
    await expect.poll(async () => (await fetch(`${at}/readyz`)).status, { timeout: 3_000, interval: 20 }).toBe(503)
    expect((await fetch(`${at}/healthz`)).status).toBe(200)
    expect((await reading).status).toBe(200)
    await stopped
    expect(await exitOf(worker)).toEqual({ code: 0, signal: null })
  })
})
