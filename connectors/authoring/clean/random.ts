/** A thing's name as people and programs write it: `rye-bread`, `order-2031`, `42`. */
const slug = /^(?:\d{1,18}|[a-z]+(?:[-_][a-z]+)*(?:[-_]?\d{1,6})?)$/i
/** Up to four words run together, as pages of apps are called: `RecentChanges`. */
const runTogether = /^(?:[A-Z]?(?=[a-z]*[aeiouy])[a-z]{2,12})(?:[A-Z](?=[a-z]*[aeiouy])[a-z]{2,11}){0,3}$/
const moment = /^\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** Whether nobody would have chosen this value: it looks made by chance, such as a key, a nonce or a UUID. */
export function isRandom(value: string): boolean {
  if (value.length < 8 || /[\s<>"']/.test(value) || slug.test(value) || moment.test(value)) return false
  if (uuid.test(value)) return true
  return value
    .split(/[-_.=/+~:,;|]+/)
    .some((part) => part.length >= 8 && switches(part) >= 3 && !runTogether.test(part))
}

/** How often letters of one case and digits take turns in it. */
function switches(part: string): number {
  const kinds = part.split('').map((one) => (/\d/.test(one) ? 0 : one === one.toUpperCase() ? 1 : 2))
  return kinds.filter((kind, at) => at > 0 && kind !== kinds[at - 1]).length
}

/** Such values in a text, each once. */
export function randomIn(text: string): readonly string[] {
  const words = text.match(/[A-Za-z0-9_+/~.-]{8,}={0,2}/g) ?? []
  return [...new Set(words.filter(isRandom))]
}
