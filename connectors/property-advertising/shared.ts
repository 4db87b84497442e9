import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { labelled, money } from '../kit/declared.ts'
import { InputRejected } from '../kit/failures.ts'
import { id, oneOf, refTo } from '../kit/inputs.ts'
import { fields, number, text, word } from '../kit/wire.ts'

export const ListingId = labelled('Listing', id('listing', 'Which listing: listing_id from list_listings.'))
export const ContactId = labelled(
  'Contact',
  id('contact', 'Which contact: contact_id from list_contacts or list_demands.'),
)
export const ThisListing = refTo('listing', 'The listing that the call named.')
export const ThisContact = refTo('contact', 'The contact that the call named.')

const deals = { sale: 'for_sale', rent: 'to_let' } as const
export const operations = codec(deals)
export const contactStates = codec({ active: 'open', unread: 'fresh', handled: 'done', archived: 'shelved' })

/** The filter that lists of sales and rentals share. */
export const OperationFilter = labelled(
  'Sale or rent',
  oneOf(['sale', 'rent', 'all'], 'Only what is for sale, or to rent; all for both.'),
)
export const dealsAsked = { ...deals, all: 'any' } as const

export const Operation = labelled('Sale or rent', oneOf(operations.words, 'Whether the home is for sale or to rent.'))
export const ListingStatus = labelled(
  'Status',
  oneOf(['active', 'inactive'], 'Active while everybody can find it; inactive when taken down or expired.'),
)
export const ContactState = Type.Enum(contactStates.words, {
  type: 'string',
  description: 'Unread when they wrote something new; active in progress; handled and archived as you marked it.',
})
export const QualityScore = Type.Number({ description: 'How complete the app finds the listing, from 0 to 100.' })
export const ListingUrl = Type.String({ description: 'Its public page, which opens only while the listing is active.' })
export const Price = labelled(
  'Price',
  money(
    { unit: 'major', currency: { field: 'currency' } },
    Type.Number({ description: 'The asking price in currency units, not cents, with at most two decimals.' }),
  ),
)
export const Currency = Type.String({ description: 'The ISO 4217 code of the price, e.g. EUR.' })

/** A lapsed ad counts as inactive: it is out of the search results and can be reactivated. */
export function listingStatus(phase: unknown): string {
  return word({ online: 'active', offline: 'inactive', lapsed: 'inactive' }, phase)
}

/** The app writes amounts as hundredths, in a string. */
export function amount(sum: unknown): number {
  return number(text(fields(sum)['cents'])) / 100
}

export function currency(sum: unknown): string {
  return text(fields(sum)['currency'])
}

/** Converts a price into hundredths. Throws rather than rounds: it must stay as approved. */
export function cents(price: number): string {
  const [, whole, decimals = ''] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(String(price)) ?? []
  if (whole === undefined) throw new InputRejected('ASKING_INVALID', `${price} is no price with at most two decimals.`)
  return String(BigInt(whole + decimals.padEnd(2, '0')))
}
