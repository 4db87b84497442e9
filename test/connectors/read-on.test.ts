import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sealCursor } from '../../connectors/runtime/cursor.ts'
import { exampleOf } from '../../connectors/examples.ts'
import { loadApps } from '../../connectors/registry.ts'
import { isFields } from '../../connectors/kit/wire.ts'
import type { Fields } from '../../connectors/kit/wire.ts'
import { AppCaller, dayFromNow } from './app-caller.ts'

/** Lists whose recorded example has one page only, however small: what fills two. */
const longer: Readonly<Record<string, Fields>> = {
  'crm.list_clients': { query: 'a' },
  'invitations.list_contacts': { search: 'a' },
  'invitations.list_guests': { event_id: 'event_100190' },
  'property-advertising.list_contacts': { since: dayFromNow(-365) },
  'salon-booking.list_appointments': { from: dayFromNow(-30), to: dayFromNow(30), status: 'booked' },
  'salon-booking.list_clients': { search: 'a' },
  'salon-booking.list_payouts': { from: dayFromNow(-90) },
  'teacher-marketplace.list_sales': { from: dayFromNow(-300), to: dayFromNow(-1) },
  'tour-activity.list_bookings': { from: dayFromNow(-30), to: dayFromNow(30), status: 'all' },
  'tour-supplier.list_bookings': { from: dayFromNow(-30), to: dayFromNow(30), status: 'all' },
  'tour-supplier.list_reviews': { unanswered_only: true },
  'video-streaming.list_collections': { search: 'a' },
  'video-streaming.list_live_events': { search: 'a' },
  'video-streaming.list_videos': { search: 'a' },
}

/** The properties of the inputs of each list that is read page by page, by its app and its name. */
const lists = new Map<string, Map<string, Fields>>()
for (const { slug, endpoints } of loadApps({ sandboxUrl: 'http://localhost:8090' }).all)
  for (const { name, inputSchema } of endpoints.values()) {
    const { properties } = inputSchema
    if (!isFields(properties) || !('cursor' in properties)) continue
    lists.set(slug, (lists.get(slug) ?? new Map<string, Fields>()).set(name, properties))
  }

/** Another value that the input takes. */
function another(schema: unknown, value: unknown): unknown {
  const { type, format, enum: words, items } = isFields(schema) ? schema : {}
  if (Array.isArray(words)) return words.find((word) => word !== value)
  if (type === 'boolean') return value !== true
  if (type === 'array') return [another(items, undefined)]
  return format === 'date' ? '2020-02-29' : 'Another'
}

test('39 lists are read page by page', () => {
  expect([...lists.values()].reduce((sum, { size }) => sum + size, 0)).toBe(39)
})

describe.each([...lists])('of %s', (slug, endpoints) => {
  let app: AppCaller
  beforeAll(async () => {
    app = await AppCaller.open(slug)
  })
  afterAll(() => app.sandbox.close())

  test.each([...endpoints])('%s goes on with its cursor alone, and with no other filters', async (name, properties) => {
    const size = 'limit' in properties ? { limit: 1 } : {}
    const input = { ...(longer[`${slug}.${name}`] ?? exampleOf(slug, name, new Date())?.input), ...size }
    const { next_cursor: cursor, ...first } = await app.call(name, input)
    expect(cursor).toMatch(/^cur_[\w-]{22,}$/)
    const { next_cursor: next, ...second } = await app.call(name, { cursor, ...size })
    expect(second).not.toEqual(first)
    expect({ ...second, next_cursor: next }).toEqual(await app.call(name, { ...input, cursor }))
    for (const token of next === null ? [cursor] : [cursor, next])
      expect(app.parsed(name, { cursor: token, ...size })).toEqual(app.parsed(name, { ...input, cursor: token }))

    const kept = app.parsed(name, { cursor })
    for (const [field, schema] of Object.entries(properties)) {
      if (field === 'cursor' || field === 'limit') continue
      const other = another(schema, kept.ok ? kept.input[field] : undefined)
      expect(app.parsed(name, { cursor, [field]: other })).toEqual({
        ok: false,
        details: [
          {
            path: field,
            message: "is not what the cursor's first page was asked with; leave it out or repeat it",
          },
        ],
      })
    }
  })

  test.each([...endpoints.keys()])('%s takes no cursor of another list, and none that was altered', (name) => {
    const input = exampleOf(slug, name, new Date())?.input
    const seal = (endpoint: string) =>
      sealCursor(app.sandbox.cursorKey, endpoint, { anchor: '{}', input: isFields(input) ? input : {} })
    const own = seal(`${slug}.${name}`)
    expect(app.takes(name, { cursor: own })).toBe(true)
    const altered = [6, 30, own.length - 3].map(
      (at) => own.slice(0, at) + (own[at] === 'A' ? 'B' : 'A') + own.slice(at + 1),
    )
    for (const cursor of [seal(`${slug}.list_others`), seal(`other.${name}`), ...altered])
      expect(app.parsed(name, { ...input, cursor })).toMatchObject({ ok: false, details: [{ path: 'cursor' }] })
  })
})
