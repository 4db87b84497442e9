import { Type } from 'typebox'
import { Unsendable } from '../kit/failures.ts'
import { id, oneOf } from '../kit/inputs.ts'
import { fields, number, text, word } from '../kit/wire.ts'

export const ListingId = id('listing', 'Which listing: listing_id from list_listings.')
export const ContactId = id('contact', 'Which contact: contact_id from list_contacts or list_demands.')

/** The filter that lists of sales and rents share. */
export const OperationFilter = oneOf(['sale', 'rent', 'all'], 'Only what is for sale, or to rent; all for both.')
export const Operation = Type.Enum(['sale', 'rent'], {
  type: 'string',
  description: 'Whether the home is for sale or to rent.',
})
export const ListingStatus = Type.Enum(['active', 'inactive'], {
  type: 'string',
  description: 'Active while everybody can find it; inactive when taken down or expired.',
})
export const ContactState = Type.Enum(['active', 'unread', 'handled', 'archived'], {
  type: 'string',
  description: 'Unread when they wrote something new; active in progress; handled and archived as you marked it.',
})
export const QualityScore = Type.Number({ description: 'How complete the app finds the listing, from 0 to 100.' })
export const ListingUrl = Type.String({ description: 'Its public page, which opens only while the listing is active.' })
export const Price = Type.Number({
  description: 'The asking price in currency units, not cents, with at most two decimals.',
})
export const Currency = Type.String({ description: 'The ISO 4217 code of the price, e.g. EUR.' })

export const deals = { sale: 'for_sale', rent: 'to_let', all: 'any' } as const
export const boxes = { active: 'open', unread: 'fresh', handled: 'done', archived: 'shelved' } as const

export function operation(deal: unknown): string {
  return word({ for_sale: 'sale', to_let: 'rent' }, deal)
}

/** A lapsed ad is inactive too: it is off the search results and can be reactivated. */
export function listingStatus(phase: unknown): string {
  return word({ online: 'active', offline: 'inactive', lapsed: 'inactive' }, phase)
}

export function contactState(box: unknown): string {
  return word({ open: 'active', fresh: 'unread', done: 'handled', shelved: 'archived' }, box)
}

/** The app counts hundredths, as text. */
export function amount(money: unknown): number {
  return number(text(fields(money)['cents'])) / 100
}

export function currency(money: unknown): string {
  return text(fields(money)['currency'])
}

/** A price in hundredths, never rounded: it must not become another price than was approved. */
export function cents(price: number): string {
  const [, whole, decimals = ''] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(String(price)) ?? []
  if (whole === undefined) throw new Unsendable('ASKING_INVALID', `${price} is no price with at most two decimals.`)
  return String(BigInt(whole + decimals.padEnd(2, '0')))
}
