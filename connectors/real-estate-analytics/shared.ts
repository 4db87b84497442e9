import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { asField, jsonToken } from '../kit/csrf.ts'
import type { Csrf } from '../kit/csrf.ts'
import { fromCompact } from '../kit/dates.ts'
import { labelled, money } from '../kit/declared.ts'
import { closed, id, refTo } from '../kit/inputs.ts'
import { UnknownShape, number, text } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'

export const PropertyId = labelled(
  'Home',
  id(
    'property',
    'Which home: property_id from find_properties, run_filter_preset, list_saved_homes or analyze_unlisted_property.',
  ),
)
export const PresetId = labelled('Preset', id('preset', 'Which preset: preset_id from list_filter_presets.'))
export const Day = Type.String({ format: 'date' })

export const types = codec({
  single_family: 'SFR',
  condo: 'CND',
  townhouse: 'TWN',
  multi_family: 'MFR',
  manufactured: 'MOB',
})
/** Rental strategies. */
export const plans = { vacation: 'nightly', traditional: 'yearly' } as const

/** A city or a neighborhood. */
export function place(description: string) {
  return labelled(
    'Place',
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: `${description} Written "Austin, TX" or "Hyde Park, Austin, TX"; a name alone works where only one place has it.`,
    }),
  )
}

/** Output: whole dollars. */
export function dollarsOf(description: string) {
  return money({ unit: 'major', currency: 'USD' }, Type.Integer({ description }))
}

/** Input: whole dollars, up to the app's limit. */
export function dollarsInput(label: string, description: string, minimum = 0) {
  const schema = Type.Integer({ minimum, maximum: 999_999_999, description: `${description} Whole US dollars.` })
  return labelled(label, money({ unit: 'major', currency: 'USD' }, schema))
}

/** An optional minimum from 1 to 5. */
export function atLeast(what: string) {
  const schema = Type.Integer({ minimum: 1, maximum: 5, description: `At least this many ${what}, 1 to 5.` })
  return Type.Optional(labelled(`Fewest ${what}`, schema))
}

/** CSRF token, the same for the whole session; reading it is free. */
export const headerKey: Csrf = jsonToken({ page: '/api/desk', field: 'deskkey', header: 'x-desk-key' })
export const formKey: Csrf = asField(headerKey, 'deskkey')

/** Converts `USD 245000` into whole dollars. */
export function dollars(value: unknown): number {
  const found = /^USD (-?\d+)$/.exec(text(value))
  if (!found) throw new UnknownShape('not whole dollars')
  return number(found[1])
}

export function toDollars(amount: number | undefined): string | undefined {
  return amount === undefined ? undefined : `USD ${amount}`
}

/** Converts basis points into percent. */
export function percent(points: unknown): number {
  const whole = number(points)
  if (!Number.isInteger(whole)) throw new UnknownShape('not whole basis points')
  return whole / 100
}

/** Converts percent into basis points. More than two decimals stay as is: the app refuses them. */
export function toPoints(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Number(`${value}e2`)
}

/** Converts `2026/11/04` into an ISO day. */
export function fromSlashes(value: unknown): string {
  return fromCompact(text(value).replaceAll('/', ''))
}

export const HomeId = refTo(
  'property',
  'Pass it to get_property_analysis, get_property_comps, download_property_report or save_home.',
)
export const Address = Type.String({ description: 'Street, city and state in one line, as the app shows it.' })
export const HomePrice = labelled(
  'Price',
  dollarsOf('What it costs, in whole US dollars; for homes that are not for sale, their value.'),
)
export const Bedrooms = labelled('Bedrooms', Type.Integer({ description: 'How many bedrooms; 0 is possible.' }))
export const Bathrooms = labelled(
  'Bathrooms',
  Type.Number({ description: 'How many bathrooms; halves are possible, such as 1.5.' }),
)
export const CashOnCash = Type.Number({
  description: 'Estimated yearly cash flow after the mortgage, in percent of the cash invested; can be negative.',
})
export const CapRate = Type.Number({
  description: 'Estimated yearly revenue less operating expenses, in percent of the price.',
})

const Property = {
  property_id: HomeId,
  address: Address,
  price: HomePrice,
  bedrooms: Bedrooms,
  bathrooms: Bathrooms,
  cash_on_cash: CashOnCash,
  cap_rate: CapRate,
}
export const Properties = Type.Array(closed(Property))

export function property(row: Fields) {
  const { home, street, ask, br, ba, coc_bp, cap_bp } = row
  return {
    property_id: home,
    address: street,
    price: dollars(ask),
    bedrooms: br,
    bathrooms: ba,
    cash_on_cash: percent(coc_bp),
    cap_rate: percent(cap_bp),
  }
}
