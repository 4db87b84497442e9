const digits: Readonly<Record<string, number>> = { JPY: 0, KWD: 3 }

export const digitsOf = (currency: string): number => digits[currency] ?? 2

/** `EUR 12.50`, with as many decimals as the currency has. */
export function costText(minor: number, currency: string): string {
  const places = digitsOf(currency)
  return `${currency} ${(minor / 10 ** places).toFixed(places)}`
}
