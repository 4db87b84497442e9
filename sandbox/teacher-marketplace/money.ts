/** `$1,234.50` */
export function dollars(cents: number): string {
  const whole = String(Math.floor(cents / 100)).replaceAll(/\B(?=(\d{3})+$)/g, ',')
  return `$${whole}.${String(cents % 100).padStart(2, '0')}`
}

/** Cents of `$1,234.50` or `$1234.50`. */
export function centsOf(text: string): number | undefined {
  const [, whole, rest] = /^\$(\d{1,6}|\d{1,3},\d{3})\.(\d\d)$/.exec(text) ?? []
  return whole === undefined ? undefined : Number(whole.replace(',', '')) * 100 + Number(rest)
}

/** `3.27%` of them; none of none is `0.00%`. */
export const share = (part: number, all: number): string => `${(all === 0 ? 0 : (part / all) * 100).toFixed(2)}%`
