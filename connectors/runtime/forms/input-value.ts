/**
 * What an `<input>` has as its value when its page is opened: browsers correct what does not fit the type.
 * Source: https://html.spec.whatwg.org/multipage/input.html#value-sanitization-algorithm
 */
export function inputValue(type: string, attributes: Readonly<Record<string, string>>): string {
  const given = attributes['value'] ?? ''
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
      return /^#[\da-f]{6}$/i.test(given) ? given.toLowerCase() : '#000000'
    case 'date':
      return fitting(given, /^\d{4,}-\d\d-\d\d$/)
    case 'month':
      return fitting(given, /^\d{4,}-\d\d$/)
    case 'week':
      return fitting(given, /^\d{4,}-W\d\d$/)
    case 'time':
      return fitting(given, /^\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?$/)
    case 'datetime-local':
      return fitting(given, /^\d{4,}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?$/)
        .replace(' ', 'T')
        .replace(/(T\d\d:\d\d):00(?:\.0+)?$/, '$1')
    default:
      return line
  }
}

const trimmed = (text: string): string => text.replaceAll(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, '')

const fitting = (text: string, form: RegExp): string => (form.test(text) ? text : '')

function isNumber(text: string): boolean {
  return /^-?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text)
}

/** A slider always stands somewhere: in the middle, where nothing else is said. */
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
