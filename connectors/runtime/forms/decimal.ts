/** A decimal number without loss: `digits` times ten to the power of `exponent`. */
interface Decimal {
  readonly digits: bigint
  readonly exponent: number
}

/** Parses a number that `isNumber` accepts. */
function decimal(text: string): Decimal {
  if (Number(text) === 0) return { digits: 0n, exponent: 0 }
  const [, sign = '', whole = '', part = '', power = '0'] = /^(-?)(\d*)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
  return { digits: BigInt(`${whole}${part}`) * (sign === '-' ? -1n : 1n), exponent: Number(power) - part.length }
}

/** The numbers as integers of a common exponent. */
function aligned(...texts: readonly string[]): bigint[] {
  const numbers = texts.map(decimal)
  const least = Math.min(...numbers.map(({ exponent }) => exponent))
  return numbers.map(({ digits, exponent }) => digits * 10n ** BigInt(exponent - least))
}

export function isLess(one: string, other: string): boolean {
  const [a = 0n, b = 0n] = aligned(one, other)
  return a < b
}

/**
 * Whether a value is off the step grid. `isReal`: with single-precision tolerance, as in Chromium.
 * Source: https://html.spec.whatwg.org/multipage/input.html#suffering-from-a-step-mismatch
 */
export function isBetweenSteps(value: string, base: string, step: string, isReal: boolean): boolean {
  const [a = 0n, b = 0n, by = 1n] = aligned(value, base, step)
  const from = a < b ? b - a : a - b
  if (from > by * 2n ** 53n) return false
  const rest = from % by
  const nearest = rest * 2n < by ? rest : by - rest
  return isReal ? nearest * 2n ** 24n > by : nearest > 0n
}

export function isNumber(text: string): boolean {
  return /^-?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text))
}
