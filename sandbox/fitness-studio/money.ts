interface Currency {
  sign: string
  digits: number
}

const currencies: Readonly<Record<string, Currency>> = {
  GHS: { sign: 'GH₵', digits: 2 },
  USD: { sign: '$', digits: 2 },
  JPY: { sign: '¥', digits: 0 },
  EUR: { sign: '€', digits: 2 },
  INR: { sign: '₹', digits: 2 },
  KWD: { sign: 'KD', digits: 3 },
}

function currencyOf(ccy: string): Currency {
  const currency = currencies[ccy]
  if (!currency) throw new RangeError(`${ccy} is no currency of ours.`)
  return currency
}

export const toMinor = (amount: number, ccy: string): number => Math.round(amount * 10 ** currencyOf(ccy).digits)

/** `$1,250.00`, `¥18,000`, `KD12.500`. */
export function priceText(minor: number, ccy: string): string {
  const { sign, digits } = currencyOf(ccy)
  const [whole = '', rest] = (minor / 10 ** digits).toFixed(digits).split('.')
  return `${sign}${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}${rest === undefined ? '' : `.${rest}`}`
}
