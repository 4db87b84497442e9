import { isFields } from '../../connectors/kit/wire.ts'
import { isId } from '../calls/reads-that-show.ts'
import { onTheClock } from './time.tsx'

const longest = 60
const money = /price|amount|total|cost|fee|due|paid/

interface InShort {
  /** Its name or title; undefined where it has none. */
  readonly name: string | undefined
  readonly rest: string
}

/** What matters most of some fields, in one line: names first, then the rest in its order, without identifiers. */
export function inShort(fields: Readonly<Record<string, unknown>>, most: number): InShort | undefined {
  const currency = typeof fields['currency'] === 'string' ? ` ${fields['currency']}` : ''
  const facts = Object.entries(fields)
    .filter(([name]) => !isId(name) && name !== 'currency')
    .flatMap(([name, value]) => {
      const said = sayOf(value)
      if (said === undefined) return []
      const text = said + (money.test(name) ? currency : '')
      const first = isName(name) || isNamed(value)
      return [{ first, text: isName(name) ? text : `${name.replaceAll('_', ' ')}: ${text}` }]
    })
  const [best, ...rest] = facts.toSorted((a, b) => Number(b.first) - Number(a.first)).slice(0, most)
  if (best === undefined) return undefined
  const others = (best.first ? rest : [best, ...rest]).map(({ text }) => text).join(' · ')
  return { name: best.first ? best.text : undefined, rest: others }
}

export function inOneLine(fields: Readonly<Record<string, unknown>>, most: number): string | undefined {
  const { name, rest = '' } = inShort(fields, most) ?? {}
  return [name ?? '', rest].filter((part) => part !== '').join(' · ') || undefined
}

function isName(name: string): boolean {
  return /^(name|title|subject|label)$|_(name|title)$/.test(name)
}

/** A thing within a thing, such as the client of an appointment. */
function isNamed(value: unknown): boolean {
  return isFields(value) && ('name' in value || 'title' in value)
}

/** Undefined for what says nothing in a few words. */
function sayOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return isSaying(value) ? (onTheClock(value)?.words ?? cut(value)) : undefined
  if (Array.isArray(value)) return sayOfList(value)
  const name = isFields(value) ? (value['name'] ?? value['title']) : undefined
  return typeof name === 'string' && name !== '' ? cut(name) : undefined
}

function isSaying(text: string): boolean {
  return text.trim() !== '' && !/^(https?:\/\/|[\da-f]{8}-[\da-f]{4}-[\da-f-]{22}$)/i.test(text)
}

function sayOfList(values: readonly unknown[]): string | undefined {
  const texts = values.filter((value) => typeof value === 'string').filter(isSaying)
  if (texts.length === 0 || texts.length < values.length) return undefined
  const [some, more] = [texts.slice(0, 3).map(cut).join(', '), texts.length - 3]
  return more > 0 ? `${some} and ${more} more` : some
}

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** By characters as people count them, so that none is cut in two. */
function cut(text: string): string {
  const start = Array.from(characters.segment(text.slice(0, 8 * longest)), ({ segment }) => segment)
  return start.length > longest ? `${start.slice(0, longest - 1).join('')}…` : text
}
