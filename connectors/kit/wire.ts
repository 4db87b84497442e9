/** Unchecked fields of an app's answer; the output schema validates what `decode` makes of them. */
export type Fields = Readonly<Record<string, unknown>>

/**
 * The app's answer has an unexpected shape. Operators read the message: it names what was expected
 * and never quotes the app. `found`: the actual value, never shown; it only helps to locate it.
 */
export class UnknownShape extends Error {
  override readonly name = 'UnknownShape'
  /** Where in the answer, if already known. */
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

/** For apps that send '' for a missing text: '' becomes null. */
export function textOrNull(value: unknown): string | null {
  return text(value) === '' ? null : text(value)
}

export function nullableText(value: unknown): string | null {
  return value === null ? null : text(value)
}

/** A finite number, or one written as text: `"1250.50"`. */
export function number(value: unknown): number {
  const result = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof result !== 'number' || !Number.isFinite(result)) throw new UnknownShape('not a number', value)
  return result
}

/** A boolean. A missing value throws and never counts as false. */
export function flag(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new UnknownShape('neither true nor false', value)
  return value
}

/** Translates an app's word with the table; an unknown word is an `UnknownShape`. */
export function word(table: Readonly<Record<string, string>>, value: unknown): string {
  const found = Object.hasOwn(table, text(value)) ? table[text(value)] : undefined
  if (found === undefined) throw new UnknownShape('not a known word', value)
  return found
}
