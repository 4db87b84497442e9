import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { jsonToken } from '../../connectors/kit/csrf.ts'
import { endpoint } from '../../connectors/kit/define.ts'
import { exampleOf } from '../../connectors/examples.ts'
import { address } from '../../connectors/kit/request-line.ts'
import { InputRejected } from '../../connectors/kit/failures.ts'
import { exchange } from '../../connectors/runtime/exchange.ts'
import { loadApps } from '../../connectors/registry.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import { id } from '../../connectors/kit/inputs.ts'
import { fields, isFields } from '../../connectors/kit/wire.ts'
import { bound, cursorKey, http, rawApp, talk } from './local-app.ts'
import { ownOrigin } from '../../connectors/runtime/site.ts'

/** Texts that no app would give out, but that an agent may make up. */
const texts = [
  '0',
  '-1',
  'a',
  '..',
  'null',
  '[]',
  '{}',
  '{"a":1}',
  'eyJhIjoxfQ',
  '1.5',
  'NaN',
  '9'.repeat(30),
  'Ünïcode ﷽',
  ' ',
  "'; --",
  'https://example.com/x',
  '2026-02-30',
  '2026-01-01',
  '2026-01-01T00:00:00Z',
  '9999-12-31T23:59:59+14:00',
]

/** The example's input, with one of its texts, at any depth, replaced. */
function* altered(value: unknown, by: string): Generator<unknown> {
  if (typeof value === 'string') yield by
  else if (Array.isArray(value))
    for (const [at, item] of value.entries())
      for (const other of altered(item, by)) yield value.map((old: unknown, index) => (index === at ? other : old))
  else if (isFields(value))
    for (const [name, item] of Object.entries(value))
      for (const other of altered(item, by)) yield { ...value, [name]: other }
}

const { all: apps } = loadApps({ sandboxUrl: 'http://localhost:8090' })

/** What the connector makes of an input, with what it looks up being there or not. */
function encoded(endpoint: Endpoint, input: Readonly<Record<string, unknown>>, origin: string): void {
  const { definition } = endpoint
  const placed = Object.entries(input).map(([name, value]): [string, unknown] => {
    const segment = definition.segments[name]
    return [name, segment && typeof value === 'string' ? segment(value, origin) : value]
  })
  address(origin, definition.line.path, Object.fromEntries(placed))
  // Those that look something up find an empty page: exchange takes that for an app that has changed.
  if (definition.before === null) definition.encode(input, { anchor: null, now: new Date(), before: {} })
}

/** Inputs that the gateway let through to a connector. */
let sent = 0

const noQuestion = { code: 'ASK_NOT_FOUND', of: ['https://example.com/x'] }
/** What a connector refuses of it, and as what. Everything else it sends: it throws for nothing else, and as nothing else. */
const refusals: Readonly<Record<string, { readonly code: string; readonly of: readonly string[] }>> = {
  'question-answer.get_question': noQuestion,
  'question-answer.post_answer': noQuestion,
  // Ids of trips are its own: parts, with a dot between them.
  'travel-booking.book_trip': { code: 'TARIFF_NOT_FOUND', of: texts },
  'travel-booking.get_trip': { code: 'TRIP_NOT_FOUND', of: texts.filter((text) => text !== '1.5') },
}

describe.each(apps)('$slug', (app) => {
  const { endpoints } = app
  test.each([...endpoints.values()])('$name refuses a made-up text in words of its own, or sends it', (endpoint) => {
    const example = exampleOf(endpoint.app, endpoint.name, new Date())
    const refused: [string, string][] = []
    for (const text of texts)
      for (const input of altered(example?.input, text)) {
        const parsed = endpoint.parseInput(input, { cursorKey })
        if (!parsed.ok) continue
        sent += 1
        try {
          encoded(endpoint, parsed.input, ownOrigin(app))
        } catch (error) {
          if (!(error instanceof InputRejected)) throw error
          expect(error.message).toMatch(/^[A-Z].{20,}\.$/)
          refused.push([text, error.code])
        }
      }
    const { code, of } = refusals[`${endpoint.app}.${endpoint.name}`] ?? { code: '', of: [] }
    expect(refused).toEqual(of.map((text) => [text, code]))
  })
})

test('most endpoints were given something to refuse', () => {
  expect(sent).toBeGreaterThan(3000)
})

describe('whatever an app says before a write', () => {
  const lookingUp = apps.flatMap((app) =>
    [...app.endpoints.values()]
      .filter(({ access, csrf }) => access === 'write' && csrf !== null)
      .map((endpoint) => [`${app.slug}.${endpoint.name}`, endpoint] as const),
  )
  const pages = ['{}', '[]', 'null', '{"data":null}', '{"data":{}}', '<html>']

  test('ends it when the connector trips over what it looks up there', async () => {
    const rename = endpoint({
      summary: 'Rename an item.',
      label: 'Rename an item',
      brief: [],
      effect: 'changes',
      shownBy: [],
      access: 'write',
      request: 'POST /items/{item_id}',
      input: { item_id: id('item', 'From list_items.'), kind: Type.String({ description: 'Its kind, by name.' }) },
      output: { item_id: Type.String() },
      csrf: jsonToken({ page: '/form', field: 'token', header: 'x-token' }),
      before: '/form',
      encode: ({ kind }, { before }) => ({ json: { kind: fields(before['kinds'])[kind] } }),
    })
    await using app = await rawApp((_request, socket) => void socket.write(http(200, '{"token":"t","kinds":null}')))
    const result = await talk(app.origin, bound({ rename })('rename'), { item_id: '7', kind: 'tool' })
    expect(result).toMatchObject({ outcome: { kind: 'changed' }, sent: false })
    expect(app.requests.map((request) => request.split(' HTTP')[0])).toEqual(['GET /shop/form'])
  })

  test('ends it before its first byte, and never throws: a throw would be tried again without end', async () => {
    for (const page of pages) {
      const type = page.startsWith('<') ? 'text/html' : 'application/json'
      await using app = await rawApp((_request, socket) => socket.end(http(200, page, { 'content-type': type })))
      for (const [id, endpoint] of lookingUp) {
        const example = exampleOf(endpoint.app, endpoint.name, new Date())
        const parsed = endpoint.parseInput(example?.input, { cursorKey })
        if (!parsed.ok) throw new Error(`${id} has no input`)
        const result = await exchange({
          endpoint,
          input: parsed.input,
          origin: app.origin,
          session: { cookies: [], user_agent: null },
          cursorKey,
          fence: () => Promise.resolve(true),
        })
        // An address of its own app is one of the recorded example's.
        expect(['changed', 'rejected'], `${id} after ${page}: ${JSON.stringify(result)}`).toContain(result.outcome.kind)
        expect(result.sent, `${id} after ${page}`).toBe(false)
      }
    }
  })
})
