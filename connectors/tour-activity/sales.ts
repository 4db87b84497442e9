import { Type } from 'typebox'
import { labelled } from '../kit/declared.ts'
import type { Preview, ShownBy } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { described, refTo } from '../kit/inputs.ts'
import { ledTo } from '../kit/location.ts'
import { UnknownShape, number } from '../kit/wire.ts'
import { formSeal } from './proof.ts'
import { Day, Departures, Which, toPanel } from './shared.ts'

interface Span {
  readonly activity_id: string
  readonly from: string
  readonly to: string
  readonly times?: string[]
}

function sent({ from, to, times }: Span) {
  return { fromDay: toPanel(from), toDay: toPanel(to), hours: times }
}

/** The outcome of a calendar form, from its redirect to the activity. */
function told(location: string, done: string) {
  const { part, query } = ledTo(location, /^desk\/tours\/(?<activity_id>T\d+)$/, { done })
  return { activity_id: part['activity_id'], said: query }
}

/** The calendar of these days shows the change. */
const shown: readonly ShownBy[] = [
  { read: 'get_availability', from: { activity_id: 'activity_id', from: 'from', to: 'to' } },
]

/** The list is complete: all activities of the provider. */
const whose: readonly Preview[] = [
  {
    of: 'activity_id',
    read: 'list_activities',
    at: 'activities',
    id: 'activity_id',
    shows: ['name', 'destination', 'status'],
    matters: ['name', 'status'],
    conclusive: true,
  },
]

const Changed = {
  activity_id: Which.activity_id,
  from: described(Day, "The first day, as it was asked for, in the activity's time zone."),
  to: described(Day, "The last day, included, as it was asked for, in the activity's time zone."),
}

/** The app names at most this many of the bookings on closed departures. */
const mostNamed = 100

export const close_dates = endpoint({
  summary: 'Stop new sales of an activity on these days; bookings stay and nobody is told.',
  aliases: [
    'stop selling a day',
    'no tour on Sunday',
    'close departures',
    'guide is ill so stop sales',
    'take days off sale',
    'nobody can book that day',
    'the guide is ill',
    'the boat is broken',
  ],
  label: 'Close dates',
  brief: ['activity_id', 'from', 'to', 'times'],
  approval: {
    headline: 'Stop selling {activity_id} from {from} to {to}[ at {times}]',
    button: 'Stop sales',
    consequences: [
      { kind: 'public', text: 'Travellers can no longer book these departures' },
      { kind: 'other', text: 'Bookings that there are stay, and nobody is told' },
      { kind: 'other', text: '[Only the departures at {times} are closed]' },
    ],
  },
  effect: 'changes',
  shownBy: shown,
  preview: whose,
  access: 'write',
  request: 'POST /desk/tours/{activity_id}/shut',
  input: Departures,
  output: {
    ...Changed,
    closed_slots: Type.Integer({ description: 'How many departures were on sale and are closed now.' }),
    bookings_on_closed_slots: Type.Integer({
      description: 'How many confirmed bookings there are on those; they stay.',
    }),
    booking_ids: Type.Array(refTo('booking'), {
      description: 'These bookings, at most the first 100, earliest departure first.',
    }),
  },
  csrf: formSeal,
  encode: (input) => ({ form: sent(input) }),
  answer: 'redirect',
  decode: (_answer, { input, location }) => {
    const { activity_id, said } = told(location, 'shut')
    const [booked, named] = [number(said.get('booked')), said.getAll('bk')]
    if (named.length !== Math.min(booked, mostNamed)) throw new UnknownShape('not as many bookings as it counted')
    return {
      activity_id,
      from: input.from,
      to: input.to,
      closed_slots: number(said.get('slots')),
      bookings_on_closed_slots: booked,
      booking_ids: named,
    }
  },
})

export const open_dates = endpoint({
  summary: 'Put days of an activity that were closed on sale again.',
  aliases: [
    'sell days again',
    'reopen departures',
    'put days back on sale',
    'run the tour again',
    'the guide is well again',
    'people may book again',
  ],
  label: 'Reopen dates',
  brief: ['activity_id', 'from', 'to', 'times'],
  approval: {
    headline: 'Put {activity_id} back on sale from {from} to {to}[ at {times}]',
    button: 'Reopen sales',
    consequences: [
      { kind: 'public', text: 'Closed departures of these days are on sale again' },
      { kind: 'other', text: 'Nobody is told' },
      { kind: 'other', text: '[Only the departures at {times} are reopened]' },
    ],
  },
  effect: 'changes',
  shownBy: shown,
  preview: whose,
  access: 'write',
  request: 'POST /desk/tours/{activity_id}/reopen',
  input: Departures,
  output: {
    ...Changed,
    opened_slots: Type.Integer({ description: 'How many departures were closed and are on sale now.' }),
  },
  csrf: formSeal,
  encode: (input) => ({ form: sent(input) }),
  answer: 'redirect',
  decode: (_answer, { input, location }) => {
    const { activity_id, said } = told(location, 'reopen')
    return { activity_id, from: input.from, to: input.to, opened_slots: number(said.get('slots')) }
  },
})

export const set_quota = endpoint({
  summary: 'Limit how many places are sold on each departure of these days; those sold already count.',
  aliases: [
    'limit the group size',
    'only ten people a tour',
    'change capacity',
    'maximum places',
    'more places',
    'take at most twelve',
    'we have a bigger boat',
  ],
  label: 'Set places to sell',
  brief: ['activity_id', 'quota', 'from', 'to'],
  approval: {
    headline: 'Limit {activity_id} to {quota|place|places} per departure from {from} to {to}[ at {times}]',
    button: 'Set {quota|place|places}',
    consequences: [
      { kind: 'public', text: 'Each departure sells no more than that in all; places sold already count' },
      { kind: 'other', text: 'Nobody is told' },
      { kind: 'other', text: '[Only the departures at {times} change]' },
    ],
  },
  effect: 'changes',
  shownBy: shown,
  preview: whose,
  access: 'write',
  request: 'PUT /panel/tours/{activity_id}/places',
  input: {
    ...Departures,
    quota: labelled(
      'Places to sell',
      Type.Integer({
        minimum: 0,
        maximum: 500,
        description: 'The most places each departure may sell in all, 0 to 500; not fewer than it has sold.',
      }),
    ),
  },
  output: {
    ...Changed,
    quota: Type.Integer({ description: 'The most places that each of these departures sells in all.' }),
    slots_changed: Type.Integer({ description: 'How many departures have this quota now.' }),
  },
  encode: ({ quota, ...span }) => ({ json: { ...sent(span), places: quota } }),
  decode: ({ act, places, slots }, { input }) => ({
    activity_id: act,
    from: input.from,
    to: input.to,
    quota: places,
    slots_changed: slots,
  }),
})
