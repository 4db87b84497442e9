import type { Thing } from '../kit/declared.ts'

export const things: Readonly<Record<string, Thing>> = {
  appointment: {
    label: 'appointment',
    toldBy: [
      { read: 'get_appointment', by: 'appointment_id', id: 'appointment_id' },
      { read: 'list_appointments', at: 'appointments', id: 'appointment_id' },
    ],
    title: ['client'],
    facts: ['pet', 'start', 'employee', 'status'],
  },
  client: {
    label: 'client',
    toldBy: [
      { read: 'get_client', by: 'client_id', id: 'client_id' },
      { read: 'find_clients', at: 'clients', id: 'client_id' },
    ],
    title: ['name'],
    facts: ['phone', 'email'],
  },
  pet: {
    label: 'pet',
    toldBy: [
      { read: 'get_client', at: 'pets', id: 'pet_id' },
      { read: 'find_clients', at: 'clients.pets', id: 'pet_id' },
      { read: 'list_vaccination_alerts', at: 'alerts', id: 'pet_id' },
    ],
    title: ['name', 'pet'],
    facts: ['breed', 'client'],
  },
  employee: {
    label: 'employee',
    toldBy: [{ read: 'list_employees', at: 'employees', id: 'employee_id' }],
    title: ['name'],
    facts: [],
  },
  service: {
    label: 'service',
    toldBy: [{ read: 'list_services', at: 'services', id: 'service_id' }],
    title: ['name'],
    facts: ['price', 'duration_minutes', 'category'],
  },
  waitlist_entry: {
    label: 'waitlist entry',
    toldBy: [{ read: 'list_waitlist', at: 'entries', id: 'waitlist_entry_id' }],
    title: ['client'],
    facts: ['employee', 'comment'],
  },
}
