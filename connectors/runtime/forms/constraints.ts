import { Script, createContext } from 'node:vm'
import { UnknownShape } from '../../kit/wire.ts'
import { dateScales, dateValue } from './date-value.ts'
import { isBetweenSteps, isLess, isNumber } from './decimal.ts'
import { inputValue, isSameValue } from './input-value.ts'
import { inOneLine } from './tree.ts'

/**
 * Browsers' validation of a field. Returns what it must be, after "Give it"; undefined: valid.
 * Source: https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#constraints
 */
interface Field {
  readonly type: string
  readonly attributes: Readonly<Record<string, string>>
}

const texts = new Set(['text', 'search', 'tel', 'url', 'email', 'password'])
/** In characters; each pattern is compiled. */
const longestPattern = 10_000
const patternMs = 1_000

const forms: Readonly<Record<string, string>> = {
  email: 'as an email address',
  url: 'as a whole address with its scheme, such as https://example.com/',
  number: 'as a plain number such as 12 or 12.5',
  range: 'as a number that the slider can stand at',
  color: 'as a colour such as #3366ff',
  date: 'as a date such as 2026-11-27',
  month: 'as a month such as 2026-11',
  week: 'as a week such as 2026-W48',
  time: 'as a time such as 10:30',
  'datetime-local': 'as a date and time such as 2026-11-27T10:30',
}

/** A value that a browser would rewrite. */
export function asTaken({ type, attributes }: Field, value: string): string | undefined {
  if (type === 'textarea' || isSameValue(type, value, inputValue(type, value, attributes))) return undefined
  if (/[\r\n]/.test(value) && texts.has(type)) return 'in one line, without line breaks'
  if (type === 'email' || type === 'url') return 'without spaces around it'
  return forms[type]
}

/** Length limits of what users type; a value from the page itself may have any length. */
export function asTyped({ type, attributes }: Field, value: string, isValidated: boolean): string | undefined {
  if (!texts.has(type) && type !== 'textarea') return undefined
  const { length } = value.replaceAll(/\r\n?/g, '\n')
  const [least, most] = [wholeNumber(attributes['minlength']), wholeNumber(attributes['maxlength'])]
  if (most !== undefined && length > most) return `with at most ${most} characters`
  const isShort = isValidated && least !== undefined && length > 0 && length < least
  return isShort ? `with at least ${least} characters` : undefined
}

/** The checks that browsers make on submit. */
export function asSent(field: Field, value: string): string | undefined {
  if (value === '') return undefined
  const { type, attributes } = field
  const values = type === 'email' && attributes['multiple'] !== undefined ? value.split(',') : [value]
  if (type === 'email' && !values.every((one) => emailForm.test(one)))
    return values.length > 1 ? 'as email addresses' : forms['email']
  if (type === 'url' && !URL.canParse(value)) return forms['url']
  if (texts.has(type)) return asPattern(attributes, values)
  return asBounded(field, value)
}

/** Whether the field must not be empty. */
export function isRequired({ type, attributes }: Field): boolean {
  if (attributes['required'] === undefined || attributes['readonly'] !== undefined) return false
  return !['hidden', 'range', 'color'].includes(type)
}

/** Users cannot change it. Other types have no readonly state. */
export function isReadOnly({ type, attributes }: Field): boolean {
  const knows = type === 'textarea' || type === 'number' || texts.has(type) || Object.hasOwn(dateScales, type)
  return knows && attributes['readonly'] !== undefined
}

function wholeNumber(text: string | undefined): number | undefined {
  const [, digits] = /^[\t\n\f\r ]*(?:\+?(\d+)|-0+(?!\d))/.exec(text ?? '') ?? []
  return digits === undefined ? undefined : Number(digits)
}

const emailForm =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i

function asPattern({ pattern, title }: Field['attributes'], values: readonly string[]): string | undefined {
  if (pattern === undefined || matches(pattern, values)) return undefined
  const words = inOneLine(title ?? '') || pattern
  return `in the form that is asked for there (${words.slice(0, 200)})`
}

/** The pattern is the page's: only a script timeout stops a search that backtracks forever. */
const search = new Script('((form) => values.every((value) => form.test(value)))(new RegExp(source, "v"))')
const room = createContext({})

function matches(pattern: string, values: readonly string[]): boolean {
  if (pattern.length > longestPattern) throw new UnknownShape('a pattern of the form is too long')
  try {
    // A pattern that is invalid alone is ignored: `a)(b` would be valid inside a group.
    void new RegExp(pattern, 'v')
  } catch {
    return true
  }
  try {
    Object.assign(room, { source: `^(?:${pattern})$`, values })
    return search.runInContext(room, { timeout: patternMs }) === true
  } catch (error) {
    throw new UnknownShape('a pattern of the form takes too long, or is too big', error)
  }
}

function asBounded({ type, attributes }: Field, value: string): string | undefined {
  const number = (text: string | undefined): string | undefined => {
    if (text === undefined) return undefined
    if (type === 'number') return isNumber(text) ? text : undefined
    return dateValue(type, text)?.toString()
  }
  const { min, max, step } = attributes
  const [at, least, most] = [number(value), number(min), number(max)]
  if (at === undefined) return undefined
  const [under, over] = [least !== undefined && isLess(at, least), most !== undefined && isLess(most, at)]
  const isReversed = type === 'time' && least !== undefined && most !== undefined && isLess(most, least)
  if (isReversed ? under && over : under || over) return bounds(type, least && min, most && max)
  if (step?.toLowerCase() === 'any') return undefined
  const base = least ?? number(attributes['value'])
  const scale = dateScales[type]
  const size = stepOf(step, type)
  const unit = scale ? Number(size) * scale.unit : size
  if (!isBetweenSteps(at, base ?? String(scale?.base ?? 0), String(unit), !scale)) return undefined
  const from = base === undefined ? '' : ` from ${least === undefined ? attributes['value'] : min}`
  return scale ? `in steps of ${size} ${scale.word}${size === '1' ? '' : 's'}${from}` : `in steps of ${size}${from}`
}

function bounds(type: string, min: string | undefined, max: string | undefined): string {
  if (min === undefined) return `as ${max} or ${type === 'number' ? 'less' : 'earlier'}`
  if (max === undefined) return `as ${min} or ${type === 'number' ? 'more' : 'later'}`
  return `from ${min} to ${max}`
}

/** The size of a step, in the type's units. */
function stepOf(step: string | undefined, type: string): string {
  const scale = dateScales[type]
  if (step === undefined || !isNumber(step) || Number(step) <= 0) return String(scale?.units ?? 1)
  if (!scale) return step
  // Times go down to milliseconds, the others to whole units.
  const parts = scale.unit === 1000 ? 1000 : 1
  return String(Math.max(Math.round(Number(step) * parts), 1) / parts)
}
