import { Type } from 'typebox'
import { asField, jsonToken } from '../kit/csrf.ts'
import type { Csrf } from '../kit/csrf.ts'
import { daysFrom, startOfDay } from '../kit/dates.ts'
import { labelled } from '../kit/declared.ts'
import type { Money } from '../kit/declared.ts'
import { InputRejected } from '../kit/failures.ts'
import { day, id, refTo } from '../kit/inputs.ts'
import { UnknownShape, fields, number, rows, text } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'

/** CSRF token, the same for the whole session; reading it is free. */
export const headerFern: Csrf = jsonToken({ page: '/host/data/me', field: 'fern', header: 'x-fern' })
export const formFern: Csrf = asField(headerFern, 'fern')

export const ListingId = labelled('Listing', id('listing', 'Which listing: listing_id from list_listings.'))
export const OneListing = Type.Optional(
  labelled('Listing', id('listing', 'Only this listing: listing_id from list_listings. All when left out.')),
)
export const OneSite = Type.Optional(
  labelled(
    'Site',
    id('site', 'Only this site of the listing: site_id from list_listings. All of its sites when left out.'),
  ),
)
export const FirstNight = labelled('First night', day('The first night, by its evening.'))
export const LastNight = labelled(
  'Last night',
  day('The last night, included; not before from, 366 nights in all at most.'),
)
export const Day = Type.String({ format: 'date' })
export const Count = Type.Integer({ minimum: 0 })
export const ListingOf = refTo('listing', 'The listing that it is about, as in list_listings.')
export const Camper = labelled(
  'Camper',
  Type.String({ description: 'First name and initial of the last name, such as Zoë M.; some go by one name.' }),
)
/** An amount with its currency in `currency` beside it. */
export const InCurrency: Money = { unit: 'major', currency: { field: 'currency' } }
export const Currency = Type.String({ description: 'The currency of the amounts here, three letters such as EUR.' })

/** Day numbers count from 1970-01-01. */
export function fromDay(value: unknown): string {
  if (!Number.isSafeInteger(value)) throw new UnknownShape('not a day of the app')
  return daysFrom('1970-01-01', number(value))
}

export function toDay(date: string): number
export function toDay(date: string | undefined): number | undefined
export function toDay(date: string | undefined): number | undefined {
  return date === undefined ? undefined : startOfDay(date) / 86_400
}

/** First name and initial, `Zoë M.`; the initial may be missing. */
export function camper(who: unknown): string {
  const first = text(fields(who)['first'])
  const initial = text(fields(who)['init'])
  return initial === '' ? first : `${first} ${initial}.`
}

export const siteOf = (on: unknown): unknown => fields(on)['label']

/** Converts minor units with `exp` decimals into a number. */
export function fromUnits(units: unknown, exp: unknown): number {
  const digits = number(exp)
  if (!Number.isSafeInteger(units) || !Number.isInteger(digits) || digits < 0 || digits > 6)
    throw new UnknownShape('not an amount in smallest units')
  return Number(`${number(units)}e-${digits}`)
}

/** Converts a price into minor units of the listing's currency. Throws rather than rounds. */
export function toUnits(price: number, listing: string, coins: Fields): number {
  const coin = rows(coins['rows']).find(({ land }) => text(land) === listing)
  if (!coin) throw new InputRejected('LAND_NOT_FOUND', 'None of your listings has this id.')
  const digits = number(coin['exp'])
  const [, whole = '', decimals = ''] = /^(\d{1,12})(?:\.(\d+))?$/.exec(String(price)) ?? []
  if (whole === '' || decimals.length > digits)
    throw new InputRejected(
      'PRICE_INVALID',
      `${price} is no price in ${text(coin['cur'])}, which has ${digits} decimals.`,
    )
  return Number(whole + decimals.padEnd(digits, '0'))
}
