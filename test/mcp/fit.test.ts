import fc from 'fast-check'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, it } from 'vitest'
import { cutFrom, cutTo, leftOut, withinCeiling } from '../../api/mcp/ceiling.ts'
import { chosenOf, wrongFields } from '../../api/mcp/fields.ts'
import { countOf, sizeOf, valueAt } from '../../api/mcp/fit.ts'
import { loadApps } from '../../connectors/registry.ts'

const room = 3_000
const text = fc
  .tuple(fc.constantFrom('x', 'é', '予', '👍', '"', '\u0007'), fc.nat(1_500))
  .map(([one, n]) => one.repeat(n))
const leaf = fc.oneof(fc.integer(), fc.string(), text)
const name = fc.oneof(fc.string({ minLength: 1, maxLength: 9 }), fc.constant('with.dots'))
const fieldsOf = <T>(value: fc.Arbitrary<T>, maxKeys: number) =>
  fc.dictionary(name, value, { minKeys: 1, maxKeys, noNullPrototype: true })
const inner = fc.oneof(leaf, fc.array(leaf, { maxLength: 6 }), fieldsOf(leaf, 6))
const output = fieldsOf(fc.oneof(inner, fc.array(inner, { maxLength: 20 }), fieldsOf(inner, 12)), 10)

/** Every number and every character of a value, each with its place; `from`: how many of the value's own were skipped. */
function leaves(value: unknown, at: string, from = 0): string[] {
  const below = (key: string) => (at === '' ? key : `${at}.${key}`)
  if (typeof value === 'string') return value.split('').map((unit, place) => `${at}[${from + place}] ${unit}`)
  if (Array.isArray(value)) return value.flatMap((item, place) => leaves(item, below(String(from + place))))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, item]) => leaves(item, below(key)))
  return typeof value === 'number' ? [`${at} ${value}`] : []
}

it('whatever is left out can be read on, until all of it was read once, in bounded answers', () => {
  fc.assert(
    fc.property(output, (whole) => {
      const first = cutTo(whole, room, 'read on')
      const read = leaves(first.value, '')
      const open = [...(first.note?.parts ?? [])]
      const sizes = [sizeOf(first.value) + sizeOf(first.note)]
      for (let part = open.shift(); part !== undefined; part = open.shift()) {
        const found = valueAt(whole, part.at)
        expect(countOf(found)).toBe(part.of)
        const next = cutFrom(found, room, part, 'read on')
        read.push(...leaves(next.value, part.at, part.from))
        open.push(...(next.note?.parts ?? []))
        // No character is cut in two.
        expect(JSON.stringify(next.value)).not.toMatch(/\\ud[89a-f]/)
        sizes.push(sizeOf(next.value) + sizeOf(next.note))
        expect(sizes.length).toBeLessThan(3_000)
      }
      expect(Math.max(...sizes)).toBeLessThanOrEqual(room)
      expect(read.toSorted()).toEqual(leaves(whole, '').toSorted())
    }),
    // Values of this size are not made smaller step by step in any useful time.
    { numRuns: 100, endOnFailure: true },
  )
})

it('a long list is cut at an item, and what is small stays', () => {
  const listings = Array.from({ length: 500 }, (_, at) => ({ listing_id: `l${at}`, title: 'x'.repeat(100) }))
  const body = withinCeiling({ total: 500, listings, next_cursor: 'c' }, 'go on.')
  const shown = body['listings'] as unknown[]
  expect(Object.keys(body)).toEqual([leftOut, 'total', 'listings', 'next_cursor'])
  expect(shown).toEqual(listings.slice(0, shown.length))
  expect(body[leftOut]).toEqual({
    parts: [{ at: 'listings', from: shown.length, of: 500 }],
    message: 'This is not all of it: go on.',
  })
  expect(sizeOf(body)).toBeLessThanOrEqual(24_000)
  expect(sizeOf(body)).toBeGreaterThan(22_000)
})

it('a body that fits is left as it is', () => {
  const body = { text: 'x'.repeat(23_900) }
  expect(withinCeiling(body, 'go on.')).toEqual(body)
})

it('in other scripts a character counts for more', () => {
  const names = Array.from({ length: 1_000 }, () => '予約の確認')
  expect(sizeOf(withinCeiling({ names }, 'go on.'))).toBeLessThanOrEqual(24_000)
})

it('ids and times, which models read in more tokens than words, fill an answer sooner', () => {
  const slots = Array.from({ length: 600 }, (_, at) => ({
    start_at: `2026-11-27T${10 + (at % 12)}:${10 + (at % 45)}:00+02:00`,
    team_member_id: `ddd92843-5a04-49bc-ac54-bcc7186549${10 + (at % 90)}`,
    team_member: 'Aino Mäkelä',
  }))
  const body = withinCeiling({ slots }, 'go on.')
  expect((body['slots'] as unknown[]).length).toBeGreaterThan(100)
  expect(encode(JSON.stringify(body)).length).toBeLessThanOrEqual(6_600)
})

it('fields are chosen through lists, in the order of the output', () => {
  const output = {
    total: 2,
    items: [
      { id: 1, at: { day: 'a', hour: 2 } },
      { id: 2, at: null },
    ],
    next_cursor: null,
  }
  expect(chosenOf(output, ['next_cursor', 'items.at.day'])).toEqual({
    items: [{ at: { day: 'a' } }, { at: null }],
    next_cursor: null,
  })
  expect(chosenOf(output, ['items.at', 'items'])).toEqual({ items: output.items })
  expect(chosenOf(output, undefined)).toBe(output)
})

it('a field that the output cannot have is refused with those that it can', () => {
  const { all } = loadApps({ sandboxUrl: 'http://localhost:8090' })
  const schema = all.find(({ slug }) => slug === 'property-advertising')!.endpoints.get('list_listings')!.outputSchema
  expect(wrongFields(schema, ['listings.listing_id', 'next_cursor', 'listings'])).toEqual([])
  // Of an output that comes in one page, too.
  const { outputSchema } = all.find(({ slug }) => slug === 'camping-host')!.endpoints.get('list_reviews')!
  expect(wrongFields(outputSchema, ['reviews.text', 'next_cursor'])).toEqual([])
  expect(wrongFields(outputSchema, ['reviews.next_cursor'])).toHaveLength(1)
  const [wrong, deep] = wrongFields(schema, ['listing', 'listings.listing_id.x'])
  expect(wrong).toMatchObject({ path: 'fields.0', message: expect.stringContaining('listings') as string })
  expect(deep).toMatchObject({ path: 'fields.1', message: expect.stringContaining('has no fields') as string })
})

it('no output has the field that says what was left out', () => {
  const { all } = loadApps({ sandboxUrl: 'http://localhost:8090' })
  for (const { endpoints } of all)
    for (const { outputSchema } of endpoints.values()) expect(JSON.stringify(outputSchema)).not.toContain(leftOut)
})
