import type { JSX } from 'preact'

/**
 * What a reader must not miss: emoji stay as they are; long empty stretches, everything that cannot be seen or that reorders
 * the line (many of the same in one piece), and words for the look-alike check.
 */
const parts =
  /(?<emoji>\p{RGI_Emoji})|(?<stretch>\n{5,}| {9,})|(?<hidden>(?<one>[[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]--[ \n]])(?:\k<one>{8,})?)|(?<word>[[\p{L}\p{M}\p{N}]--\p{Default_Ignorable_Code_Point}]+)/gv

const names: Readonly<Record<string, string>> = {
  '\t': 'tab',
  '\r': 'carriage return',
  '\0': 'null character',
  '\u00a0': 'no-break space',
  '\u00ad': 'soft hyphen',
  '\u200b': 'zero-width space',
  '\u200c': 'zero-width non-joiner',
  '\u200d': 'zero-width joiner',
  '\u200e': 'left-to-right mark',
  '\u200f': 'right-to-left mark',
  '\u202a': 'left-to-right embedding',
  '\u202b': 'right-to-left embedding',
  '\u202c': 'end of embedding or override',
  '\u202d': 'left-to-right override',
  '\u202e': 'right-to-left override',
  '\u2066': 'left-to-right isolate',
  '\u2067': 'right-to-left isolate',
  '\u2068': 'first strong isolate',
  '\u2069': 'end of isolate',
  '\ufeff': 'byte order mark',
}

const scripts = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Georgian', 'Hebrew', 'Arabic'].map(
  (name) => ({ name, letters: new RegExp(`\\p{Script=${name}}`, 'u') }),
)

/** So many marks of a text say what they are about; further ones are only marks, so that no text makes a page that nobody can open. */
const explained = 200

/** Foreign text as it is, but nothing in it stays invisible, reorders the line or passes for other letters. */
export function Text({ value }: { value: string }): JSX.Element {
  let marks = 0
  return (
    <bdi>
      {Array.from(split(value), (part) =>
        typeof part === 'string' ? (
          part
        ) : ++marks > explained ? (
          <Bare part={part} />
        ) : part.kind === 'word' ? (
          <>
            <mark title={part.note}>{part.text}</mark>
            <span class="char">{part.note}</span>
          </>
        ) : (
          <>
            <span class="char" title={part.note}>
              {part.text}
            </span>
            {part.breaks ? '\n' : ''}
          </>
        ),
      )}
    </bdi>
  )
}

function Bare({ part: { kind, text, breaks } }: { part: Marked }): JSX.Element {
  if (kind === 'word') return <mark>{text}</mark>
  return (
    <>
      <span class="char">{text.split(' ')[0]}</span>
      {breaks ? '\n' : ''}
    </>
  )
}

/** Whether anything in a JSON value had to be made visible. */
export function hasMarks(value: unknown): boolean {
  if (typeof value === 'string') {
    for (const part of split(value)) if (typeof part !== 'string' && part.suspicious) return true
    return false
  }
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, inner]) => hasMarks(name) || hasMarks(inner))
}

/** What nobody sees in a field to type in. */
const unseen =
  /(?<emoji>\p{RGI_Emoji})|[[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]--[ \n\r\t\u00a0]]/gv

/** Whether a text in a JSON value would look different in a field to type in from what it is. */
export function hasUnseen(value: unknown): boolean {
  if (typeof value === 'string')
    return Array.from(value.matchAll(unseen)).some(({ groups }) => groups?.['emoji'] === undefined)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasUnseen)
}

/** JSON that says the same, with escapes for what nobody would see. */
export function legibleJson(json: string): string {
  const escaped = (text: string): string =>
    text
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('')
  return json.replaceAll(unseen, (text, emoji: string | undefined) => emoji ?? escaped(text))
}

interface Marked {
  readonly kind: 'char' | 'word'
  readonly text: string
  readonly note: string
  readonly suspicious: boolean
  readonly breaks?: boolean
}

function* split(value: string): Generator<string | Marked, undefined> {
  const text = value.replaceAll('\r\n', '\n')
  const disguised = disguises.filter(({ letters, plain }) => text.match(letters)?.every((one) => plain.includes(one)))
  let end = 0
  for (const match of text.matchAll(parts)) {
    const marked = mark(match, disguised)
    if (marked === undefined) continue
    if (match.index > end) yield text.slice(end, match.index)
    yield marked
    end = match.index + match[0].length
  }
  if (end < text.length) yield text.slice(end)
}

function mark(match: RegExpExecArray, disguised: readonly Disguise[]): Marked | undefined {
  const { stretch, hidden, one = '', word } = match.groups ?? {}
  if (stretch !== undefined) {
    const breaks = stretch.startsWith('\n')
    const note = `${stretch.length} ${breaks ? 'line breaks' : 'spaces'}`
    return { kind: 'char', text: note, note, suspicious: true, breaks }
  }
  if (hidden !== undefined) {
    const code = `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
    const note = names[one] ?? 'a character that cannot be seen'
    const harmless = one === '\t' || one === '\u00a0'
    const shown = harmless ? note : names[one] === undefined ? code : `${code} ${note}`
    const count = hidden.length / one.length
    return { kind: 'char', text: count === 1 ? shown : `${shown}, ${count} times`, note, suspicious: !harmless }
  }
  const note = word === undefined ? undefined : lookAlike(word, disguised)
  return note === undefined ? undefined : { kind: 'word', text: word ?? '', note, suspicious: true }
}

/** Letters of a script, and those that pass for Latin ones. A text with no others is hardly written in that script. */
interface Disguise {
  readonly name: string
  readonly letters: RegExp
  readonly plain: string
}

const disguises: readonly Disguise[] = [
  { name: 'Cyrillic', letters: /\p{Script=Cyrillic}/gu, plain: 'асеорхуіѕјһԁԛԝӏАВСЕНІЈКМОРЅТХУӀԚԜ' },
  { name: 'Greek', letters: /\p{Script=Greek}/gu, plain: 'ονιαυρΑΒΕΖΗΙΚΜΝΟΡΤΥΧ' },
]

/** Why a word of a text may not be what it looks like, if so. */
function lookAlike(word: string, disguised: readonly Disguise[]): string | undefined {
  if (/^[\x20-\x7e]*$/.test(word)) return undefined
  const mixed = scripts.filter(({ letters }) => letters.test(word)).map(({ name }) => name)
  if (mixed.length > 1) return `mixes ${mixed.slice(0, -1).join(', ')} and ${mixed.at(-1)} letters`
  const disguise = disguised.find(({ name }) => name === mixed[0])
  if (disguise !== undefined) return `${disguise.name} letters that look like Latin ones`
  const letters = word.replaceAll(/[^\p{L}]|[ªº]/gu, '')
  const plain = letters.normalize('NFKC')
  return plain !== letters && /^[a-z]+$/i.test(plain) ? 'not the plain letters it looks like' : undefined
}
