import { isRecord } from '../platform/body.ts'
import { Refusal } from '../platform/types.ts'
import { readGlobalId, type IdType } from './ids.ts'
import { readMoment } from './moments.ts'

/** Reads one argument, strictly: nothing is converted, nothing unknown is passed over. `null` is the same as nothing. */
export type Parse<T> = (value: unknown, name: string) => T

export type Shape = Record<string, Parse<unknown>>
export type Parsed<S extends Shape> = { readonly [K in keyof S]: ReturnType<S[K]> }

export const wrong = (name: string, what: string): Refusal =>
  new Refusal(422, 'ARGUMENT_INVALID', `${name} must be ${what}.`, name)

const given = (value: unknown, name: string): unknown => {
  if (value === undefined || value === null) throw new Refusal(422, 'ARGUMENT_MISSING', `${name} is needed.`, name)
  return value
}

export function object<S extends Shape>(shape: S): Parse<Parsed<S>> {
  return (value, name) => {
    if (!isRecord(given(value, name))) throw wrong(name, 'an object')
    const fields = isRecord(value) ? value : {}
    const path = (key: string): string => (name === 'variables' ? key : `${name}.${key}`)
    const stray = Object.keys(fields).find((key) => !Object.hasOwn(shape, key))
    if (stray !== undefined) {
      throw new Refusal(422, 'ARGUMENT_UNKNOWN', `There is no argument ${path(stray)}.`, path(stray))
    }
    return Object.fromEntries(
      Object.entries(shape).map(([key, parse]) => [key, parse(fields[key], path(key))]),
    ) as Parsed<S>
  }
}

export function optional<T>(parse: Parse<T>): Parse<T | undefined> {
  return (value, name) => (value === undefined || value === null ? undefined : parse(value, name))
}

export function preset<T>(fallback: T, parse: Parse<T>): Parse<T> {
  return (value, name) => (value === undefined || value === null ? fallback : parse(value, name))
}

const string = (value: unknown, name: string): string => {
  const text = given(value, name)
  if (typeof text !== 'string') throw wrong(name, 'a text')
  return text
}

/** Up to `high` characters, as sent but for line ends; blank only if `low` is 0. */
export const text =
  (low: 0 | 1, high: number): Parse<string> =>
  (value, name) => {
    const plain = string(value, name).replaceAll('\r\n', '\n')
    if (plain.trim().length < low || Array.from(plain).length > high) throw wrong(name, `${low} to ${high} characters`)
    return plain
  }

export const whole =
  (low: number, high: number): Parse<number> =>
  (value, name) => {
    const number = given(value, name)
    if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < low || number > high) {
      throw wrong(name, `a whole number from ${low} to ${high}`)
    }
    return number
  }

export const flag: Parse<boolean> = (value, name) => {
  const yes = given(value, name)
  if (typeof yes !== 'boolean') throw wrong(name, 'true or false')
  return yes
}

export const oneOf =
  <T extends string>(words: readonly T[]): Parse<T> =>
  (value, name) => {
    const word = words.find((known) => known === given(value, name))
    if (word === undefined) throw wrong(name, `one of ${words.join(', ')}`)
    return word
  }

export const list =
  <T>(parse: Parse<T>, low: number, high: number): Parse<T[]> =>
  (value, name) => {
    const items = given(value, name)
    if (!Array.isArray(items) || items.length < low || items.length > high)
      throw wrong(name, `a list of ${low} to ${high}`)
    return items.map((item, index) => parse(item, `${name}.${index}`))
  }

export const id =
  (type: IdType): Parse<number> =>
  (value, name) => {
    const number = readGlobalId(type, string(value, name))
    if (number === undefined) throw wrong(name, `the id of a ${type}`)
    return number
  }

const moment: Parse<{ seconds: number; day: string }> = (value, name) => {
  const read = readMoment(string(value, name))
  if (!read) throw wrong(name, 'a datetime with an offset, such as 2026-03-01T00:00:00+01:00')
  return read
}

/** Unix seconds. */
export const instant: Parse<number> = (value, name) => moment(value, name).seconds

/** The day as written, whatever the hour and the offset. */
export const day: Parse<string> = (value, name) => moment(value, name).day

export const mail: Parse<string> = (value, name) => {
  const address = string(value, name).trim()
  if (!/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(address) || address.length > 254) throw wrong(name, 'an e-mail address')
  return address
}
