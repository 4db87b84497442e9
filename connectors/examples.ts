import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { isFields } from './kit/wire.ts'

/** A call that works on a fresh sandbox, and its answer. */
export interface Example {
  readonly input: Readonly<Record<string, unknown>>
  readonly output: Readonly<Record<string, unknown>>
}

const dayMs = 86_400_000
const read = new Map<string, Readonly<Record<string, unknown>>>()

/** An endpoint's recorded example, dates shifted as if the sandbox was reset on `today` (UTC). */
export function exampleOf(app: string, endpoint: string, today: Date): Example | undefined {
  const stored = storedExamples(app)[endpoint]
  if (!isFields(stored)) return undefined
  const { input, output } = stored
  return { input: { ...asFields(shifted(input, today)) }, output: { ...asFields(shifted(output, today)) } }
}

/**
 * The raw file. A date is an offset from the day of the reset: `{ "$date": days }` or
 * `{ "$datetime": days, "time": … }`. A text that begins with a date is
 * `{ "$date": days, "rest": " morning" }`.
 */
export function storedExamples(app: string): Readonly<Record<string, unknown>> {
  const known = read.get(app)
  if (known) return known
  const file = path.join(import.meta.dirname, app, 'examples.json')
  const content: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const examples = asFields(content)
  read.set(app, examples)
  return examples
}

/** The file's text: one line per endpoint, so that a diff shows which calls changed. */
export function examplesText(examples: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(examples).map(([name, example]) => `${JSON.stringify(name)}: ${JSON.stringify(example)}`)
  return `{\n${lines.join(',\n')}\n}\n`
}

function asFields(value: unknown): Readonly<Record<string, unknown>> {
  return isFields(value) ? value : {}
}

/** Turns offsets into dates. */
export function shifted(value: unknown, today: Date): unknown {
  if (Array.isArray(value)) return value.map((item) => shifted(item, today))
  if (!isFields(value)) return value
  const { $date, $datetime, time, rest = '' } = value
  if (typeof $date === 'number') return `${dayAt($date, today)}${String(rest)}`
  if (typeof $datetime === 'number' && typeof time === 'string') return `${dayAt($datetime, today)}T${time}`
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shifted(item, today)]))
}

/** Turns dates into offsets. */
export function unshifted(value: unknown, today: Date): unknown {
  if (Array.isArray(value)) return value.map((item) => unshifted(item, today))
  if (isFields(value))
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, unshifted(item, today)]))
  const found =
    typeof value === 'string'
      ? /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))|( .+))?$/.exec(value)
      : null
  if (!found) return value
  const days = Math.round((Date.parse(`${found[1]}T00:00:00Z`) - midnight(today)) / dayMs)
  if (found[2] !== undefined) return { $datetime: days, time: found[2] }
  return found[3] === undefined ? { $date: days } : { $date: days, rest: found[3] }
}

function midnight(today: Date): number {
  return Math.floor(today.getTime() / dayMs) * dayMs
}

function dayAt(days: number, today: Date): string {
  return new Date(midnight(today) + days * dayMs).toISOString().slice(0, 10)
}
