/** Reserved words, and properties that every object has. */
const reserved = new Set(
  'arguments await break case catch class const constructor continue debugger default delete do else enum eval export extends false finally for function hasownproperty if implements import in instanceof interface let new null of package private protected prototype public return static super switch this throw true try typeof undefined var void while with yield cursor limit input fields before anchor values page number'.split(
    ' ',
  ),
)

/** A text as a safe TypeScript literal. */
export function quoted(text: string): string {
  const escaped = text.replaceAll(/['\\]|[\p{C}\u2028\u2029]/gu, (one) => {
    if (one === '\n') return String.raw`\n`
    return one === "'" || one === '\\' ? `\\${one}` : `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`
  })
  return `'${escaped}'`
}

/** A property name in an object literal. A plain `__proto__` would set the prototype. */
export function keyOf(name: string): string {
  if (/^[a-z_$][\w$]*$/i.test(name) && name !== '__proto__') return name
  return name === '__proto__' ? `[${quoted(name)}]` : quoted(name)
}

/** `name: value` in an object literal, or the shorthand. */
export function property(name: string, value: string): string {
  return name === value && keyOf(name) === name ? name : `${keyOf(name)}: ${value}`
}

/** Escapes a text for a regular expression. */
export function inPattern(text: string): string {
  return text.replaceAll(/[^\w-]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** An input or output name: `Order no.` is `order_no`. Undefined: no usable letters. */
export function nameOf(text: string): string | undefined {
  const words = text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[_\d]+|_+$/g, '')
    .slice(0, 40)
    .replace(/_+$/, '')
  if (words === '') return undefined
  return reserved.has(words) || reserved.has(words.replaceAll('_', '')) ? `the_${words}` : words
}

/** Makes names unique. */
export class Names {
  readonly #taken = new Set<string>()

  take(wanted: string | undefined, otherwise = 'value'): string {
    const base = wanted ?? otherwise
    let name = base
    for (let count = 2; this.#taken.has(name); count++) name = `${base}_${count}`
    this.#taken.add(name)
    return name
  }

  has(name: string): boolean {
    return this.#taken.has(name)
  }
}

/** A label from a name: `order_id` → `Order`. */
export function labelOf(name: string): string {
  const words = name.replace(/_id$/, '').replaceAll('_', ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The singular of a plural noun. */
export function singular(word: string): string {
  if (/(?:ss|us|is)$/.test(word)) return word
  if (word.endsWith('ies')) return word.replace(/ies$/, 'y')
  if (/(?:ches|shes|xes|sses)$/.test(word)) return word.replace(/es$/, '')
  return word.replace(/s$/, '')
}

/** One short line without anything that would end a comment or a Markdown passage. */
export function plainly(text: string, most = 80): string {
  const line = text
    .replaceAll(/[^\p{L}\p{N} .,:;/?=&%()+'_-]+/gu, ' ')
    .replaceAll(/\s+|\/(?=\*)|(?<=\*)\//g, ' ')
    .trim()
  return line.length > most ? `${line.slice(0, most)}…` : line
}
