import { describe, expect, test } from 'vitest'
import { loadApps } from '../../connectors/registry.ts'
import { isFields } from '../../connectors/kit/wire.ts'
import type { Fields } from '../../connectors/kit/wire.ts'

/** What somebody writes in words of their own: a text, empty where nothing was written. */
const writings = new Set(
  `answer appointment_notes body camper_message client_notes comment description general grooming last_message
  medical message note notes personality preview reason scope_of_work special_instructions story summary text title`.split(
    /\s+/,
  ),
)

/** Nullable although of such a name. */
const stated: readonly string[] = [
  // The documents say so.
  'photo-gallery.list_favorites.favorites[].comment',
  // Nobody has left it empty: there is none of it, or it is no text.
  'teacher-marketplace.list_buyer_questions.questions[].answer',
  'travel-booking.get_cancellation_quote.reason',
]

interface Output {
  /** `app.endpoint.list[].field`. */
  readonly at: string
  readonly name: string
  readonly schema: Fields
}

function* inside(schema: unknown, at: string): Generator<Output> {
  if (!isFields(schema)) return
  const properties = isFields(schema['properties']) ? schema['properties'] : {}
  for (const [name, property] of Object.entries(properties)) {
    if (isFields(property)) yield { at: `${at}.${name}`, name, schema: property }
    yield* inside(property, `${at}.${name}`)
  }
  yield* inside(schema['items'], `${at}[]`)
  for (const option of Array.isArray(schema['anyOf']) ? schema['anyOf'] : []) yield* inside(option, at)
}

const outputs = loadApps({ sandboxUrl: 'http://localhost:8090' }).all.flatMap((app) =>
  [...app.endpoints.values()].flatMap((endpoint) => [...inside(endpoint.outputSchema, `${app.slug}.${endpoint.name}`)]),
)
const isNullable = ({ schema: { anyOf } }: Output): boolean =>
  Array.isArray(anyOf) && anyOf.some((option) => isFields(option) && option['type'] === 'null')
const places = (found: readonly Output[]): string[] => [...new Set(found.map(({ at }) => at))]

describe('what an app does not have', () => {
  test('is an empty text where somebody could have written something', () => {
    const nullable = outputs.filter((output) => writings.has(output.name) && isNullable(output))
    expect(places(nullable)).toEqual(stated)
  })

  test('is null everywhere else, never an empty text', () => {
    const said = (output: Output): string => String(output.schema['description'])
    const empty = outputs.filter(
      (output) =>
        output.schema['type'] === 'string' && !writings.has(output.name) && /\bempty\b|""/i.test(said(output)),
    )
    expect(places(empty)).toEqual([])
  })
})
