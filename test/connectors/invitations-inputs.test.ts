import { describe, expect, test } from 'vitest'
import { loadApps } from '../../connectors/registry.ts'
import type { Row } from './app-caller.ts'
import { cursorKey } from './local-app.ts'

const app = loadApps({ sandboxUrl: 'http://localhost:8090' }).get('invitations')
const parsed = (name: string, input: unknown) => app!.endpoints.get(name)!.parseInput(input, { cursorKey })
const takes = (name: string, input: unknown) => parsed(name, input).ok

describe('inputs', () => {
  const person = (more: Row) => ({ event_id: '1', guests: [{ name: 'x', email: 'a@b.example', ...more }] })
  const people = (count: number) => ({
    event_id: '1',
    guests: Array.from({ length: count }, () => ({ name: 'x', phone: '12345' })),
  })
  const message = (more: Row) => ({ event_id: '1', recipients: { status: ['sent'] }, ...more })
  const to = (recipients: Row) => ({ event_id: '1', message: 'x', recipients })
  const note = (more: Row) => ({ event_id: '1', guest_id: '1', message: 'x', ...more })
  const tag = (more: Row) => ({ event_id: '1', guest_ids: ['1'], tag: 'x', ...more })
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => String(at))

  const cases: [string, Row[], Row[]][] = [
    [
      'list_events',
      [{}, { limit: 1 }, { limit: 100 }, ...['draft', 'sent', 'scheduled'].map((status) => ({ status }))],
      [{ limit: 0 }, { limit: 101 }, { status: 'all' }, { status: 'OUT' }, { title: 'x' }],
    ],
    [
      'list_guests',
      [
        { event_id: '1', search: 'x'.repeat(200) },
        { event_id: '1', tag: 'x'.repeat(40) },
      ],
      [
        {},
        { event_id: '1', search: 'x'.repeat(201) },
        { event_id: '1', tag: '' },
        { event_id: '1', tag: 'x'.repeat(41) },
        { event_id: '1', status: 'Attending' },
        { event_id: '1', limit: 5 },
      ],
    ],
    ['list_contacts', [{}, { search: 'x'.repeat(200) }], [{ search: 'x'.repeat(201) }, { limit: 5 }]],
    ['get_event', [{ event_id: '1' }], [{}, { event_id: '' }, { event_id: 1 }]],
    ['get_guest', [{ event_id: '1', guest_id: '1' }], [{ event_id: '1' }, { guest_id: '1' }]],
    ['export_guest_list', [{ event_id: '1' }], [{}]],
    [
      'add_guests',
      [
        person({ name: 'x'.repeat(120), group_name: 'x'.repeat(120), phone: '1'.repeat(40) }),
        person({ total_invited: 1 }),
        person({ total_invited: 100 }),
        people(1),
        people(200),
      ],
      [
        person({ name: '' }),
        person({ name: 'x'.repeat(121) }),
        person({ group_name: 'x'.repeat(121) }),
        person({ phone: '1234' }),
        person({ phone: '1'.repeat(41) }),
        person({ email: 'nobody' }),
        person({ total_invited: 0 }),
        person({ total_invited: 101 }),
        person({ total_invited: 1.5 }),
        person({ surname: 'x' }),
        { event_id: '1', guests: [{ name: 'neither email nor phone', total_invited: 2 }] },
        { event_id: '1', guests: [{ email: 'a@b.example' }] },
        people(0),
        people(201),
        { guests: people(1).guests },
      ],
    ],
    [
      'send_invitation',
      [{}, { send_at: '' }, { send_at: '2030-01-01T00:00:00Z' }, { send_at: '2030-01-01T00:00:00-03:30' }].map(
        (one) => ({
          event_id: '1',
          ...one,
        }),
      ),
      [{ send_at: 'now' }, { send_at: '2030-01-01T00:00:00' }, { send_at: '2030-01-01' }, { send_at: null }].map(
        (one) => ({ event_id: '1', ...one }),
      ),
    ],
    [
      'send_message',
      [
        message({ message: 'x'.repeat(2000) }),
        ...['reminder_to_rsvp', 'event_reminder', 'time_location_change'].map((template) => message({ template })),
        message({ template: 'write_your_own', message: 'x' }),
        to({ status: ['sent', 'opened', 'attending', 'not_attending', 'maybe'], tags: ['x'.repeat(40)] }),
      ],
      [
        message({ message: 'x'.repeat(2001) }),
        message({}),
        message({ template: 'other', message: 'x' }),
        { event_id: '1', message: 'x' },
        to({}),
        to({ tags: ['x'] }),
        to({ status: [] }),
        to({ status: ['sent', 'sent'] }),
        ...['unsent', 'scheduled', 'bounced'].map((status) => to({ status: [status] })),
        to({ status: ['sent'], tags: [] }),
        to({ status: ['sent'], tags: [''] }),
        to({ status: ['sent'], tags: ['x'.repeat(41)] }),
      ],
    ],
    [
      'send_private_message',
      [note({}), note({ message: 'x'.repeat(2000), subject: 'x'.repeat(150) })],
      [
        note({ message: '' }),
        note({ message: 'x'.repeat(2001) }),
        note({ subject: 'x'.repeat(151) }),
        { message: 'x' },
      ],
    ],
    [
      'tag_guests',
      [tag({ tag: 'x'.repeat(40) }), tag({ guest_ids: numbers(200) })],
      [
        tag({ tag: '' }),
        tag({ tag: 'x'.repeat(41) }),
        tag({ guest_ids: [] }),
        tag({ guest_ids: numbers(201) }),
        tag({ guest_ids: ['1', '1'] }),
        tag({ guest_ids: '1' }),
      ],
    ],
  ]

  test.each(cases)('of %s are accepted up to their bounds and not beyond', (name, good, bad) => {
    for (const input of good) expect(takes(name, input), JSON.stringify(input).slice(0, 200)).toBe(true)
    for (const input of bad) expect(takes(name, input), JSON.stringify(input).slice(0, 200)).toBe(false)
  })

  test('have the documented defaults', () => {
    expect(parsed('list_events', {})).toEqual({ ok: true, input: { status: 'sent', limit: 20 } })
    expect(parsed('send_message', to({ status: ['maybe'] }))).toMatchObject({ input: { template: 'write_your_own' } })
  })

  test('without email and phone are told which is missing', () => {
    const input = { event_id: '1', guests: [{ name: 'x' }] }
    expect(parsed('add_guests', input)).toMatchObject({
      details: [{ path: 'guests.0', message: 'must have at least one of email, phone' }],
    })
  })
})
