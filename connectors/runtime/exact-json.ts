import { below } from './explain.ts'

/** Numbers that a double may not represent; up to 15 digits without an exponent always fit. */
const suspicious = /[\d.]{16}|\d[eE]/
/** Reviving recurses: every caller refuses deeper nesting anyway. */
const maxDepth = 100

/** Whether a double keeps the decimal value: 2^53 + 1 and 0.10000000000000001 do not. */
export function isExact(numeral: string): boolean {
  return isSame(numeral, Number(numeral))
}

function isSame(numeral: string, value: number): boolean {
  return Number.isFinite(value) && decimal(numeral) === decimal(String(value))
}

/** A canonical spelling of each decimal value: sign, significant digits, exponent. */
function decimal(numeral: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(numeral) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  if (digits === '') return '0'
  const significant = digits.replace(/0+$/, '')
  return `${sign}${significant}e${BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length)}`
}

/** JSON, and the paths of numbers in it that a double cannot represent. Throws SyntaxError. */
export function parseExactly(text: string): { readonly value: unknown; readonly inexact: readonly string[] } {
  const lost = new Map<unknown, Set<string>>()
  const value = revived(text, (holder, key, item, source) => {
    if (!isSame(source, item)) lost.set(holder, (lost.get(holder) ?? new Set()).add(key))
    return item
  })
  return { value, inexact: lost.size === 0 ? [] : pathsTo(lost, value) }
}

/** JSON; integers that a double cannot represent become strings of digits. Throws SyntaxError. */
export function parseWithDigits(text: string): unknown {
  return revived(text, (_holder, _key, item, source) =>
    /^-?\d+$/.test(source) && !isSame(source, item) ? source : item,
  )
}

type OfNumber = (holder: unknown, key: string, item: number, source: string) => unknown

/** `JSON.parse` with a number's source text: ECMAScript 2025, missing in TypeScript's library. */
function revived(text: string, ofNumber: OfNumber): unknown {
  const value: unknown = JSON.parse(text)
  if (!suspicious.test(text) || isDeeper(value, maxDepth)) return value
  function revive(this: unknown, key: string, item: unknown, context?: { readonly source?: string }): unknown {
    return typeof item === 'number' ? ofNumber(this, key, item, context?.source ?? String(item)) : item
  }
  return JSON.parse(text, revive)
}

function pathsTo(lost: ReadonlyMap<unknown, ReadonlySet<string>>, value: unknown, path = ''): string[] {
  // The whole text is one number: the parser's internal holder is not part of the value.
  if (typeof value !== 'object' || value === null) return typeof value === 'number' ? [path] : []
  const here = lost.get(value)
  return Object.entries(value).flatMap(([key, item]) => {
    if (typeof item === 'number') return here?.has(key) === true ? [below(path, key)] : []
    return typeof item === 'object' ? pathsTo(lost, item, below(path, key)) : []
  })
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1))
}
