import { describe, expect, test } from 'vitest'
import { Type } from 'typebox'
import { endpoint } from '../../connectors/kit/define.ts'
import { closed, cursor, day, defaulted, id, limit, nextCursor, oneOf } from '../../connectors/kit/inputs.ts'
import { openCursor, sealCursor } from '../../connectors/runtime/cursor.ts'
import { bound, cursorKey, http, rawApp, shop, talk } from './local-app.ts'

const search = bound({
  search: endpoint({
    summary: 'Search.',
    label: 'Search',
    brief: [],
    access: 'read',
    request: 'GET /search/{area}',
    input: {
      area: id('area', 'The area.'),
      status: defaulted(oneOf(['active', 'inactive'], 'Which.'), 'active'),
      since: Type.Optional(day('From when on.')),
      price: Type.Optional(Type.Number({ minimum: 0, description: 'Price.' })),
      sold: Type.Optional(Type.Boolean({ description: 'Sold ones too.' })),
      tags: Type.Optional(Type.Array(Type.String(), { minItems: 1, uniqueItems: true, description: 'Tags.' })),
      near: Type.Optional(closed({ lat: Type.Number({ description: 'Latitude.' }) })),
      title: Type.Optional(Type.String({ maxLength: 5, description: 'Title.' })),
      limit: limit(50),
      cursor,
    },
    output: { next_cursor: nextCursor },
  }),
})('search')

const invite = bound({
  invite: endpoint({
    summary: 'Invite.',
    label: 'Invite',
    brief: [],
    effect: 'adds',
    shownBy: [],
    access: 'write',
    request: 'POST /invitations',
    input: {
      days: Type.Array(day('A day.'), { minItems: 1, maxItems: 31, uniqueItems: true, description: 'Days.' }),
      guests: Type.Optional(
        Type.Array(
          closed({
            name: Type.String({ description: 'Name.' }),
            tags: Type.Optional(Type.Array(Type.String(), { maxItems: 3, uniqueItems: true, description: 'Tags.' })),
          }),
          { maxItems: 20, description: 'Guests.' },
        ),
      ),
      everybody: Type.Optional(Type.Literal(true, { description: 'Everybody.' })),
    },
    output: {},
  }),
})('invite')

function details(value: unknown, asked = search): Record<string, string> {
  const parsed = asked.parseInput(value, { cursorKey })
  return parsed.ok ? {} : Object.fromEntries(parsed.details.map(({ path, message }) => [path, message]))
}

describe('an input', () => {
  test('comes back with the defaults filled in, and the given value stays as it was', () => {
    const given = { area: 'x' }
    const parsed = search.parseInput(given, { cursorKey })
    expect(parsed).toEqual({ ok: true, input: { area: 'x', status: 'active', limit: 50 } })
    expect(given).toEqual({ area: 'x' })
  })

  const cases: [string, unknown, Record<string, string>][] = [
    ['that misses a field names it', {}, { area: 'is required: The area.' }],
    [
      'with a misspelt field names the closest one',
      { area: 'x', limt: 3 },
      {
        limt: 'is not a field here. Did you mean limit? Fields: area, status, since, price, sold, tags, near, title, limit, cursor.',
      },
    ],
    [
      'with a field that stands within another names its place',
      { area: 'x', lat: 1 },
      {
        lat: 'is not a field here. Did you mean near.lat? Fields: area, status, since, price, sold, tags, near, title, limit, cursor.',
      },
    ],
    [
      'with a word that is not listed lists them',
      { area: 'x', status: 'all' },
      { status: 'must be one of: active, inactive' },
    ],
    [
      'with a number as text says so',
      { area: 'x', limit: '5' },
      { limit: 'must be a whole number from 1 to 100, not a text' },
    ],
    ['below the bound says the bounds', { area: 'x', limit: 0 }, { limit: 'must be a whole number from 1 to 100' }],
    ['above the bound says the bounds', { area: 'x', limit: 101 }, { limit: 'must be a whole number from 1 to 100' }],
    ['with half a number says so', { area: 'x', limit: 1.5 }, { limit: 'must be a whole number from 1 to 100' }],
    [
      'with an endless number says so',
      { area: 'x', price: Number.POSITIVE_INFINITY },
      { price: 'must be a finite number of at least 0' },
    ],
    [
      'with null says to leave it out',
      { area: 'x', since: null },
      { since: 'must be a day that exists, written YYYY-MM-DD, not null; leave the field out instead' },
    ],
    [
      'with a day that does not exist says so',
      { area: 'x', since: '2026-02-30' },
      { since: 'must be a day that exists, written YYYY-MM-DD' },
    ],
    ['with an empty list says so', { area: 'x', tags: [] }, { tags: 'must be a list of at least 1 items' }],
    [
      'with a wrong item names its place',
      { area: 'x', tags: ['a', 3] },
      { 'tags.1': 'must be a text, not the number 3' },
    ],
    [
      'with a wrong inner field names its place',
      { area: 'x', near: { lat: 1, lng: 2 } },
      { 'near.lng': 'is not a field here. Did you mean lat? Fields: lat.' },
    ],
    [
      'with half a surrogate pair is refused',
      { area: 'x', title: '\ud800' },
      { title: 'must be well-formed Unicode: it has half a surrogate pair' },
    ],
    [
      'with a null character is refused',
      { area: 'x', tags: ['a\0'] },
      { 'tags.0': 'must not contain the character U+0000' },
    ],
    ['with an item twice says so', { area: 'x', tags: ['a', 'b', 'a'] }, { tags: 'must not have the same item twice' }],
    [
      'that would leave its address segment is refused',
      { area: '../x' },
      { area: 'is no identifier: it must not be dots only or contain / \\ % or line breaks' },
    ],
    ['that is a list is refused', [], { '': 'must be an object, not a list' }],
    ['that is null is refused', null, { '': 'must be an object, not null; leave the field out instead' }],
    [
      'with several faults names each',
      { area: 1, limit: 0 },
      {
        area: 'must be a text from 1 to 200 characters, not the number 1',
        limit: 'must be a whole number from 1 to 100',
      },
    ],
  ]
  test.each(cases)('%s', (_name, value, expected) => {
    expect(details(value)).toEqual(expected)
  })

  test('at each bound is accepted', () => {
    for (const value of [{ limit: 1 }, { limit: 100 }, { price: 0 }, { title: 'ÄÖÜßé' }, { status: 'inactive' }])
      expect(details({ area: 'x', ...value })).toEqual({})
    expect(details({ area: 'x', title: '123456' })).toHaveProperty('title')
  })
})

describe('an input that is far too large', () => {
  const days = 'must be a list from 1 to 31 items'

  test('is refused at once: a long list is not searched for what is in it twice', () => {
    const many: readonly unknown[] = Array.from({ length: 500_000 }, () => 0)
    const began = process.cpuUsage()
    expect(details({ days: many }, invite)).toEqual({ days })
    expect(details({ days: ['2026-01-01'], guests: [{ name: 'a', tags: many }, { name: 'b' }] }, invite)).toEqual({
      'guests.0.tags': 'must be a list of at most 3 items',
    })
    expect(details({ days: many, guests: many }, invite)).toEqual({
      days,
      guests: 'must be a list of at most 20 items',
    })
    expect(process.cpuUsage(began).user / 1_000, 'ms of a processor').toBeLessThan(5_000)
  })

  test('is told in a few words, however many of its lists are too long', () => {
    const guests = Array.from({ length: 20 }, () => ({ name: 'a', tags: ['a', 'b', 'c', 'd'] }))
    expect(Object.keys(details({ days: ['2026-01-01'], guests }, invite))).toHaveLength(8)
  })

  test('is refused for its number of fields, wherever they are', () => {
    const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, 0]))
    const told = 'must not have more than 2000 fields'
    expect(details(fields(2_001), invite)).toEqual({ '': told })
    expect(details({ days: ['2026-01-01'], guests: [fields(2_001)] }, invite)).toEqual({ 'guests.0': told })
    expect(Object.keys(details(fields(2_000), invite))).toContain('f0')
  })
})

describe('fields that nobody knows', () => {
  const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `other_${at}`)
  const unknown = (count: number) => Object.fromEntries(names(count).map((name) => [name, 1]))

  test.each([1, 7, 8, 9, 1_000])('are named, be there %d of them', (count) => {
    const told = details({ days: ['2026-01-01'], ...unknown(count) }, invite)
    const first = names(Math.min(count, 8))
    expect(Object.keys(told)).toEqual(first)
    for (const name of first) expect(told[name]).toBe('is not a field here. Fields: days, guests, everybody.')
  })

  test.each([1, 7, 8, 9, 1_000])('are named beside the field that is missing, be there %d of them', (count) => {
    const told = details(unknown(count), invite)
    expect(told['days']).toBe('is required: Days.')
    expect(Object.keys(told)).toEqual(['days', ...names(Math.min(count, 7))])
  })

  test.each([7, 8, 9, 1_000])('are named where they are, be there %d of them', (count) => {
    const told = details({ days: ['2026-01-01'], guests: [{ name: 'a' }, { name: 'b', ...unknown(count) }] }, invite)
    expect(Object.keys(told)).toEqual(names(Math.min(count, 8)).map((name) => `guests.1.${name}`))
    expect(told['guests.1.other_0']).toBe('is not a field here. Fields: name, tags.')
  })
})

test('a field that has one value only says which', () => {
  expect(details({ days: ['2026-01-01'], everybody: false }, invite)).toEqual({ everybody: 'must be true' })
})

describe('the query of a GET', () => {
  const parse = (query: string) => search.parseQuery(new URLSearchParams(query))

  test('is read by the types of the inputs', () => {
    expect(parse('area=7&limit=20&sold=false&tags=a&tags=b&near=%7B%22lat%22%3A1.5%7D&price=1e3&title=12')).toEqual({
      ok: true,
      value: { area: '7', limit: 20, sold: false, tags: ['a', 'b'], near: { lat: 1.5 }, price: 1000, title: '12' },
      inexact: [],
    })
    expect(parse('tags=a')).toEqual({ ok: true, value: { tags: ['a'] }, inexact: [] })
    expect(parse('')).toEqual({ ok: true, value: {}, inexact: [] })
    expect(parse('price=0.10000000000000001&near=%7B%22lat%22%3A9007199254740993%7D')).toMatchObject({
      inexact: ['price', 'near.lat'],
    })
  })

  test('of thousands of unknown names is told a few of them', () => {
    const parsed = parse(Array.from({ length: 5_000 }, (_, at) => `other_${at}=1`).join('&'))
    expect(parsed.ok ? [] : parsed.details.map(({ path }) => path)).toEqual(
      Array.from({ length: 8 }, (_, at) => `other_${at}`),
    )
  })

  test.each([
    ['a scalar given twice', 'limit=1&limit=2', 'limit'],
    ['the same scalar twice', 'area=a&area=a', 'area'],
    ['an empty number', 'limit=', 'limit'],
    ['a number with a space', 'limit=+5', 'limit'],
    ['a hexadecimal number', 'price=0x10', 'price'],
    ['a boolean that is neither true nor false', 'sold=1', 'sold'],
    ['an object that is no JSON', 'near=lat', 'near'],
    ['an unknown name', 'q=1', 'q'],
    ['a name of the language', '__proto__=1', '__proto__'],
  ])('with %s is refused', (_name, query, path) => {
    expect(parse(query)).toMatchObject({ ok: false, details: [{ path }] })
  })
})

describe('a cursor', () => {
  const list = shop('list_items')
  const parse = (token: string) => list.parseInput({ cursor: token }, { cursorKey })
  const place = { anchor: 'page:2', input: {} }
  const good = sealCursor(cursorKey, 'shop.list_items', place)

  test('leads on from where the app left off, and does not tell what it holds to the app', async () => {
    await using app = await rawApp(
      (_request, socket, count) =>
        void socket.write(http(200, JSON.stringify({ all: [`i${count}`], more: count === 1 ? 'tok=2&x' : null }))),
    )
    const first = await talk(app.origin, list, { limit: 1 })
    const output = first.outcome.kind === 'ok' ? first.outcome.output : {}
    const parsed = list.parseInput({ limit: 1, cursor: output['next_cursor'] }, { cursorKey })
    expect(parsed.ok).toBe(true)
    const second = await talk(app.origin, list, parsed.ok ? parsed.input : {})
    expect(app.requests[1]).toMatch(/^GET \/shop\/items\?after=tok%3D2%26x&n=1 HTTP/)
    expect(second.outcome).toEqual({ kind: 'ok', output: { items: ['i2'], next_cursor: null } })
  })

  test('of another account does not begin the list again, nor go on with it', async () => {
    await using app = await rawApp((_request, socket) => void socket.write(http(200, '{"all":[],"more":null}')))
    const cursor = sealCursor(cursorKey, 'shop.list_items', { ...place, account: 'acct_other' })
    const { outcome, sent } = await talk(app.origin, list, { limit: 1, cursor })
    expect([outcome, sent]).toEqual([expect.objectContaining({ kind: 'rejected', appCode: 'CURSOR_INVALID' }), false])
    expect(app.requests).toEqual([])
  })

  test('that was given out is accepted', () => {
    expect(parse(good).ok).toBe(true)
    expect(openCursor(cursorKey, 'shop.list_items', good)).toEqual(place)
  })

  test('that is no longer good is refused before anything is sent: it does not begin the list again', async () => {
    await using app = await rawApp((_request, socket) => void socket.write(http(200, '{"all":[],"more":null}')))
    const { outcome, sent } = await talk(app.origin, list, { limit: 1, cursor: 'of-the-time-before' })
    expect([outcome, sent]).toEqual([expect.objectContaining({ kind: 'rejected', appCode: 'CURSOR_INVALID' }), false])
    expect(app.requests).toEqual([])
  })

  test.each([
    ['made up', 'abc'],
    ['empty', ''],
    ['long enough but made up', 'A'.repeat(60)],
    ['of another endpoint', sealCursor(cursorKey, 'shop.list_orders', place)],
    ['of another key', sealCursor(Buffer.alloc(32, 8), 'shop.list_items', place)],
    ['with one character changed', `${good.slice(0, -1)}${good.endsWith('A') ? 'B' : 'A'}`],
    ['with something added', `${good}AA`],
    ['without its beginning', good.slice(4)],
    ['with padding', `${good}=`],
    ['too long to be read', sealCursor(cursorKey, 'shop.list_items', { ...place, anchor: 'x'.repeat(50_000) })],
  ])('that is %s is refused and named', (_name, token) => {
    expect(parse(token)).toMatchObject({ ok: false, details: [{ path: 'cursor' }] })
  })
})

describe('the cursor of a list with inputs', () => {
  const first = { area: 'x', status: 'active', tags: ['a', 'b'], near: { lat: 1 } }
  const cursor = sealCursor(cursorKey, 'shop.search', { anchor: 'page:2', input: first })
  const other = "is not what the cursor's first page was asked with; leave it out or repeat it"

  test.each([{}, first, { status: 'active' }, { tags: ['a', 'b'], near: { lat: 1 } }])(
    'stands for what it is of, with %j',
    (repeated) => {
      const input = { ...first, limit: 50, cursor }
      expect(search.parseInput({ ...repeated, cursor }, { cursorKey })).toEqual({ ok: true, input })
      expect(search.parseInput({ ...repeated, cursor, limit: 3 }, { cursorKey })).toEqual({
        ok: true,
        input: { ...input, limit: 3 },
      })
    },
  )

  test.each([
    [{ status: 'inactive' }, { status: other }],
    [
      { area: 'y', tags: ['b', 'a'] },
      { area: other, tags: other },
    ],
    [{ near: { lat: 2 } }, { near: other }],
    [{ since: '2026-01-01' }, { since: other }],
    [{ status: 5 }, { status: 'must be one of: active, inactive, not the number 5' }],
    [{ limit: 0 }, { limit: 'must be a whole number from 1 to 100' }],
    [{ are: 'x' }, { are: expect.stringContaining('is not a field here. Did you mean area?') }],
  ])('does not go with %j', (given, expected) => {
    expect(details({ ...given, cursor })).toEqual(expected)
  })
})

test('what has a default is never asked for, however it was written', () => {
  const of = Type.Object({ size: Type.Integer({ default: 3 }), name: Type.String() })
  const read = endpoint({
    summary: 'Read.',
    label: 'Read',
    brief: [],
    access: 'read',
    request: 'GET /things',
    input: {
      of,
      all: Type.Boolean({ default: true }),
      parts: Type.Array(Type.Object({ n: Type.Integer({ default: 1 }) })),
    },
    output: {},
  })
  const reading = bound({ read })('read')
  const { inputSchema } = reading
  expect(inputSchema['required']).toEqual(['of', 'parts'])
  expect(inputSchema['properties']).toMatchObject({ of: { required: ['name'] } })
  expect(JSON.stringify(inputSchema)).not.toContain('"required":["n"]')
  const parsed = reading.parseInput({ of: { name: 'x' }, parts: [{}] }, { cursorKey })
  expect(parsed).toEqual({ ok: true, input: { of: { name: 'x', size: 3 }, all: true, parts: [{ n: 1 }] } })
})
