import type { EndpointDefinition, Segment } from './define.ts'
import { InputRejected } from './failures.ts'
import { kindKey } from './inputs.ts'
import { UnknownShape, isFields } from './wire.ts'
import type { Fields } from './wire.ts'

/**
 * Returns `answered` if it is the requested id, else throws `UnknownShape`: an answer about another
 * entity says nothing about the request, nor about what a write did. Not needed where the output
 * has the input's own name: the runtime compares those.
 */
export function same(asked: string, answered: unknown): string {
  if (typeof answered !== 'string' || plain(answered) !== plain(asked)) throw new UnknownShape('about another one')
  return answered
}

/** Some apps accept 007 for 7 and return 7. */
export function plain(id: string): string {
  return id.replaceAll(/(?<!\d)0+(?=\d)/g, '')
}

/** First output field whose id differs from the input of the same name and kind, if any. */
export function nameOfAnother(
  definition: EndpointDefinition,
  input: Fields,
  output: Fields,
  origin: string,
): string | undefined {
  const isAnother = ([name, schema]: [string, unknown]): boolean => {
    const [asked, answered] = [input[name], output[name]]
    if (typeof asked !== 'string' || typeof answered !== 'string' || plain(asked) === plain(answered)) return false
    const kind = kindOf(schema)
    if (kind === undefined || kind !== kindOf(definition.input.properties[name])) return false
    // One URL can be written in several ways.
    const segment = definition.segments[name]
    return segment === undefined || standsFor(segment, asked, origin) !== standsFor(segment, answered, origin)
  }
  return Object.entries(definition.output.properties).find(isAnother)?.[0]
}

function standsFor(segment: Segment, value: string, origin: string): string | undefined {
  try {
    return JSON.stringify(segment(value, origin))
  } catch (error) {
    if (error instanceof InputRejected) return undefined
    throw error
  }
}

function kindOf(schema: unknown): unknown {
  if (!isFields(schema)) return undefined
  const { [kindKey]: kind, anyOf } = schema
  return kind ?? (Array.isArray(anyOf) ? anyOf.map(kindOf).find((one) => one !== undefined) : undefined)
}
