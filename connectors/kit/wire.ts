/** Fields of an app's answer, not yet checked: the output schema checks what is made of them. */
export type Fields = Readonly<Record<string, unknown>>

/**
 * The app answered in a shape that the connector does not know. Operators read the message: it says what was looked for, and nothing that
 * the app said. `found`: what was there instead, which is never shown; it only helps to find the place.
 */
export class UnknownShape extends Error {
  override readonly name = 'UnknownShape'
  /** Where in the answer, when that is known already. */
  readonly where?: string
  readonly #found: readonly unknown[]

  constructor(message: string, ...found: readonly [] | readonly [unknown]) {
    super(message)
    this.#found = found
  }

  isOf(value: unknown): boolean {
    return this.#found.some((found) => Object.is(found, value))
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function fields(value: unknown): Fields {
  if (!isFields(value)) throw new UnknownShape('not an object', value)
  return value
}

export function rows(value: unknown): readonly Fields[] {
  if (!Array.isArray(value)) throw new UnknownShape('not a list', value)
  return value.map(fields)
}

export function text(value: unknown): string {
  if (typeof value !== 'string') throw new UnknownShape('not a text', value)
  return value
}

/** Of an app that leaves a text empty where it has nothing: null then. */
export function textOrNull(value: unknown): string | null {
  return text(value) === '' ? null : text(value)
}

export function nullableText(value: unknown): string | null {
  return value === null ? null : text(value)
}

/** A finite number, also one written as text: `"1250.50"`. */
export function number(value: unknown): number {
  const result = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof result !== 'number' || !Number.isFinite(result)) throw new UnknownShape('not a number', value)
  return result
}

/** Yes or no, and never a no that is only missing. */
export function flag(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new UnknownShape('neither true nor false', value)
  return value
}

/** The gateway's word for one of the app's: an unknown one is an unknown shape. */
export function word(table: Readonly<Record<string, string>>, value: unknown): string {
  const found = Object.hasOwn(table, text(value)) ? table[text(value)] : undefined
  if (found === undefined) throw new UnknownShape('not a known word', value)
  return found
}
