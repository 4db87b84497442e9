import { Type } from 'typebox'
import type { Csrf } from '../kit/csrf.ts'
import { headerToken } from '../kit/csrf.ts'
import { labelled } from '../kit/declared.ts'
import { InputRejected } from '../kit/failures.ts'
import { closed, defaulted } from '../kit/inputs.ts'
import { fields, rows, text } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { decimals } from './money.ts'

/** CSRF token, in every page and the same for the whole session; pages are free. */
export const key: Csrf = headerToken({ page: '/desk', meta: 'torquen_key', header: 'x-torquen-key' })

export const ItemInput = closed({
  name: labelled(
    'Name',
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The name of the item in the price book; a name that is not there is refused with those that are.',
    }),
  ),
  quantity: labelled(
    'Quantity',
    defaulted(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 9999,
        description: 'How many or how much, with two decimals at most.',
      }),
      1,
    ),
  ),
})

interface ItemWanted {
  readonly name: string
  readonly quantity?: number
}

/** Line items as the app takes them, from the price book. */
export function lines(wanted: readonly ItemWanted[] | undefined, before: Fields) {
  return wanted?.map(({ name, quantity }) => ({
    entry: named(before, 'price_book', name, ['ENTRY_UNKNOWN', 'item in the price book']),
    qty: quantity ?? 1,
  }))
}

/** The id of the account's job type with this name. */
export function kind(name: string, before: Fields): string {
  return named(before, 'job_kinds', name, ['KIND_UNKNOWN', 'job type'])
}

/** Converts an amount into minor units. Throws rather than rounds: it must stay as requested. */
export function minor(amount: string, before: Fields): number {
  const places = decimals(fields(before['company'])['money'])
  const [whole = '', fraction = ''] = amount.split('.')
  if (/[1-9]/.test(fraction.slice(places)))
    throw new InputRejected(
      'AMOUNT_INVALID',
      `${amount} has more decimals than the account's currency, which has ${places}.`,
    )
  return Number(whole + fraction.slice(0, places).padEnd(places, '0'))
}

/** Finds an exact name, or the only one that matches ignoring case. */
function named(before: Fields, list: string, name: string, [code, noun]: readonly [string, string]): string {
  const all = rows(before[list])
  const exact = all.filter(({ label }) => label === name)
  const found = exact.length > 0 ? exact : all.filter(({ label }) => text(label).toLowerCase() === name.toLowerCase())
  if (found.length === 1) return text(found[0]?.['uuid'])
  const names = all.map(({ label }) => `"${text(label)}"`).join(', ')
  const count = found.length === 0 ? `no ${noun}` : `more than one ${noun}`
  throw new InputRejected(code, `The account has ${count} named "${name}". It has: ${names}.`)
}
