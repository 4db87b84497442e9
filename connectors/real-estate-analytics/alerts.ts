import { Type } from 'typebox'
import { endpoint } from '../kit/define.ts'
import { closed, cursor, described, limit, nextCursor, oneOf, refTo } from '../kit/inputs.ts'
import { UnknownShape, text, word } from '../kit/wire.ts'
import { Filters, fromCriteria, toCriteria } from './filters.ts'
import { listQuery, pageOf } from './lists.ts'
import { Day, formKey, fromSlashes, ledTo, place, theirs } from './words.ts'

const rhythms = { day: 'daily', week: 'weekly', month: 'monthly' } as const
const frequencies = Object.values(rhythms)

const Alert = {
  alert_id: refTo('alert', 'The id of the alert in the app; no endpoint takes it.'),
  location: Type.String({ description: 'The full name of the place.' }),
  filters: Filters,
  email_frequency: Type.Enum(frequencies, {
    type: 'string',
    description: 'How often new listings are emailed, if there are any that match.',
  }),
}

export const list_property_alerts = endpoint({
  summary: 'List the property alerts with their location, filters and email frequency, newest first.',
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
      email_frequency: word(rhythms, every),
      created_on: fromSlashes(made),
      emails_sent: mails,
    }))
    return { alerts, next_cursor: make(next) }
  },
})

export const create_property_alert = endpoint({
  summary: 'Have new listings in a place emailed to you, only when there are any that match.',
  access: 'write',
  request: 'POST /alerts',
  input: {
    location: place('The city or neighborhood to watch.'),
    email_frequency: oneOf(frequencies, 'How often to email what is new: daily, weekly or monthly.'),
    filters: Type.Optional(Filters),
  },
  output: Alert,
  encode: ({ location, email_frequency, filters }) => ({
    form: { where: location, every: theirs(rhythms, email_frequency), ...toCriteria(filters) },
  }),
  csrf: formKey,
  answer: 'redirect',
  decode: (_answer, { input, location }) => {
    const [, page = '', alert] = /^(alerts\/([\w-]+))\?/.exec(location) ?? []
    if (alert === undefined) throw new UnknownShape('led to no alert')
    const said = ledTo(location, page, 'made')
    return {
      alert_id: alert,
      location: text(said.get('place')),
      filters: input.filters ?? {},
      email_frequency: input.email_frequency,
    }
  },
})
