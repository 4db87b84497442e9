import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppCaller, dayFromNow, values } from './app-caller.ts'
import type { Row } from './app-caller.ts'

const event_id = '1001951' // in Lagos, three days from 276 days ahead on
const small = '1000470'
const at = (days: number, time: string) => `${dayFromNow(276 + days)}T${time}`

let house: AppCaller
beforeAll(async () => {
  house = await AppCaller.open('event-management')
})
beforeEach(() => house.sandbox.reset())
afterAll(() => house.sandbox.close())

const attendees = (input: Row = {}) => house.rows('list_attendees', 'attendees', { event_id, limit: 500, ...input })
const agenda = (input: Row = {}) => house.rows('list_sessions', 'sessions', { event_id, ...input })
const speakers = (input: Row = {}) => house.rows('list_speakers', 'speakers', { event_id, ...input })

describe('an attendee', () => {
  const ada = { event_id, first_name: 'Ada', last_name: "O'Neill & <b>", email: 'ada@mail.example' }

  test('is added with the least, then changed by email address in any case', async () => {
    const before = await attendees()
    const { created, ...added } = await house.call('add_attendee', ada)
    expect(created).toBe(true)
    expect(added).toMatchObject({
      company: null,
      ticket_type: 'Standard',
      audience_type: 'Delegate',
      checked_in: false,
    })
    expect(added).toMatchObject({ first_name: 'Ada', last_name: "O'Neill & <b>", email: 'ada@mail.example' })
    expect(await attendees()).toEqual([added, ...before])

    const more = { company: 'Kumo 雲', ticket_type: 'vip', audience_type: 'press' }
    const changed = await house.call('add_attendee', { ...ada, email: 'ADA@mail.example', first_name: 'Adà', ...more })
    const now = { ...added, first_name: 'Adà', email: 'ADA@mail.example', company: 'Kumo 雲' }
    expect(changed).toEqual({ ...now, ticket_type: 'VIP', audience_type: 'Press', created: false })
    expect(await house.call('add_attendee', ada)).toMatchObject({
      company: 'Kumo 雲',
      ticket_type: 'VIP',
      audience_type: 'Press',
    })
    expect(await house.call('add_attendee', { ...ada, company: '' })).toMatchObject({ company: null })
    expect((await attendees()).length).toBe(before.length + 1)
    expect((await house.control.effects()).length).toBe(4)
  })

  test('keeps the check-in when changed', async () => {
    const one = (await attendees({ checked_in: true })).find(({ email }) => email !== null)!
    const { attendee_id, email } = one
    const changed = await house.call('add_attendee', { ...ada, email })
    expect(changed).toMatchObject({ attendee_id, email, first_name: 'Ada', checked_in: true, created: false })
  })

  test.each([
    ['a ticket type that the event does not have', { ticket_type: 'Gold' }, 'PASS_UNKNOWN'],
    ['an audience that there is not', { audience_type: 'Robot' }, 'CROWD_UNKNOWN'],
    ['a blank name', { first_name: ' ' }, 'FIELD_MISSING'],
    ['an event that does not exist', { event_id: '1' }, 'GATHERING_NOT_FOUND'],
  ])('is refused with %s', async (_what, more, code) => {
    expect(await house.refused('add_attendee', { ...ada, ...more })).toBe(code)
    expect(await house.control.effects()).toEqual([])
  })

  test('is bounded as the app bounds it', async () => {
    const longest = { first_name: 'x'.repeat(120), last_name: 'y'.repeat(120), company: 'z'.repeat(200) }
    expect(await house.call('add_attendee', { ...ada, ...longest })).toMatchObject(longest)
    const bad: Row[] = [
      { first_name: '' },
      { first_name: 'x'.repeat(121) },
      { last_name: '' },
      { last_name: 'x'.repeat(121) },
      { company: 'x'.repeat(201) },
      { email: 'no address' },
      { email: `${'x'.repeat(250)}@mail.example` },
      { ticket_type: '' },
      { ticket_type: 'x'.repeat(121) },
      { audience_type: '' },
      { audience_type: 'x'.repeat(121) },
      { checked_in: true },
    ]
    for (const more of bad) expect(house.takes('add_attendee', { ...ada, ...more }), JSON.stringify(more)).toBe(false)
    for (const name of ['event_id', 'first_name', 'last_name', 'email'])
      expect(house.takes('add_attendee', { ...ada, [name]: undefined }), name).toBe(false)
  })
})

describe('a session', () => {
  const talk = { event_id, title: 'Drawing & <data> "שלום"', start: at(0, '20:00:00Z'), end: at(0, '22:15:30+01:00') }

  test('is added with the least or with all, in the agenda at once, its speakers too', async () => {
    const before = await agenda()
    const known = (await speakers())[0]!['name']
    const { description, ...added } = await house.call('add_session', talk)
    const where = { start: at(0, '21:00:00+01:00'), end: at(0, '22:15:30+01:00') }
    const { session_id } = added
    expect({ ...added, description }).toEqual({
      ...where,
      session_id,
      title: talk.title,
      tracks: [],
      speakers: [],
      description: '',
    })
    const more = { tracks: ['Workshops', 'A new track'], speakers: [known, 'Guðrún Nýja'], description: 'a\n<b>' }
    const full = await house.call('add_session', { ...talk, ...more })
    expect(full).toMatchObject({ ...more, ...where })
    const { description: _about, ...listed } = full
    const now = await agenda()
    expect(now).toContainEqual(added)
    expect(now).toContainEqual(listed)
    expect(now.length).toBe(before.length + 2)
    expect(await agenda({ track: 'a new track' })).toEqual([listed])
    expect(await speakers({ session_id: full['session_id'] })).toMatchObject([
      { name: known },
      { name: 'Guðrún Nýja', email: null, sessions: [talk.title] },
    ])
    expect((await house.control.effects()).length).toBe(2)
  })

  test('is changed in what is given and stays in the rest', async () => {
    const { session_id, ...first } = await house.call('add_session', {
      ...talk,
      tracks: ['Workshops'],
      speakers: ['One New', 'Two New'],
      description: 'Before.',
    })
    const change = (more: Row) => house.call('update_session', { session_id, ...more })
    expect(await change({ description: 'After.' })).toEqual({ session_id, ...first, description: 'After.' })
    expect(await change({ end: at(0, '23:00:00+01:00') })).toMatchObject({
      start: at(0, '21:00:00+01:00'),
      end: at(0, '23:00:00+01:00'),
      tracks: ['Workshops'],
    })
    expect(await change({ start: at(0, '10:00:00Z') })).toMatchObject({ start: at(0, '11:00:00+01:00') })
    expect(await change({ tracks: ['Recorded', 'Other'] })).toMatchObject({
      tracks: ['Recorded', 'Other'],
      speakers: ['One New', 'Two New'],
    })
    expect(await change({ speakers: ['two new'] })).toMatchObject({ speakers: ['Two New'], description: 'After.' })
    expect(await change({ tracks: [], speakers: [], description: '' })).toMatchObject({
      title: talk.title,
      tracks: [],
      speakers: [],
      description: '',
    })
    expect((await agenda()).find((one) => one['session_id'] === session_id)).toMatchObject({ tracks: [] })
    const left = (await speakers()).filter(({ name }) => /^(One|Two) New$/.test(String(name)))
    expect(values(left, 'sessions')).toEqual([[], []])
    expect((await house.control.effects()).length).toBe(7)
  })

  test.each([
    ['an end that is the start', { end: talk.start }, 'SLOT_BACKWARDS'],
    ['a start before the event', { start: at(-1, '22:59:59Z') }, 'OUTSIDE_GATHERING'],
    ['an end after the event', { end: at(2, '23:00:01Z') }, 'OUTSIDE_GATHERING'],
    ['a part of a second', { start: at(0, '20:00:00.5Z') }, 'MOMENT_INVALID'],
    ['a speaker named twice', { speakers: ['Ada', 'ADA'] }, 'NAME_TWICE'],
    ['a track named twice', { tracks: ['Tech', ' tech'] }, 'NAME_TWICE'],
  ])('is refused with %s', async (_what, more, code) => {
    expect(await house.refused('add_session', { ...talk, ...more })).toBe(code)
    const [one] = await agenda()
    const { title: _title, event_id: _event, ...rest } = talk
    const changed = { ...rest, ...more, session_id: one?.['session_id'] }
    expect(await house.refused('update_session', changed)).toBe(code)
    expect(await house.control.effects()).toEqual([])
  })

  test('may fill the event from its first to its last second', async () => {
    const whole = { start: at(-1, '23:00:00Z'), end: at(2, '23:00:00Z') }
    expect(await house.call('add_session', { ...talk, ...whole })).toMatchObject({ start: at(0, '00:00:00+01:00') })
    expect(await house.call('add_session', { ...talk, start: at(0, '20:00:00.000Z') })).toMatchObject({
      title: talk.title,
    })
  })

  test('that does not exist, is of somebody else, or is left as it is, is refused', async () => {
    const [one] = await agenda()
    const session_id = one?.['session_id']
    expect(house.takes('update_session', { session_id })).toBe(false)
    expect(await house.refused('update_session', { session_id, description: 'x' }, 'stranger')).toBe('SLOT_NOT_FOUND')
    expect(await house.refused('update_session', { session_id: 'none', description: 'x' })).toBe('SLOT_NOT_FOUND')
    expect(await house.refused('add_session', { ...talk, title: ' ' })).toBe('FIELD_MISSING')
    expect(await house.refused('add_session', talk, 'stranger')).toBe('GATHERING_NOT_FOUND')
    expect(await house.control.effects()).toEqual([])
  })

  test('is bounded as the app bounds it', async () => {
    const names = (count: number) => Array.from({ length: count }, (_, n) => `${n}`.padEnd(120, 'x'))
    const most = { title: 'x'.repeat(200), tracks: names(10), speakers: names(20), description: 'x'.repeat(5000) }
    expect(await house.call('add_session', { ...talk, ...most })).toMatchObject(most)
    const bad: Row[] = [
      { tracks: names(11) },
      { tracks: ['x'.repeat(121)] },
      { tracks: [''] },
      { tracks: ['a', 'a'] },
      { speakers: names(21) },
      { speakers: ['x'.repeat(121)] },
      { speakers: [''] },
      { description: 'x'.repeat(5001) },
      { start: at(0, '20:00:00') },
      { end: dayFromNow(276) },
    ]
    const { title: _title, event_id: _event, ...times } = talk
    for (const more of [...bad, { title: '' }, { title: 'x'.repeat(201) }])
      expect(house.takes('add_session', { ...talk, ...more }), JSON.stringify(more)).toBe(false)
    expect(house.takes('update_session', { session_id: '1', ...times })).toBe(true)
    for (const more of [...bad, { title: 'New' }])
      expect(house.takes('update_session', { session_id: '1', ...times, ...more }), JSON.stringify(more)).toBe(false)
    for (const name of Object.keys(talk))
      expect(house.takes('add_session', { ...talk, [name]: undefined }), name).toBe(false)
  })
})

describe('a mailing', () => {
  /** What the app says it sent. */
  async function mails(mailing_no: unknown): Promise<{ recipient: string; subject: string; words: string }[]> {
    const { session } = (await house.control.accounts()).find(({ user }) => user === 'demo')!
    const cookie = session.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const address = `${house.sandbox.url}/event-management/organizer/v1/mails?mailing_no=${String(mailing_no)}&page_size=500`
    const answer = (await (await fetch(address, { headers: { cookie } })).json()) as {
      mails: { recipient: string; subject: string; words: string }[]
    }
    return answer.mails
  }

  test('announces to all attendees with an address', async () => {
    const all = await attendees()
    const reached = values(all, 'email').filter((email) => email !== null)
    const letter = { subject: 'Doors & <b>times</b>', message: 'Olá!\n"1+1=2" & more 😀' }
    const { announcement_id, ...counts } = await house.call('send_announcement', { event_id, ...letter })
    expect(counts).toEqual({ event_id, emailed: reached.length, without_email: all.length - reached.length })
    expect(counts['without_email']).toBeGreaterThan(0)
    const sent = await mails(announcement_id)
    expect(sent.map(({ recipient }) => recipient).toSorted()).toEqual(reached.map(String).toSorted())
    for (const mail of sent) expect(mail).toMatchObject({ subject: letter.subject, words: letter.message })
    expect((await house.control.effects()).length).toBe(1)
  })

  test('goes to all speakers with an address, or to the listed ones', async () => {
    const all = await speakers()
    const able = all.filter(({ email }) => email !== null)
    const message = 'Slides, please.'
    const { message_id, ...counts } = await house.call('message_speakers', { event_id, message })
    expect(counts).toEqual({ event_id, emailed: able.length, without_email: all.length - able.length })
    const sent = await mails(message_id)
    expect(sent.map(({ recipient }) => recipient).toSorted()).toEqual(values(able, 'email').map(String).toSorted())
    expect(sent[0]?.subject).toContain('News about')
    const speaker_ids = values(able.slice(1, 4), 'speaker_id')
    const some = await house.call('message_speakers', { event_id, message, subject: 'Three', speaker_ids })
    expect(some).toMatchObject({ emailed: 3, without_email: 0 })
    const three = await mails(some['message_id'])
    expect(three.map(({ recipient }) => recipient).toSorted()).toEqual(
      values(able.slice(1, 4), 'email').map(String).toSorted(),
    )
    expect(three[0]).toMatchObject({ subject: 'Three', words: message })
  })

  test('is refused to a speaker without an address, or of another event', async () => {
    const silent = (await speakers()).find(({ email }) => email === null)!
    const [other] = await speakers({ event_id: small })
    const to = (...speaker_ids: unknown[]) => ({ event_id, message: 'Hello', speaker_ids })
    expect(await house.refused('message_speakers', to(silent['speaker_id']))).toBe('VOICE_WITHOUT_MAIL')
    expect(await house.refused('message_speakers', to(other?.['speaker_id']))).toBe('VOICE_NOT_FOUND')
    expect(await house.refused('message_speakers', to('made up'))).toBe('VOICE_NOT_FOUND')
    expect(await house.control.effects()).toEqual([])
  })

  test.each(['send_announcement', 'message_speakers'])(
    '%s is refused without words, or of another event',
    async (name) => {
      expect(await house.refused(name, { event_id, message: ' ' })).toBe('FIELD_MISSING')
      expect(await house.refused(name, { event_id, message: 'x' }, 'stranger')).toBe('GATHERING_NOT_FOUND')
      expect(await house.refused(name, { event_id: 'made up', message: 'x' })).toBe('GATHERING_NOT_FOUND')
      expect(await house.control.effects()).toEqual([])
    },
  )

  test.each(['send_announcement', 'message_speakers'])('%s is bounded as the app bounds it', async (name) => {
    const most = { event_id: small, subject: 'x'.repeat(150), message: 'é'.repeat(5000) }
    expect((await house.call(name, most))['event_id']).toBe(small)
    const bad: Row[] = [
      { subject: '' },
      { subject: 'x'.repeat(151) },
      { message: '' },
      { message: 'x'.repeat(5001) },
      { message: undefined },
      { event_id: undefined },
    ]
    for (const more of bad) expect(house.takes(name, { ...most, ...more }), JSON.stringify(more)).toBe(false)
  })

  test('takes 1 to 500 different speakers', () => {
    const takes = (speaker_ids: string[]) => house.takes('message_speakers', { event_id, message: 'x', speaker_ids })
    expect(takes(['1'])).toBe(true)
    expect(takes(Array.from({ length: 500 }, (_, n) => `${n}`))).toBe(true)
    expect(takes([])).toBe(false)
    expect(takes(['1', '1'])).toBe(false)
    expect(takes(Array.from({ length: 501 }, (_, n) => `${n}`))).toBe(false)
  })
})
