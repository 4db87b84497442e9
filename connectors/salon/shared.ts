import { Type } from 'typebox'
import { labelled, money } from '../kit/declared.ts'
import { id } from '../kit/inputs.ts'
import { UnknownShape, text } from '../kit/wire.ts'

export const ClientId = labelled('Client', id('client', 'Which client: client_id from find_client.'))
export const ServiceId = labelled(
  'Service',
  id('service', 'Which service: service_id from list_services, which also tells the location.'),
)
export const ProviderId = (description: string) =>
  Type.Optional(
    labelled(
      'Provider',
      id('provider', `${description} A provider_id is in provider_ids of list_services, or from search_availability.`),
    ),
  )
export const LocationId = (description: string) =>
  Type.Optional(labelled('Location', id('location', `${description} location_id from list_locations.`)))

export const Day = Type.String({ format: 'date' })

export const ClientName = Type.String({ description: "The client's full name." })
export const ServiceName = labelled('Service', Type.String({ description: 'What the business calls the service.' }))

export const Price = Type.Object(
  {
    amount: labelled(
      'Price',
      money(
        { unit: 'major', currency: { field: 'currency' } },
        Type.String({
          pattern: '^\\d+(\\.\\d+)?$',
          description: 'A decimal text with as many decimals as the currency has, e.g. 42.50, 4250, 4.250.',
        }),
      ),
    ),
    currency: labelled(
      'Currency',
      Type.String({ description: 'The ISO 4217 code, e.g. EUR; each location has its own.' }),
    ),
  },
  { additionalProperties: false },
)

/** Parses `EUR 12.50`. */
export function price(value: unknown) {
  const [, currency, amount] = /^([A-Z]{3}) (\d+(?:\.\d+)?)$/.exec(text(value)) ?? []
  if (currency === undefined || amount === undefined) throw new UnknownShape('not an amount')
  return { amount, currency }
}
