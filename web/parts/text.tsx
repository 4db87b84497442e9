import type { JSX } from 'preact'
import { isUnseenIn, replaceUnseen } from '../../schemas/unseen.ts'
import { linkHosts } from './link-hosts.ts'
import { lookAlikes, passesForDelimiter } from './look-alikes.ts'

/**
 * Finds what may deceive a reader: long blank runs, invisible and bidi characters (runs of one as
 * a single part), words for the look-alike check, and signs that may pass for URL delimiters.
 * Emoji stay as they are.
 */
const parts =
  /(?<emoji>\p{RGI_Emoji})|(?<stretch>\n{5,}| {9,})|(?<hidden>(?<one>[[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]--[ \n]])(?:\k<one>{8,})?)|(?<word>[[\p{L}\p{M}\p{N}]--\p{Default_Ignorable_Code_Point}]+)|(?<sign>[[\p{P}\p{S}]--[\x00-\x7f]])/gv

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

/** Marks beyond this number carry no explanation, which bounds the size of the page. */
const explained = 200

/** Untrusted text: nothing in it stays invisible, reorders the line or imitates other letters. */
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

/** The same as plain text, for places without markup such as an option. */
export function plainText(value: string): string {
  return Array.from(split(value), (part) =>
    typeof part === 'string' ? part : part.kind === 'word' ? `${part.text} [${part.note}]` : `[${part.text}]`,
  ).join('')
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

/** Whether a JSON value contains anything suspicious. */
export function hasMarks(value: unknown): boolean {
  if (typeof value === 'string') {
    for (const part of split(value)) if (typeof part !== 'string' && part.suspicious) return true
    return false
  }
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, inner]) => hasMarks(name) || hasMarks(inner))
}

/** Whether a text in a JSON value would look different in an input field. */
export function hasUnseen(value: unknown): boolean {
  if (typeof value === 'string') return isUnseenIn(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasUnseen)
}

/** Equivalent JSON, with invisible characters escaped. */
export function legibleJson(json: string): string {
  const escaped = (text: string): string =>
    text
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('')
  return replaceUnseen(json, escaped)
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
  const matches = Array.from(text.matchAll(parts))
  const words = matches.flatMap(({ index, groups }) =>
    groups?.['word'] === undefined ? [] : [{ index, text: groups['word'] }],
  )
  const notes = lookAlikes(text, words)
  const hosts = linkHosts(text)
  const ends = [...hosts.keys(), Infinity]
  let end = 0
  function* upTo(place: number): Generator<string | Marked, undefined> {
    for (let stop = ends[0] ?? Infinity; stop <= place; stop = ends[0] ?? Infinity) {
      if (stop === Infinity) break
      if (stop > end) yield text.slice(end, stop)
      end = Math.max(end, stop)
      const note = hosts.get(stop) ?? ''
      yield { kind: 'char', text: note, note: 'where the address leads', suspicious: true }
      ends.shift()
    }
    if (place > end) yield text.slice(end, place)
    end = Math.max(end, place)
  }
  for (const match of matches) {
    const marked = mark(match, text, notes)
    if (marked === undefined) continue
    yield* upTo(match.index)
    yield marked
    end = match.index + match[0].length
  }
  yield* upTo(text.length)
}

function mark(match: RegExpExecArray, text: string, notes: ReadonlyMap<number, string>): Marked | undefined {
  const { stretch, hidden, one = '', word, sign } = match.groups ?? {}
  if (stretch !== undefined) {
    const breaks = stretch.startsWith('\n')
    const note = `${stretch.length} ${breaks ? 'line breaks' : 'spaces'}`
    return { kind: 'char', text: note, note, suspicious: true, breaks }
  }
  if (hidden !== undefined) {
    const code = codeOf(one)
    const note = names[one] ?? 'a character that cannot be seen'
    const harmless = one === '\t' || one === '\u00a0'
    const shown = harmless ? note : names[one] === undefined ? code : `${code} ${note}`
    const count = hidden.length / one.length
    return { kind: 'char', text: count === 1 ? shown : `${shown}, ${count} times`, note, suspicious: !harmless }
  }
  if (sign !== undefined) {
    const passed = passesForDelimiter(sign)
    const looks = passed !== undefined && isInAddress(text, match.index) ? passed : undefined
    const note = `not the ${looks} it looks like`
    return looks === undefined ? undefined : { kind: 'char', text: `${codeOf(sign)} ${note}`, note, suspicious: true }
  }
  const note = notes.get(match.index)
  return note === undefined ? undefined : { kind: 'word', text: word ?? '', note, suspicious: true }
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** Whether the index is directly after a web address. */
function isInAddress(text: string, index: number): boolean {
  return /(?:https?:\S*|[\w-]\.[a-z]{2,24}\S*)$/i.test(text.slice(Math.max(0, index - 80), index))
}
