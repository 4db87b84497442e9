/** A secret's placeholder: `SECRET.sessionid`. URL, HTML and JSON encoding leave it unchanged. */
export function placeholder(name: string, count = 1): string {
  const word = name.replaceAll(/[^\w-]+/g, '_')
  return count === 1 ? `SECRET.${word}` : `SECRET.${word}.${count}`
}

export function isPlaceholder(value: string): boolean {
  return /^SECRET\.[\w.-]+$/.test(value)
}

/** Whether to replace a value everywhere. Short ones (`en`, `dark-mode`) can also be data. */
export function looksRandom(value: string): boolean {
  return value.length >= 16 || (value.length >= 8 && /\d/.test(value))
}

/** Assigns placeholders to a recording's secrets, one per value. */
export class Secrets {
  readonly #names = new Map<string, string>()
  readonly #counts = new Map<string, number>()

  /** Returns the value's placeholder, based on the secret's name. */
  hide(name: string, value: string): string {
    if (value === '' || isPlaceholder(value)) return value
    const known = this.#names.get(value)
    if (known !== undefined) return known
    const word = placeholder(name)
    const count = (this.#counts.get(word) ?? 0) + 1
    this.#counts.set(word, count)
    this.#names.set(value, placeholder(name, count))
    return placeholder(name, count)
  }

  /** The text with every random-looking secret replaced, however it is encoded. */
  hidden(text: string): string {
    const written = [...this.#names]
      .filter(([value]) => looksRandom(value))
      .flatMap(([value, name]) => waysToWrite(value).map((way) => [way, name] as const))
      .toSorted(([a], [b]) => b.length - a.length)
    return written.reduce((hidden, [way, name]) => hidden.replaceAll(way, name), text)
  }
}

function waysToWrite(value: string): readonly string[] {
  const decoded = decodedOf(value)
  const plain = [...new Set([value, decoded])]
  return [...new Set(plain.flatMap((one) => [one, inQuery(one), encodeURIComponent(one), inJson(one), ...inHtml(one)]))]
}

function decodedOf(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch (error) {
    if (error instanceof URIError) return value
    throw error
  }
}

function inQuery(value: string): string {
  return new URLSearchParams({ '': value }).toString().slice(1)
}

function inJson(value: string): string {
  return JSON.stringify(value).slice(1, -1)
}

function inHtml(value: string): readonly string[] {
  const escaped = value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
  return [
    escaped.replaceAll("'", '&#x27;'),
    escaped.replaceAll("'", '&#39;').replaceAll('+', '&#43;'),
    escaped.replaceAll('+', '&#x2B;'),
  ]
}
