import type { Thing } from '../kit/declared.ts'

export const things: Readonly<Record<string, Thing>> = {
  appointment: {
    label: 'appointment',
    toldBy: [
      { read: 'list_appointments', at: 'appointments', id: 'appointment_id' },
      { read: 'get_client', at: 'upcoming_appointments', id: 'appointment_id' },
      { read: 'get_client', at: 'past_appointments', id: 'appointment_id' },
    ],
    title: ['client.name'],
    facts: ['start_at', 'services', 'team_member.name', 'status'],
  },
  client: {
    label: 'client',
    toldBy: [
      { read: 'get_client', by: 'client_id', id: 'client_id' },
      { read: 'list_clients', at: 'clients', id: 'client_id' },
    ],
    title: ['name'],
    facts: ['phone', 'email', 'last_appointment'],
  },
  service: {
    label: 'service',
    toldBy: [{ read: 'list_services', at: 'services', id: 'service_id' }],
    title: ['name'],
    facts: ['price', 'duration_minutes'],
  },
  team_member: {
    label: 'team member',
    toldBy: [
      { read: 'list_team_members', at: 'team_members', id: 'team_member_id' },
      { read: 'find_available_slots', at: 'slots', id: 'team_member_id' },
    ],
    title: ['name', 'team_member'],
    facts: [],
  },
  location: { label: 'location', toldBy: [], title: [], facts: [] },
}
