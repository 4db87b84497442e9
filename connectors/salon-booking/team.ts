import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, described, id, moment, oneOf, refTo } from '../kit/inputs.ts'
import { rows } from '../kit/wire.ts'
import { teamMember } from './previews.ts'
import { fromLocal, toLocal } from './times.ts'
import { LocationId, TeamMember } from './shared.ts'

const purposes = codec({ break: 'pause', training: 'course', admin: 'office' })

export const list_team_members = endpoint({
  summary: 'List the team: who works at which locations and does which services.',
  aliases: [
    'who works here',
    'stylists',
    'staff',
    'which locations do they work at',
    'who does nails',
    'who can do highlights',
  ],
  label: 'List team members',
  brief: ['location_id'],
  access: 'read',
  request: 'GET /api/v2/team',
  input: { location_id: LocationId('Only who works at this location; everybody when left out.') },
  output: {
    team_members: Type.Array(
      closed({
        ...TeamMember,
        locations: Type.Array(refTo('location'), {
          description: 'Ids of the locations where they work; pass one on wherever a location_id is asked for.',
        }),
        service_ids: Type.Array(refTo('service'), {
          description: 'The services that they do: service_id of list_services.',
        }),
      }),
      { description: "Those in the team who can be booked, in the salon's own order." },
    ),
  },
  encode: ({ location_id }) => ({ query: { branch: location_id } }),
  decode: ({ rows: team }) => ({
    team_members: rows(team).map(({ stylist, full_name, branches, menu_items }) => ({
      team_member_id: stylist,
      name: full_name,
      locations: branches,
      service_ids: menu_items,
    })),
  }),
})

export const add_blocked_time = endpoint({
  summary: "Block time in a team member's calendar for a break, training or admin, within one day.",
  aliases: [
    'block lunch break',
    'keep time free',
    'stylist is away for an hour',
    'no bookings in the afternoon',
    'training time',
    'personal time',
    'keep him free from noon to one',
    'she is at the dentist',
    'nobody may book me then',
  ],
  label: 'Block time',
  brief: ['team_member_id', 'type', 'start_at', 'end_at'],
  approval: {
    headline: 'Keep {team_member_id} free from {start_at}[ to {end_at}][ for {type}]',
    button: 'Block time',
    consequences: [
      { kind: 'other', text: 'The calendar shows it as {type}, until {end_at}' },
      { kind: 'other', text: 'Nobody is told' },
    ],
  },
  effect: 'adds',
  shownBy: [],
  preview: [teamMember],
  access: 'write',
  request: 'POST /api/v2/team/{team_member_id}/time-off',
  input: {
    team_member_id: labelled(
      'Team member',
      id('team_member', 'Whose calendar: team_member_id from list_team_members.'),
    ),
    type: labelled('Purpose', oneOf(purposes.words, 'What the time is for.')),
    start_at: labelled(
      'Starts at',
      Type.String({ format: 'date-time', description: 'When it begins, to the minute; ISO 8601 with offset.' }),
    ),
    end_at: labelled(
      'Ends at',
      Type.String({ format: 'date-time', description: 'When it ends, to the minute; ISO 8601 with offset.' }),
    ),
    title: Type.Optional(
      labelled('Title', Type.String({ maxLength: 200, description: 'A text for the team to see in the calendar.' })),
    ),
  },
  output: {
    blocked_time_id: refTo('blocked_time', 'Names the blocked time in the app; no endpoint takes it.'),
    team_member_id: TeamMember.team_member_id,
    type: oneOf(purposes.words, 'What the time is kept free for.'),
    start_at: described(moment, 'When it begins, with the offset of the time zone of their first location.'),
    end_at: described(moment, 'When it ends, with the offset of the time zone of their first location.'),
  },
  encode: ({ type, start_at, end_at, title }) => ({
    json: {
      kind: purposes.encode(type),
      begin_local: toLocal(start_at).local,
      finish_local: toLocal(end_at).local,
      tz: toLocal(start_at).zone,
      label: title,
    },
  }),
  decode: ({ time_off, stylist, kind, begin_local, finish_local, tz }) => ({
    blocked_time_id: time_off,
    team_member_id: stylist,
    type: purposes.decode(kind),
    start_at: fromLocal(begin_local, tz),
    end_at: fromLocal(finish_local, tz),
  }),
})
