import type { Preview } from '../kit/declared.ts'

const ticket = { of: 'appointment_id', read: 'get_appointment', by: 'appointment_id', conclusive: true } as const
const booked = ['client', 'pet', 'start', 'services', 'employee', 'status']
const changed = [...booked, 'confirmation_type', 'appointment_notes']
const voided = [...booked, 'deposit', 'products']
const pickedUp = ['client', 'pet', 'start', 'status']

export const appointmentToChange: Preview = {
  ...ticket,
  shows: changed,
  matters: changed,
  needs: { status: ['Scheduled', 'Confirmed', 'Checked In'] },
}
export const appointmentToVoid: Preview = { ...ticket, shows: voided, matters: voided }
export const appointmentToPickUp: Preview = {
  ...ticket,
  shows: pickedUp,
  matters: pickedUp,
  needs: { status: ['Checked In'] },
}

export const client: Preview = {
  of: 'client_id',
  read: 'get_client',
  by: 'client_id',
  shows: ['name', 'email', 'balance'],
  matters: ['name', 'email'],
  conclusive: true,
}
/** Conclusive: the app refuses pets of other clients. */
export const petOfClient: Preview = {
  of: 'pet_id',
  read: 'get_client',
  from: { client_id: 'client_id' },
  at: 'pets',
  id: 'pet_id',
  shows: ['name', 'breed'],
  matters: ['name'],
  conclusive: true,
}
/** No read shows a pet by its id; this one finds pets with a vaccination due. */
export const pet: Preview = {
  of: 'pet_id',
  read: 'list_vaccination_alerts',
  set: { expiring_before: '2099-12-31' },
  at: 'alerts',
  id: 'pet_id',
  shows: ['pet', 'client', 'next_appointment'],
  matters: ['pet', 'client'],
}
export const employee: Preview = {
  of: 'employee_id',
  read: 'list_employees',
  at: 'employees',
  id: 'employee_id',
  shows: ['name'],
  matters: ['name'],
}
const priceList = { read: 'list_services', at: 'services', id: 'service_id' } as const
const priced = { shows: ['name', 'price', 'duration_minutes'], matters: ['name', 'price', 'duration_minutes'] }
export const services: Preview = { of: 'service_ids', ...priceList, ...priced, conclusive: true }
/** Not conclusive: the price list may have dropped a service that the appointment still has. */
export const service: Preview = { of: 'service_id', ...priceList, ...priced }

export const waitlistEntry: Preview = {
  of: 'waitlist_entry_id',
  read: 'list_waitlist',
  at: 'entries',
  id: 'waitlist_entry_id',
  shows: ['client', 'services', 'preferred', 'employee', 'comment'],
  matters: ['client', 'services', 'employee', 'comment'],
  conclusive: true,
}
