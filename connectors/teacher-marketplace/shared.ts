import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import type { Csrf } from '../kit/csrf.ts'
import { asField, jsonToken } from '../kit/csrf.ts'
import { labelled, money } from '../kit/declared.ts'
import { day, described, id, refTo } from '../kit/inputs.ts'
import { UnknownShape, number, text } from '../kit/wire.ts'

export const ProductId = labelled('Product', id('product', 'Which product: product_id from list_products.'))
export const From = labelled('First day', day("The first day, in the store's time zone."))
export const To = labelled('Last day', day('The last day, included; not before from.'))
export const Day = Type.String({ format: 'date' })

const usCents = { unit: 'minor', currency: 'USD' } as const
export const Cents = money(usCents, Type.Integer({ minimum: 0 }))
/** An input in cents; `description` mentions the bounds. */
export const askedCents = (description: string) =>
  money(usCents, Type.Integer({ minimum: 0, maximum: 100_000, description }))

export const Count = Type.Integer({ minimum: 0 })
/** Whether a product is on sale; list filters also take `any`. */
export const shelf = codec({ active: 'live', inactive: 'hidden' })
export const Status = labelled(
  'Status',
  Type.Enum(shelf.words, {
    type: 'string',
    description: 'active: on sale and seen by buyers. inactive: only you see it; past buyers keep it.',
  }),
)

/** References to the entity, wherever an answer names it. */
export const Which = {
  product_id: refTo('product', 'Which product; pass it to get_product or wherever else a product_id is asked for.'),
  title: labelled('Title', Type.String({ description: "The product's title as buyers see it." })),
}
export const Price = labelled(
  'Price',
  described(Cents, 'What the first license costs in US cents, not reduced by a running sale; 0: free.'),
)
export const Earnings = described(
  Cents,
  "What you keep of what buyers paid, after the marketplace's part, in US cents.",
)

/** CSRF token, the same for the whole session; reading it is free. */
export const headerPass: Csrf = jsonToken({ page: '/dash/me', field: 'hall_pass', header: 'x-hall-pass' })
export const formPass: Csrf = asField(headerPass, 'hall_pass')

/** The app's ids are numbers; here they are strings. */
export function reference(no: unknown): string {
  if (!Number.isSafeInteger(no)) throw new UnknownShape('not a number of the app')
  return String(no)
}

/** Converts `02/28/2026` into an ISO day. */
export function fromUs(value: unknown): string {
  const found = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text(value))
  if (!found) throw new UnknownShape('not a day as MM/DD/YYYY')
  const [, month, date, year] = found
  return `${year}-${month}-${date}`
}

export function toUs(date: string): string
export function toUs(date: string | undefined): string | undefined
export function toUs(date: string | undefined): string | undefined {
  return date?.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$2/$3/$1')
}

/** Converts `02/28/2026 3:05 PM -0700` into UTC. */
export function fromClock(value: unknown): string {
  const found = /^(\S+) (\d{1,2}):(\d\d) ([AP])M ([+-]\d\d)(\d\d)$/.exec(text(value))
  if (!found) throw new UnknownShape('not a moment as MM/DD/YYYY h:mm AM -0700')
  const [, date, hour, minute, half, hours, minutes] = found
  const from0 = String((Number(hour) % 12) + (half === 'P' ? 12 : 0)).padStart(2, '0')
  const moment = new Date(`${fromUs(date)}T${from0}:${minute}:00${hours}:${minutes}`)
  if (Number.isNaN(moment.getTime())) throw new UnknownShape('not a moment')
  return moment.toISOString().replace('.000Z', 'Z')
}

/** Converts `$1,234.50` into cents. */
export function fromDollars(value: unknown): number {
  const found = /^\$(\d{1,3}(?:,\d{3})*)\.(\d\d)$/.exec(text(value))
  if (!found) throw new UnknownShape('not an amount in dollars')
  return number(`${found[1]?.replaceAll(',', '')}${found[2]}`)
}

export function toDollars(cents: number): string
export function toDollars(cents: number | undefined): string | undefined
export function toDollars(cents: number | undefined): string | undefined {
  if (cents === undefined) return undefined
  return `$${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
}

/** Converts `6.94%` into 0.0694. */
export function fromShare(value: unknown): number {
  const found = /^(\d+\.\d\d)%$/.exec(text(value))
  if (!found) throw new UnknownShape('not a share in percent')
  return number(`${found[1]}e-2`)
}
