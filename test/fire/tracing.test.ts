import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { send } from '../mcp/raw.ts'
import { firstContact } from '../support/contacts.ts'
import { listen } from '../support/listen.ts'
import { apiService, startProcess, workerService } from '../support/processes.ts'
import type { Running } from '../../local-services/service.ts'
import { startGateway } from './gateway.ts'
import type { Gateway } from './gateway.ts'

interface Span {
  readonly service: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
}
interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string }
}
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[]
  }[]
}

/** A collector that speaks OTLP over HTTP, and what it was sent, word for word. */
const sent: string[] = []
const paths = new Set<string>()
const collector = createServer((request, response) => {
  paths.add(`${request.method} ${request.url}`)
  void text(request).then((body) => {
    sent.push(body)
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
  })
})

function spansOf(trace: string): readonly Span[] {
  const exports = sent.map((body) => JSON.parse(body) as Export)
  return exports.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ resource, scopeSpans }) => {
      const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? ''
      const spans = scopeSpans.flatMap((scope) => scope.spans)
      return spans.filter(({ traceId }) => traceId === trace).map((span) => ({ ...span, service }))
    }),
  )
}

/** A client's trace, and the id of the span in which it calls. */
function trace(sampled = true) {
  const [id, span] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
  return { id, span, headers: { traceparent: `00-${id}-${span}-0${sampled ? 1 : 0}` } }
}

const named = (trace: string): readonly string[] =>
  spansOf(trace)
    .map(({ service, name }) => `${service}: ${name}`)
    .toSorted()

let gateway: Gateway
let processes: readonly Running[] = []
beforeAll(async () => {
  const endpoint = `http://127.0.0.1:${await listen(collector)}`
  gateway = await startGateway()
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, CALLGATE_RELEASE: '' }
  const port = (url: string) => Number(new URL(url).port)
  const places = { port: port(gateway.publicUrl), adminPort: port(gateway.adminUrl) }
  processes = await Promise.all([
    startProcess(apiService(gateway.site, { ...places, env })),
    startProcess(workerService(gateway.site, { env })),
  ])
})
afterAll(async () => {
  await Promise.all(processes.map((process) => process.kill()))
  await gateway.stop()
  collector.closeAllConnections()
  collector.close()
})

const ofACall = ['callgate-api: accept', 'callgate-api: start', 'callgate-api: workflow call']
const ofItsSending = ['callgate-worker: send', 'callgate-worker: settle']
const byHttp = 'callgate-api: POST /api/v1/:app/:endpoint'

test('a call is one trace, from the client’s own over both processes to its end; and nothing of what it says is in it', async () => {
  const user = await gateway.user()
  const contact = await firstContact(user)
  const { id, span, headers } = trace()
  const note = { contact_id: contact, note: 'Nobody traces this.' }
  const done = await user.call('add_contact_note', note, { ...headers, 'X-Callgate-Reason': 'Nor this' })
  expect(done.status).toBe(200)
  await expect.poll(() => named(id)).toEqual([byHttp, ...ofACall, ...ofItsSending])
  const spans = new Map(spansOf(id).map((one) => [one.name, one]))
  const parent = (name: string) => spans.get(name)?.parentSpanId
  const http = spans.get('POST /api/v1/:app/:endpoint')?.spanId
  expect(parent('POST /api/v1/:app/:endpoint')).toBe(span)
  expect([parent('accept'), parent('start')]).toEqual([http, http])
  expect([parent('workflow call'), parent('send')]).toEqual([spans.get('start')?.spanId, spans.get('start')?.spanId])
  expect(parent('settle')).toBe(spans.get('send')?.spanId)

  const all = sent.join('')
  expect(all).toContain(String(done.headers.get('x-request-id')))
  expect([...paths]).toEqual(['POST /v1/traces'])
  const [cookie] = user.account.seeded.session.cookies
  for (const secret of ['Nobody traces', 'Nor this', contact, user.key, user.email, cookie?.value ?? '?'])
    expect(all.includes(secret), secret).toBe(false)
})

test('so is a tool’s call, and one that waits for its person, to the end of its sending', async () => {
  const user = await gateway.user()
  const contact = await firstContact(user)
  const [tool, asked] = [trace(), trace()]
  const params = {
    name: 'read_action',
    arguments: { app: 'property-advertising', action: 'list_listings', input: { limit: 1 } },
  }
  const answer = await send(`${gateway.publicUrl}/mcp`, user.key, {
    method: 'tools/call',
    params,
    headers: tool.headers,
  })
  expect(answer.status).toBe(200)
  const message = { contact_id: contact, message: 'Waits' }
  const waiting = await user.call('reply_to_contact', message, asked.headers)
  expect(waiting.status).toBe(202)
  await user.approve(waiting.body['call_id'])
  expect(await user.record(waiting.body['call_id'], 20)).toMatchObject({ status: 'executed' })
  await expect.poll(() => named(asked.id)).toEqual([byHttp, ...ofACall, ...ofItsSending])
  const byTool = 'callgate-api: POST /mcp'
  await expect.poll(() => named(tool.id)).toEqual([byTool, ...ofACall, ...ofItsSending])
})

test('who does not want to be traced is not, and what is no trace begins one of its own', async () => {
  const user = await gateway.user()
  const quiet = trace(false)
  expect((await user.call('list_listings', { limit: 1 }, quiet.headers)).status).toBe(200)
  const strange = await user.call('list_listings', { limit: 1 }, { traceparent: '00-zz-<script>-01' })
  expect(strange.status).toBe(200)
  const id = String(strange.headers.get('x-request-id'))
  await expect.poll(() => sent.join('').includes(id)).toBe(true)
  expect(spansOf(quiet.id)).toEqual([])
  expect(sent.join('')).not.toContain('script')
})
