import { Type } from 'typebox'
import { asField, jsonToken } from '../kit/csrf.ts'
import type { Csrf } from '../kit/csrf.ts'
import type { Money } from '../kit/declared.ts'
import { labelled } from '../kit/declared.ts'
import { InputRejected } from '../kit/failures.ts'
import { NullableText, described, id, refTo } from '../kit/inputs.ts'
import { UnknownShape, number } from '../kit/wire.ts'

/** CSRF token, the same for the whole session and free; this read also has the time zone. */
export const headerChk: Csrf = jsonToken({ page: '/cloud/data/who', field: 'chk', header: 'x-zottelo-chk' })
export const formChk: Csrf = asField(headerChk, 'chk')

export const AppointmentId = labelled(
  'Appointment',
  id('appointment', 'Which appointment (ticket): appointment_id from list_appointments or get_client.'),
)
export const ClientId = labelled(
  'Client',
  id('client', 'Which client: client_id from find_clients, or of an appointment or waitlist entry.'),
)
export const PetId = labelled('Pet', id('pet', 'Which pet: pet_id from find_clients or get_client.'))
export const EmployeeId = (description: string) =>
  Type.Optional(labelled('Employee', id('employee', `${description} employee_id from list_employees.`)))

export const Day = Type.String({ format: 'date' })

/** Output: names and ids that several endpoints share. */
export const ClientName = labelled('Client', Type.String({ description: "The client's full name." }))
export const PetName = Type.String({ description: 'What the pet is called.' })
export const NullablePetName = labelled(
  'Pet',
  described(NullableText, 'What the pet is called; null when the appointment is for no pet.'),
)
export const OutClientId = refTo('client', 'Pass it to get_client or book_appointment.')
export const OutPetId = refTo('pet', 'Pass it to book_appointment, update_pet_notes or add_vaccination.')
export const OutAppointmentId = refTo(
  'appointment',
  'Pass it to get_appointment, update_appointment, void_appointment or send_pickup_text.',
)
export const Start = labelled(
  'Starts at',
  Type.String({
    format: 'date-time',
    description: "When it begins, with the offset of the salon's time zone.",
  }),
)

/** Amounts are in the salon's currency, which the app does not return. */
export const salonMoney: Money = { unit: 'major', currency: null }

/** Converts hundredths of the salon's currency into a number. */
export function fromPence(pence: unknown): number {
  if (!Number.isSafeInteger(pence)) throw new UnknownShape('not an amount in pence')
  return Number(`${number(pence)}e-2`)
}

/** Converts a price into hundredths. Throws rather than rounds. */
export function toPence(price: number | undefined): number | undefined {
  if (price === undefined) return undefined
  const pence = Math.round(price * 100)
  if (Number(`${pence}e-2`) !== price)
    throw new InputRejected('NUMBER_INVALID', `${price} is no price: it has more than two decimals.`)
  return pence
}
