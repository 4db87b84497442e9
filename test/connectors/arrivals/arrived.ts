import { isDeepStrictEqual } from 'node:util'
import { isFields } from '../../../connectors/kit/wire.ts'
import type { Effect } from '../../support/sandbox.ts'
import { placesAToF } from './places-a.ts'
import { placesIToZ } from './places-b.ts'
import { isMomentOf, translations } from './translations.ts'

interface Place {
  readonly path: string
  readonly translation: string
  /** The app's word for each of ours. */
  readonly words: ReadonlyMap<string, string> | undefined
}

/** One of these groups holds the value, at each of its places. */
type Places = readonly (readonly Place[])[]

const placePattern = /^([^:(]+)(?::(\w+))?(?:\((.*)\))?$/

function place(written: string): Place {
  const [, path = '', translation = 'same', words] = placePattern.exec(written) ?? []
  if (translation !== 'moment' && translations[translation] === undefined)
    throw new Error(`no translation ${translation}`)
  const pairs = words?.split(',').map((pair): [string, string] => pair.split('~') as [string, string])
  return { path, translation, words: pairs && new Map(pairs) }
}

/** Where the inputs of this endpoint stand, by their place in the input. */
export function placesOf(app: string, endpoint: string): ReadonlyMap<string, Places> {
  const written = (placesAToF[app] ?? placesIToZ[app])?.[endpoint]
  if (written === undefined) throw new Error(`${app}.${endpoint} has no table of places`)
  return new Map(
    written
      .trim()
      .split(/\s+/)
      .map((line): [string, Places] => {
        const at = line.indexOf('=')
        const groups = line.slice(at + 1).split('|')
        return [line.slice(0, at), groups.map((group) => group.split('&').map(place))]
      }),
  )
}

/** `items.0.price` as `items.*.price`; the name of a time of day is one of a list's, too. */
export const starred = (path: string): string => path.replaceAll(/\.(\d+|\d\d:\d\d)(?=\.|$)/g, '.*')

/** The place with the numbers of the input's items. An input that is an empty list stands where the whole list does. */
function numbered({ path }: Place, input: string): string {
  const indexes = input.split('.').filter((part) => /^\d+$/.test(part))
  const parts = path.split('.').map((part) => {
    if (!part.startsWith('*')) return part
    const index = indexes.shift()
    return index === undefined ? '*' : String(Number(index) + Number(part.slice(1)))
  })
  const end = parts.indexOf('*')
  return parts.slice(0, end === -1 ? parts.length : end).join('.')
}

function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((within, name) => {
    if (Array.isArray(within)) return within[Number(name)]
    return isFields(within) && Object.hasOwn(within, name) ? within[name] : undefined
  }, value)
}

function holds(effect: Effect, one: Place, input: string, value: unknown): boolean {
  const found = one.path === '@action' ? effect.action : at(effect.body, numbered(one, input))
  if (one.translation === 'moment') return isMomentOf(value, found)
  if (value === null || Array.isArray(value)) return isDeepStrictEqual(found, value)
  const expected = translations[one.translation]?.(value)
  if (one.words === undefined) return expected !== undefined && isDeepStrictEqual(found, expected)
  return one.words.get(String(expected).replaceAll(' ', '_')) === String(found)
}

/** Whether what was accepted has this value of the input where it belongs. */
export function arrived(effect: Effect, places: Places, input: string, value: unknown): boolean {
  return places.some((group) => group.every((one) => holds(effect, one, input, value)))
}

/** How many items the app made of a list of values; undefined where they are not in a list of their own. */
export function lengthOf(effect: Effect, places: Places, input: string): number | undefined {
  const [one] = places[0] ?? []
  if (places.length > 1 || one === undefined || !one.path.endsWith('.*')) return undefined
  const found = at(effect.body, numbered({ ...one, path: one.path.slice(0, -2) }, input))
  return Array.isArray(found) ? found.length : undefined
}
