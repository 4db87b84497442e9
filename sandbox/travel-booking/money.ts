/** ISO 4217 exponents; rates are this app's own, fixed ones. */
const currencies = {
  EUR: { exponent: 2, perEuro: 1 },
  GBP: { exponent: 2, perEuro: 0.85 },
  USD: { exponent: 2, perEuro: 1.09 },
  ILS: { exponent: 2, perEuro: 4.05 },
  JPY: { exponent: 0, perEuro: 162 },
  TND: { exponent: 3, perEuro: 3.36 },
} as const

export type Currency = keyof typeof currencies

export function currencyOf(text: string): Currency {
  if (!Object.hasOwn(currencies, text)) throw new TypeError(`${text} is no currency of ours.`)
  return text as Currency
}

/** Euro cents in minor units of a currency. */
export function convert(cents: number, currency: Currency): number {
  const { exponent, perEuro } = currencies[currency]
  return Math.round((cents / 100) * perEuro * 10 ** exponent)
}

export interface Money {
  minor: number
  currency: Currency
  exponent: number
}

export const money = (minor: number, currency: Currency): Money => ({
  minor,
  currency,
  exponent: currencies[currency].exponent,
})

/** `EUR 12.50`, for people. */
export function price(minor: number, currency: Currency): string {
  const { exponent } = currencies[currency]
  return `${currency} ${(minor / 10 ** exponent).toFixed(exponent)}`
}
