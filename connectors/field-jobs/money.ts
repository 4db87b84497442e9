import { Type } from 'typebox'
import { closed } from '../inputs.ts'
import { UnknownShape, fields, number, rows } from '../wire.ts'

/** An amount with the decimals of the account's currency: 42.50, 4250, 4.250. */
export const Decimal = Type.String({ pattern: '^-?\\d+(\\.\\d+)?$' })

export const Item = closed({ name: Type.String(), quantity: Type.Number(), price: Decimal })

/** Minor units into an amount; `money` is the currency that every answer tells. */
export function decimal(minor: unknown, money: unknown): string {
  const units = number(minor)
  const places = decimals(money)
  if (!Number.isSafeInteger(units)) throw new UnknownShape('not an amount')
  const digits = String(Math.abs(units)).padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  return (units < 0 ? '-' : '') + (places === 0 ? whole : `${whole}.${digits.slice(-places)}`)
}

export function decimals(money: unknown): number {
  const places = number(fields(money)['digits'])
  if (!Number.isInteger(places) || places < 0 || places > 6) throw new UnknownShape('not a currency')
  return places
}

/** The lines of a job, an estimate or a bill. */
export function items(lines: unknown, money: unknown) {
  return rows(lines).map(({ label, qty, each_minor }) => ({
    name: label,
    quantity: qty,
    price: decimal(each_minor, money),
  }))
}
