// Control characters, invisible and bidirectional marks, line separators, lone surrogates.
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu
const unseenInLines = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** An author's or app's text as one line that cannot move a cursor or hide; also valid in JSON. */
export function plainLine(text: string): string {
  return text.replaceAll(unseen, escaped)
}

/** The same for multi-line text that the gateway itself laid out. */
export function plainLines(text: string): string {
  return text.replaceAll(unseenInLines, escaped)
}

// Multi-line text and joiners are legitimate in requests; cursor moves and bidi controls never are.
const disguising = /(?![\n\r\t])[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/u

/** A connector's fields that are written for people. All else may contain anything. */
const forPeople = new Set([
  'ask',
  'brief',
  'button',
  'description',
  'facts',
  'headline',
  'label',
  'labels',
  'role',
  'summary',
  'title',
  'topics',
])

/** Path of a text for people with a character that could disguise the rest; undefined: none. */
export function disguisedAt(data: unknown, at = '', isForPeople = false): string | undefined {
  if (typeof data === 'string') return isForPeople && disguising.test(data) ? at : undefined
  if (typeof data !== 'object' || data === null) return undefined
  for (const [name, value] of Object.entries(data)) {
    const place = at === '' ? plainLine(name) : `${at}.${plainLine(name)}`
    const found = disguisedAt(value, place, forPeople.has(name) || (isForPeople && typeof value === 'string'))
    if (found !== undefined) return found
  }
  return undefined
}

export function isPlainLine(text: string): boolean {
  return plainLine(text) === text
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => {
    return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`
  }).join('')
}
