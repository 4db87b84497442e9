/** A readable name: `rye-bread`, `order-2031`, `42`. */
const slug = /^(?:\d{1,18}|[a-z]+(?:[-_][a-z]+)*(?:[-_]?\d{1,6})?)$/i
/** Up to four words without a separator, as in page names: `RecentChanges`. */
const runTogether = /^(?:[A-Z]?(?=[a-z]*[aeiouy])[a-z]{2,12})(?:[A-Z](?=[a-z]*[aeiouy])[a-z]{2,11}){0,3}$/
const moment = /^\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** Whether a value looks random, such as a key, a nonce or a UUID. */
export function isRandom(value: string): boolean {
  if (value.length < 8 || /[\s<>"']/.test(value) || slug.test(value) || moment.test(value)) return false
  if (uuid.test(value)) return true
  return value
    .split(/[-_.=/+~:,;|]+/)
    .some((part) => part.length >= 8 && switches(part) >= 3 && !runTogether.test(part))
}

/** Number of changes between upper case, lower case and digits. */
function switches(part: string): number {
  const kinds = part.split('').map((one) => (/\d/.test(one) ? 0 : one === one.toUpperCase() ? 1 : 2))
  return kinds.filter((kind, at) => at > 0 && kind !== kinds[at - 1]).length
}

/** The random values in a text, without duplicates. */
export function randomIn(text: string): readonly string[] {
  const words = text.match(/[A-Za-z0-9_+/~.-]{8,}={0,2}/g) ?? []
  return [...new Set(words.filter(isRandom))]
}
