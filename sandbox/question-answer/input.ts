import { isRecord } from '../platform/body.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { imageAddresses } from './markdown.ts'

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

/** The fields of a form: none but these, each once. */
export function readForm({ form }: SignedIn, known: readonly string[]): Record<string, string> {
  const names = [...form.keys()]
  onlyKnown(names, ['seal', ...known])
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

function readWords(value: unknown, field: string, limit: number): string {
  const text = readText(value, field, limit)
  if (text.trim() === '') throw invalid('TEXT_REQUIRED', `${field} is required.`, field)
  return text
}

/** What people write: Markdown, whose pictures lie somewhere in the web. */
export function readMarkdown(value: unknown, field: string): string {
  const text = readWords(value, field, 20_000)
  if (imageAddresses(text).some((address) => !/^https?:\/\/[^/\s]+/.test(address))) {
    throw invalid('IMAGE_NOT_BY_ADDRESS', 'Pictures must be given by their http(s) address.', field)
  }
  return text
}

/** One line that ends in a question mark, of whatever script. */
export function readWording(value: unknown): string {
  const wording = readWords(value, 'wording', 250)
  if (!/[?？؟]\s*$/.test(wording)) throw invalid('NO_QUESTION_MARK', 'A question ends with a question mark.', 'wording')
  return wording
}

export function readOption<const T extends string>(value: unknown, field: string, options: readonly T[]): T {
  const option = options.find((one) => one === value)
  if (option === undefined) throw invalid('OPTION_INVALID', `${field} must be one of ${options.join(', ')}.`, field)
  return option
}
