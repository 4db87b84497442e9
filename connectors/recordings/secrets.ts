/** What stands for a secret in a recording: `SECRET.sessionid`. Nothing rewrites it on its way, neither URLs nor HTML nor JSON. */
export function placeholder(name: string, count = 1): string {
  const word = name.replaceAll(/[^\w-]+/g, '_')
  return count === 1 ? `SECRET.${word}` : `SECRET.${word}.${count}`
}

export function isPlaceholder(value: string): boolean {
  return /^SECRET\.[\w.-]+$/.test(value)
}

/** Other values, such as `en` or `dark-mode`, stand in pages for other things, too: they are replaced only where they stand as a secret. */
export function looksRandom(value: string): boolean {
  return value.length >= 16 || (value.length >= 8 && /\d/.test(value))
}

/** Names a recording's secrets, each value by one name. */
export class Secrets {
  readonly #names = new Map<string, string>()

  /** What stands for this value, of what is called so. */
  hide(name: string, value: string): string {
    if (value === '' || isPlaceholder(value)) return value
    const known = this.#names.get(value)
    if (known !== undefined) return known
    const taken = new Set(this.#names.values())
    let count = 1
    while (taken.has(placeholder(name, count))) count++
    this.#names.set(value, placeholder(name, count))
    return placeholder(name, count)
  }

  /** A text in which placeholders stand for them, however they are written there. */
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
