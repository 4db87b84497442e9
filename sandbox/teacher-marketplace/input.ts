import { isRecord } from '../platform/body.ts'
import { Refusal, type AppRequest, type SignedIn } from '../platform/types.ts'
import { readUsDay } from './clock.ts'
import { centsOf } from './money.ts'

export const invalid = (code: string, message: string, field: string): Refusal => new Refusal(422, code, message, field)

function onlyKnown(names: Iterable<string>, known: readonly string[]): void {
  for (const name of names) {
    if (!known.includes(name)) throw invalid('FIELD_UNKNOWN', `There is no field ${name} here.`, name)
  }
}

/** The fields of a JSON body: none but these. */
export function readBody({ json }: SignedIn, known: readonly string[]): Record<string, unknown> {
  if (!isRecord(json)) throw new Refusal(400, 'BODY_INVALID', 'The body must be a JSON object.')
  onlyKnown(Object.keys(json), known)
  return json
}

/** The fields of a form: none but these, each once but for those that may be repeated. */
export function readForm(
  { form }: AppRequest,
  known: readonly string[],
  repeated: readonly string[] = [],
): Record<string, string> {
  const names = [...form.keys()].filter((name) => !repeated.includes(name))
  onlyKnown(names, ['hall_pass', ...known])
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw invalid('FIELD_REPEATED', `Give ${twice} once.`, twice)
  return Object.fromEntries(form)
}

/** A text as it was sent; '' where there is none. */
export function readText(value: unknown, field: string, limit: number): string {
  if (value === undefined) return ''
  if (typeof value !== 'string') throw invalid('TEXT_INVALID', `${field} must be a text.`, field)
  if (Array.from(value).length > limit) {
    throw invalid('TEXT_TOO_LONG', `${field} may have ${limit} characters at most.`, field)
  }
  return value
}

/** A text that says something. */
export function readWords(value: unknown, field: string, limit: number): string {
  const text = readText(value, field, limit)
  if (text.trim() === '') throw invalid('FIELD_REQUIRED', `${field} is required.`, field)
  return text
}

export function readLine(value: unknown, field: string, limit: number): string {
  const text = readText(value, field, limit)
  if (/[\r\n]/.test(text)) throw invalid('TEXT_INVALID', `${field} must be a single line.`, field)
  return text
}

/** Nothing at all, or from 95 cents to a thousand dollars. */
export function readDollars(value: unknown, field: string): number {
  if (value === undefined) throw invalid('FIELD_REQUIRED', `${field} is required.`, field)
  const cents = typeof value === 'string' ? centsOf(value) : undefined
  if (cents === undefined) throw invalid('MONEY_INVALID', `${field} must be an amount such as $12.50.`, field)
  if (cents !== 0 && (cents < 95 || cents > 100_000)) {
    throw invalid('MONEY_OUT_OF_BOUNDS', `${field} must be $0.00, or from $0.95 to $1,000.00.`, field)
  }
  return cents
}

/** A list of different texts; of those that there are, where only some are allowed. */
export function readMany(value: unknown, field: string, limit: number, allowed?: readonly string[]): string[] {
  if (!Array.isArray(value)) throw invalid('LIST_INVALID', `${field} must be a list of texts.`, field)
  const texts = value.map((item: unknown) => readWords(readLine(item, field, 40), field, 40))
  if (texts.length > limit) throw invalid('LIST_TOO_LONG', `${field} may have ${limit} at most.`, field)
  if (new Set(texts).size < texts.length) throw invalid('LIST_REPEATS', `${field} has something twice.`, field)
  const strange = texts.find((text) => allowed && !allowed.includes(text))
  if (strange !== undefined) throw invalid('CHOICE_UNKNOWN', `There is no ${strange} among our ${field}.`, field)
  return texts
}

export function readOption<const T extends string>(value: unknown, field: string, options: readonly T[]): T {
  const option = options.find((one) => one === value)
  if (option === undefined) throw invalid('OPTION_INVALID', `${field} must be one of ${options.join(', ')}.`, field)
  return option
}

export function readDayField(value: string | undefined, field: string): string {
  const day = readUsDay(value ?? '')
  if (day === undefined) throw invalid('DAY_INVALID', `${field} must be a day such as 02/28/2026.`, field)
  return day
}
