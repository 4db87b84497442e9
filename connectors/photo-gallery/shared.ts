import { Type } from 'typebox'
import { labelled } from '../kit/declared.ts'
import { id } from '../kit/inputs.ts'
import { UnknownShape, number, text } from '../kit/wire.ts'

export const CollectionId = labelled(
  'Collection',
  id('collection', 'Which collection: collection_id from list_collections.'),
)
export const Day = Type.String({ format: 'date' })

/** A single address: the app splits at commas, semicolons and spaces. */
export function email(description: string) {
  return Type.String({ format: 'email', pattern: '^[^\\s,;"]+$', maxLength: 254, description })
}

export function fromMs(ms: unknown): string {
  const date = new Date(number(ms))
  if (Number.isNaN(date.getTime())) throw new UnknownShape('not a moment')
  return date.toISOString().replace('.000Z', 'Z')
}

/** Converts `1250,00` into a number. */
export function amount(money: unknown): number {
  if (!/^-?\d+,\d\d$/.test(text(money))) throw new UnknownShape('not an amount')
  return number(text(money).replace(',', '.'))
}

/** Extra decimals are not rounded: the app refuses them, so the price cannot change. */
export function toAmount(price: number): string {
  const [whole = '', decimals = ''] = String(price).split('.')
  return `${whole},${decimals.padEnd(2, '0')}`
}
