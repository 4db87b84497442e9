import { Type } from 'typebox'
import { id } from '../inputs.ts'
import { UnknownShape, text } from '../wire.ts'

export const ClientId = id('Which client: client_id from find_client.')
export const ServiceId = id('Which service: service_id from list_services, which also tells the location.')
export const ProviderId = (description: string) =>
  Type.Optional(id(`${description} A provider_id is in provider_ids of list_services, or from search_availability.`))
export const LocationId = (description: string) => Type.Optional(id(`${description} location_id from list_locations.`))

export const Day = Type.String({ format: 'date' })
export const NullableText = Type.Union([Type.String(), Type.Null()])

/** The amount has the decimals of its currency: 42.50, 4250, 4.250. */
export const Price = Type.Object(
  { amount: Type.String({ pattern: '^\\d+(\\.\\d+)?$' }), currency: Type.String() },
  { additionalProperties: false },
)

/** `EUR 12.50` */
export function price(value: unknown) {
  const [, currency, amount] = /^([A-Z]{3}) (\d+(?:\.\d+)?)$/.exec(text(value)) ?? []
  if (currency === undefined || amount === undefined) throw new UnknownShape('not an amount')
  return { amount, currency }
}
