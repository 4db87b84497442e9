import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, cursor, described, limit, nextCursor, oneOf, refTo } from '../kit/inputs.ts'
import { ledTo } from '../kit/location.ts'
import { Filters, fromCriteria, toCriteria } from './filters.ts'
import { listQuery, pageOf } from './lists.ts'
import { Day, formKey, fromSlashes, place } from './shared.ts'

const frequencies = codec({ daily: 'day', weekly: 'week', monthly: 'month' })

const Alert = {
  alert_id: refTo('alert', 'The id of the alert in the app; no endpoint takes it.'),
  location: Type.String({ description: 'The full name of the place.' }),
  filters: Filters,
  email_frequency: oneOf(frequencies.words, 'How often new listings are emailed, if there are any that match.'),
}

export const list_property_alerts = endpoint({
  summary: 'List the property alerts with their location, filters and email frequency, newest first.',
  aliases: ['my alerts', 'which email alerts do I have', 'notifications of new listings'],
  label: 'List property alerts',
  brief: [],
  access: 'read',
  request: 'GET /api/alerts',
  input: { limit: limit(25), cursor },
  output: {
    alerts: Type.Array(
      closed({
        ...Alert,
        created_on: described(Day, 'The day when the alert was made, in UTC.'),
        emails_sent: Type.Integer({ description: 'How many emails it led to.' }),
      }),
      { description: 'Your alerts, newest first; empty when there are none.' },
    ),
    next_cursor: nextCursor,
  },
  encode: (input, { anchor }) => ({ query: listQuery({ limit: input.limit, anchor }) }),
  decode: (answer, { input, anchor, cursor: make }) => {
    const { items, next } = pageOf(answer, { limit: input.limit, anchor })
    const alerts = items.map(({ alert, place: location, crit, every, made, mails }) => ({
      alert_id: alert,
      location,
      filters: fromCriteria(crit),
      email_frequency: frequencies.decode(every),
      created_on: fromSlashes(made),
      emails_sent: mails,
    }))
    return { alerts, next_cursor: make(next) }
  },
})

export const create_property_alert = endpoint({
  summary: 'Have new listings in a place emailed to you, only when there are any that match.',
  aliases: [
    'notify me of new houses',
    'email me new listings',
    'set an alert for a city',
    'tell me when a home comes up',
    'tell me as soon as something comes up',
    'keep an eye on a town',
  ],
  label: 'Create a property alert',
  brief: ['location', 'email_frequency', 'filters'],
  approval: {
    headline:
      'Create a {email_frequency} alert for new homes in {location}[ from {filters.price_min}][ up to {filters.price_max}][ with {filters.bedrooms_min|bedroom|bedrooms} or more][ ({filters.property_type})]',
    button: 'Create alert',
    consequences: [{ kind: 'other', text: 'E-mails go to you only, when new homes match' }],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_property_alerts' }],
  preview: [],
  verify: {
    read: 'list_property_alerts',
    set: { limit: 100 },
    at: 'alerts',
    id: 'alert_id',
    same: { location: 'location', email_frequency: 'email_frequency' },
    since: 'created_on',
  },
  access: 'write',
  request: 'POST /alerts',
  input: {
    location: place('The city or neighborhood to watch.'),
    email_frequency: labelled(
      'Email',
      oneOf(frequencies.words, 'How often to email what is new: daily, weekly or monthly.'),
    ),
    filters: Type.Optional(Filters),
  },
  output: Alert,
  encode: ({ location, email_frequency, filters }) => ({
    form: { where: location, every: frequencies.encode(email_frequency), ...toCriteria(filters) },
  }),
  csrf: formKey,
  answer: 'redirect',
  decode: (_answer, { input, location }) => {
    const { part, query } = ledTo(location, /^alerts\/(?<alert>[\w-]+)$/, { done: 'made', place: true })
    return {
      alert_id: part['alert'],
      location: query.get('place'),
      filters: input.filters ?? {},
      email_frequency: input.email_frequency,
    }
  },
})
