import { dateValue } from './date-value.ts'
import { isNumber } from './decimal.ts'

/**
 * The sanitized value of an `<input>`: browsers correct what does not fit the type.
 * Source: https://html.spec.whatwg.org/multipage/input.html#value-sanitization-algorithm
 */
export function inputValue(type: string, given: string, attributes: Readonly<Record<string, string>>): string {
  const line = given.replaceAll(/[\r\n]/g, '')
  switch (type) {
    case 'hidden':
      return given
    case 'email':
      return attributes['multiple'] === undefined ? trimmed(line) : line.split(',').map(trimmed).join(',')
    case 'url':
      return trimmed(line)
    case 'number':
      return isNumber(given) ? given : ''
    case 'range':
      return inRange(given, attributes)
    case 'color':
      return color(given) ?? '#000000'
    case 'date':
    case 'month':
    case 'week':
    case 'time':
      return dateValue(type, given) === undefined ? '' : given
    case 'datetime-local':
      if (dateValue(type, given) === undefined) return ''
      return given
        .replace(' ', 'T')
        .replace(/\.0+$|(\.\d*?)0+$/, '$1')
        .replace(/(:\d\d):00$/, '$1')
    default:
      return line
  }
}

/** Whether `other` is how a browser writes the value `one`. */
export function isSameValue(type: string, one: string, other: string): boolean {
  if (one === other) return true
  if (type === 'color') return one.toLowerCase() === other
  if (type === 'range') return isNumber(one) && Number(one) === Number(other)
  return type === 'datetime-local' && other !== '' && dateValue(type, one) === dateValue(type, other)
}

const trimmed = (text: string): string => text.replaceAll(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, '')

/** Browsers accept every CSS color; only hexadecimal ones are supported here. */
export function color(text: string): string | undefined {
  const digits = /^#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/.exec(trimmed(text).toLowerCase())?.[1]
  return digits && `#${(digits.length < 6 ? digits.replaceAll(/./g, '$&$&') : digits).slice(0, 6)}`
}

/** A slider always has a value: the middle by default. */
function inRange(given: string, attributes: Readonly<Record<string, string>>): string {
  const [min, max] = [numberOr(attributes['min'], 0), numberOr(attributes['max'], 100)]
  const step = numberOr(attributes['step'], 1)
  const wanted = isNumber(given) ? Number(given) : max < min ? min : min + (max - min) / 2
  const bound = Math.max(min, Math.min(wanted, Math.max(min, max)))
  if (attributes['step'] === 'any' || step <= 0) return String(bound)
  const steps = Math.min(Math.round((bound - min) / step), Math.floor((Math.max(min, max) - min) / step))
  return String(Number((min + steps * step).toPrecision(12)))
}

function numberOr(text: string | undefined, other: number): number {
  return text !== undefined && isNumber(text) ? Number(text) : other
}
