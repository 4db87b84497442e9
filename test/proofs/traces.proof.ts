import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freePort } from '../../local-services/dev-server.ts'
import { ensureGoPrograms } from '../../local-services/go-programs.ts'
import type { Running } from '../../local-services/service.ts'
import { startGateway } from '../fire/gateway.ts'
import type { Gateway } from '../fire/gateway.ts'
import { send } from '../mcp/raw.ts'
import { firstContact } from '../support/contacts.ts'
import { apiService, startProcess, workerService } from '../support/processes.ts'

/** OpenTelemetry's own collector, of its own modules (test/proofs/collector), takes what API and worker send, and writes down each span. */
let gateway: Gateway
let processes: readonly Running[] = []
let written: string
let stopCollector: () => Promise<unknown>

beforeAll(async () => {
  const program = await ensureGoPrograms({
    name: 'otel-collector',
    folder: path.join(import.meta.dirname, 'collector'),
    packages: ['.'],
    env: process.env,
    log: console.log,
  })
  gateway = await startGateway()
  const at = `127.0.0.1:${await freePort()}`
  written = path.join(gateway.site.dir, 'collector.log')
  const config = path.join(gateway.site.dir, 'collector.yml')
  await writeFile(config, configured(at))
  const log = openSync(written, 'a')
  const child = spawn(program, [`--config=file:${config}`], { stdio: ['ignore', log, log] })
  closeSync(log)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  stopCollector = () => {
    child.kill()
    return ended
  }
  await vi.waitUntil(async () => (await readFile(written, 'utf8')).includes('Everything is ready'), {
    timeout: 120_000,
  })
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://${at}` }
  const port = (url: string) => Number(new URL(url).port)
  const places = { port: port(gateway.publicUrl), adminPort: port(gateway.adminUrl) }
  processes = await Promise.all([
    startProcess(apiService(gateway.site, { ...places, env })),
    startProcess(workerService(gateway.site, { env })),
  ])
}, 900_000)
afterAll(async () => {
  await Promise.all(processes.map((one) => one.kill()))
  await stopCollector()
  await gateway.stop()
})

const configured = (at: string): string => `
receivers: { otlp: { protocols: { http: { endpoint: '${at}' } } } }
exporters: { debug: { verbosity: detailed, use_internal_logger: false } }
service:
  telemetry: { metrics: { level: none } }
  pipelines: { traces: { receivers: [otlp], exporters: [debug] } }
`

interface Span {
  readonly trace: string
  readonly id: string
  readonly parent: string
  /** The service, and what it did. */
  readonly name: string
}

/** What the collector wrote, in words, of each span. */
async function spansOf(trace: string): Promise<readonly Span[]> {
  const spans: Span[] = []
  for (const resource of (await readFile(written, 'utf8')).split('ResourceSpans #').slice(1)) {
    const service = /service\.name: Str\((.*?)\)/.exec(resource)?.[1]
    for (const span of resource.split(/\nSpan #\d+/).slice(1)) {
      const told = (field: string): string => new RegExp(`\\n *${field} *: ?(.*)`).exec(span)?.[1]?.trim() ?? ''
      const [of, id, parent] = [told('Trace ID'), told('ID'), told('Parent ID')]
      if (of === trace) spans.push({ trace: of, id, parent, name: `${service}: ${told('Name')}` })
    }
  }
  return spans
}

/** Each span under that which it belongs to, from the client's on: `a > b` is b in a. */
async function treeOf(trace: string, root: string): Promise<readonly string[]> {
  const spans = await spansOf(trace)
  const pathTo = ({ name, parent }: Span): string => {
    if (parent === root) return name
    const above = spans.find(({ id }) => id === parent)
    return above === undefined ? `in nothing > ${name}` : `${pathTo(above)} > ${name}`
  }
  return spans.map(pathTo).toSorted()
}

function client() {
  const [trace, span] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
  return { headers: { traceparent: `00-${trace}-${span}-01` }, tree: () => treeOf(trace, span) }
}

const treeBelow = (request: string): readonly string[] => {
  const start = `callgate-api: ${request} > callgate-api: start`
  const sending = `${start} > callgate-worker: send`
  const all = [`callgate-api: ${request} > callgate-api: accept`, start, `${start} > callgate-api: workflow call`]
  return [`callgate-api: ${request}`, ...all, sending, `${sending} > callgate-worker: settle`]
}

test('a call is one tree in a real collector, from the request over accept and workflow to send and settle', async () => {
  const user = await gateway.user()
  const [waits, tool] = [client(), client()]
  const message = { contact_id: await firstContact(user), message: 'Waits for its person' }
  const asked = await user.call('reply_to_contact', message, waits.headers)
  expect(asked.status).toBe(202)
  await user.approve(asked.body['call_id'])
  expect(await user.record(asked.body['call_id'], 20)).toMatchObject({ status: 'executed' })
  const read = { app: 'property-advertising', action: 'list_listings', input: { limit: 1 } }
  const params = { name: 'read_action', arguments: read }
  const answer = await send(`${gateway.publicUrl}/mcp`, user.key, {
    method: 'tools/call',
    params,
    headers: tool.headers,
  })
  expect(answer.status).toBe(200)
  await expect.poll(waits.tree).toEqual(treeBelow('POST /api/v1/:app/:endpoint'))
  await expect.poll(tool.tree).toEqual(treeBelow('POST /mcp'))
  expect(await readFile(written, 'utf8')).not.toContain('Waits for its person')
})
