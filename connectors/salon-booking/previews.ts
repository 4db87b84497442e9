import type { Preview } from '../kit/declared.ts'

// No read shows an appointment by its id alone: lists need its day, a profile needs the client.

export const client: Preview = {
  of: 'client_id',
  read: 'get_client',
  by: 'client_id',
  shows: ['name', 'phone', 'allergies'],
  matters: ['name', 'phone'],
  conclusive: true,
}

export const services: Preview = {
  of: 'service_ids',
  read: 'list_services',
  at: 'services',
  id: 'service_id',
  shows: ['name', 'price', 'currency', 'duration_minutes'],
  matters: ['name', 'price', 'currency', 'duration_minutes'],
  conclusive: true,
}

export const teamMember: Preview = {
  of: 'team_member_id',
  read: 'list_team_members',
  at: 'team_members',
  id: 'team_member_id',
  shows: ['name'],
  matters: ['name'],
  conclusive: true,
}
