import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { values } from './app-caller.ts'
import type { AppCaller, Row } from './app-caller.ts'
import { House, cohosted, draft, empty, scheduled, sent, numberIn } from './invitations-house.ts'

let house: House
let host: AppCaller
beforeAll(async () => {
  house = await House.open()
  host = house.caller
})
beforeEach(() => host.sandbox.reset())
afterEach(() => vi.useRealTimers())
afterAll(() => host.sandbox.close())

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const statusOf = async (event_id: string) => (await host.call('get_event', { event_id }))['status']
const guests = (event_id: string, filter: Row = {}) => host.every('list_guests', 'guests', { event_id, ...filter })
const ids = async (event_id: string, filter: Row) => values(await guests(event_id, filter), 'guest_id').map(String)
const messagesOf = async (event_id: string, guest_id: string) =>
  (await host.call('get_guest', { event_id, guest_id }))['messages'] as Row[]

async function refusedBy(name: string, input: Row, code: string): Promise<void> {
  expect(await host.refused(name, input), JSON.stringify(input)).toBe(code)
}

describe('adding guests', () => {
  test('puts them on the unsent list as given, and sends nothing', async () => {
    const before = await house.letters()
    const given = [
      { name: 'Zoë & <b>José</b> "😀"', email: 'zoe@mail.example', group_name: 'Família Núñez', total_invited: 100 },
      { name: 'Phone Only', phone: '+351 (21) 555-01.34' },
      { name: 'Both', email: 'both@mail.example', phone: '12345', total_invited: 1 },
    ]
    for (const [event_id, held] of [
      [sent, 2],
      [draft, 66],
      [empty, 0],
      [cohosted.draft, 5],
    ] as const) {
      const answer = await host.call('add_guests', { event_id, guests: given })
      expect(answer).toEqual({ event_id, added: 3, unsent_list_total: held + 3, status: 'unsent' })
      const unsent = await guests(event_id, { status: 'unsent' })
      expect(unsent.length).toBe(held + 3)
      expect(values(unsent.slice(0, 3), 'name')).toEqual(given.map(({ name }) => name).toReversed())
      expect(unsent[0]).toMatchObject({ total_attending: 0, tags: [] })
      const { guests: raw } = (await house.read(`api/parties/${numberIn(event_id)}/guests?pageSize=3`)) as {
        guests: Row[]
      }
      expect(raw.toReversed()).toMatchObject([
        { mail: 'zoe@mail.example', mobile: '', household: 'Família Núñez', seats: 100 },
        { mail: '', mobile: '+351 (21) 555-01.34', household: '', seats: 1 },
        { mail: 'both@mail.example', mobile: '12345', seats: 1 },
      ])
    }
    expect(await house.letters()).toEqual(before)
    expect((await host.control.effects()).length).toBe(4)
  })

  test('adds all or, if the app refuses one, none', async () => {
    const good = { name: 'Good', email: 'good@mail.example' }
    for (const [bad, code] of [
      [{ name: ' ', email: 'a@mail.example' }, 'FIELD_REQUIRED'],
      [{ name: 'Bad', phone: 'no number' }, 'PHONE_INVALID'],
      [{ name: 'Bad', email: '"a,b"@mail.example' }, 'MAIL_INVALID'],
    ] as const)
      await refusedBy('add_guests', { event_id: draft, guests: [good, bad] }, code)
    expect((await guests(draft)).length).toBe(66)
    expect(await host.control.effects()).toEqual([])
    const many = Array.from({ length: 200 }, (_, at) => ({ name: `${at}`.padEnd(120, 'é'), phone: '1'.repeat(40) }))
    expect(await host.call('add_guests', { event_id: draft, guests: many })).toMatchObject({ added: 200 })
  })
})

describe('the invitation', () => {
  test('of a draft goes out at once, or bounces, and again to who is added later', async () => {
    const lost = [{ name: 'Lost', email: 'lost@nowhere.invalid' }]
    await host.call('add_guests', { event_id: draft, guests: lost })
    const before = Date.now()
    const { send_at, ...answer } = await host.call('send_invitation', { event_id: draft })
    expect(answer).toEqual({ event_id: draft, status: 'sent', recipients: 67 })
    expect(Math.abs(Date.parse(String(send_at)) - before)).toBeLessThan(10_000)
    expect(await statusOf(draft)).toBe('sent')
    expect((await host.rows('list_events', 'events', { limit: 1 }))[0]).toMatchObject({ event_id: draft })
    expect((await ids(draft, { status: 'sent' })).length).toBe(66)
    expect(values(await guests(draft, { status: 'bounced' }), 'name')).toEqual(['Lost'])
    await refusedBy('send_invitation', { event_id: draft }, 'NOBODY_HELD')

    await host.call('add_guests', { event_id: draft, guests: [{ name: 'Late', phone: '+351 21 555' }] })
    expect(await host.call('send_invitation', { event_id: draft, send_at: '' })).toMatchObject({
      status: 'sent',
      recipients: 1,
    })
    expect((await ids(draft, { status: 'sent' })).length).toBe(67)
    expect((await house.letters())[0]).toMatchObject({ kind: 'INVITE', recipient: '+351 21 555', gone: true })
  })

  test.each([
    ['a draft', draft, 66],
    ['one that was sent before', sent, 2],
  ])('of %s waits for its time, and goes out by itself', async (_what, event_id, recipients) => {
    const unsent = await ids(event_id, { status: 'unsent' })
    const time = `${inDays(3).slice(0, 11)}09:30:15.250`
    const answer = await host.call('send_invitation', { event_id, send_at: `${time}+02:00` })
    const send_at = new Date(Date.parse(`${time}Z`) - 7_200_000).toISOString()
    expect(answer).toEqual({ event_id, status: 'scheduled', recipients, send_at })
    expect(await statusOf(event_id)).toBe('scheduled')
    expect(await ids(event_id, { status: 'scheduled' })).toEqual(unsent)
    await host.call('add_guests', { event_id, guests: [{ name: 'Late', phone: '+351 21 555' }] })
    await refusedBy('send_invitation', { event_id }, 'PARTY_QUEUED')

    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(send_at) + 2000 })
    expect(await statusOf(event_id)).toBe('sent')
    expect(await ids(event_id, { status: 'scheduled' })).toEqual([])
    expect(values(await guests(event_id, { status: 'unsent' }), 'name')).toEqual(['Late'])
    const out = await ids(event_id, { status: 'sent' })
    expect(unsent.filter((guest) => !out.includes(guest))).toEqual([])
  })

  test('may be sent by a co-host, too', async () => {
    const unsent = await ids(cohosted.draft, { status: 'unsent' })
    const answer = await host.call('send_invitation', { event_id: cohosted.draft })
    expect(answer).toMatchObject({ status: 'sent', recipients: unsent.length })
    expect(await statusOf(cohosted.draft)).toBe('sent')
  })

  test('is refused without anybody unsent, while it waits, and at times that cannot be', async () => {
    await refusedBy('send_invitation', { event_id: empty }, 'NOBODY_HELD')
    await refusedBy('send_invitation', { event_id: scheduled }, 'PARTY_QUEUED')
    await refusedBy('send_invitation', { event_id: draft, send_at: inDays(-0.001) }, 'TIME_PAST')
    await refusedBy('send_invitation', { event_id: draft, send_at: inDays(733) }, 'TIME_TOO_FAR')
    const takes = (send_at: string) => host.takes('send_invitation', { event_id: draft, send_at })
    expect(['2027-12-31T23:59:59Z', '2027-12-31T23:59:60Z'].map(takes)).toEqual([true, false])
    expect(await host.control.effects()).toEqual([])
    expect(await statusOf(draft)).toBe('draft')
    await host.call('send_invitation', { event_id: draft, send_at: inDays(731.9) })
  })

  test('is opened and replied to by guests, which the list shows', async () => {
    await host.call('add_guests', { event_id: empty, guests: [{ name: 'A', phone: '12345', total_invited: 3 }] })
    await host.call('send_invitation', { event_id: empty })
    const [guest_id = ''] = await ids(empty, { status: 'sent' })
    for (const [form, status, total_attending] of [
      [{ answer: 'SEEN' }, 'opened', 0],
      [{ answer: 'UNSURE' }, 'maybe', 0],
      [{ answer: 'COMING', headcount: '2' }, 'attending', 2],
      [{ answer: 'DECLINED' }, 'not_attending', 0],
    ] as const) {
      await house.answer(guest_id, form)
      expect(await guests(empty, { status })).toMatchObject([{ guest_id, status, total_attending }])
    }
  })
})

describe('a message', () => {
  const statuses = ['sent', 'opened', 'attending', 'not_attending', 'maybe']

  test.each(statuses)('reaches everybody who is %s', async (status) => {
    const to = await ids(sent, { status })
    const { sent_at, ...answer } = await host.call('send_message', {
      event_id: sent,
      message: 'Olá!\n& <b>"1"</b> 😀',
      recipients: { status: [status] },
    })
    expect(answer).toEqual({ event_id: sent, recipients: to.length })
    const batch = (await house.letters()).slice(0, to.length)
    expect(new Set(values(batch, 'guestNo'))).toEqual(new Set(to.map(numberIn)))
    for (const letter of batch) {
      expect(letter).toMatchObject({ kind: 'TO_ALL', words: 'Olá!\n& <b>"1"</b> 😀', gone: true })
      expect(letter['goesMs']).toBe(Date.parse(String(sent_at)))
    }
    expect((await messagesOf(sent, to[0] ?? ''))[0]).toMatchObject({ type: 'broadcast', sent_at })
    expect((await host.control.effects()).length).toBe(1)
  })

  test.each([
    ['reminder_to_rsvp', 'NUDGE'],
    ['event_reminder', 'HEADS_UP'],
    ['time_location_change', 'CHANGE'],
  ])('from the template %s says that, and what is added to it', async (template, preset) => {
    const input = { event_id: sent, template, recipients: { status: ['maybe'] } }
    await host.call('send_message', input)
    const plain = String((await house.letters())[0]?.['words'])
    await host.call('send_message', { ...input, message: 'And this.' })
    const words = String((await house.letters())[0]?.['words'])
    expect(plain.length).toBeGreaterThan(0)
    expect(words.startsWith(plain)).toBe(true)
    expect(words.endsWith('And this.')).toBe(true)
    expect((await host.control.effects()).map(({ body }) => (body as Row)['preset'])).toEqual([preset, preset])
  })

  test('goes to several statuses, of these only to guests with one of the Guest Tags', async () => {
    const everybody = await guests(sent)
    const tags = ['Family', 'חברים']
    const to = everybody.filter(
      (guest) =>
        ['maybe', 'attending'].includes(String(guest['status'])) &&
        tags.some((tag) => (guest['tags'] as string[]).includes(tag)),
    )
    const recipients = { status: ['maybe', 'attending'], tags }
    const input = { event_id: sent, message: 'é'.repeat(2000), recipients }
    expect(await host.call('send_message', input)).toMatchObject({ recipients: to.length })
    const all = { ...input, recipients: { status: ['maybe', 'attending'] } }
    const { recipients: more } = await host.call('send_message', all)
    expect(Number(more)).toBeGreaterThan(to.length)
    const batch = (await house.letters()).slice(Number(more), Number(more) + to.length)
    expect(new Set(values(batch, 'guestNo'))).toEqual(new Set(values(to, 'guest_id').map(numberIn)))
  })

  test('may come from a co-host, too', async () => {
    const to = await ids(cohosted.sent, { status: 'maybe' })
    const input = { event_id: cohosted.sent, message: 'Hi', recipients: { status: ['maybe'] } }
    expect(await host.call('send_message', input)).toMatchObject({ recipients: to.length })
  })

  test('is refused without words, and when nobody would get it', async () => {
    const recipients = { status: statuses }
    expect(host.takes('send_message', { event_id: sent, recipients })).toBe(false)
    await refusedBy('send_message', { event_id: sent, message: ' \n', recipients }, 'FIELD_REQUIRED')
    await refusedBy('send_message', { event_id: draft, message: 'Hi', recipients }, 'NOBODY_MATCHES')
    const unknown = { ...recipients, tags: ['Family', 'No such tag'] }
    await refusedBy('send_message', { event_id: sent, message: 'Hi', recipients: unknown }, 'LABEL_UNKNOWN')
    expect(await host.control.effects()).toEqual([])
  })
})

describe('a private message', () => {
  test.each(['sent', 'opened', 'attending', 'not_attending', 'maybe'])(
    'reaches one guest who is %s, with a subject or without',
    async (status) => {
      const [guest_id = '', other = ''] = await ids(sent, { status })
      const [before, others] = [await messagesOf(sent, guest_id), await messagesOf(sent, other)]
      const input = { event_id: sent, guest_id, message: `Só para ti\n${'é'.repeat(1989)}` }
      const first = await host.call('send_private_message', input)
      const second = await host.call('send_private_message', { ...input, subject: 'ü'.repeat(150) })
      expect(first).toMatchObject({ event_id: sent, guest_id })
      const messages = await messagesOf(sent, guest_id)
      expect(messages.slice(0, 2)).toEqual([
        { type: 'private', subject: 'ü'.repeat(150), sent_at: second['sent_at'] },
        { type: 'private', subject: 'A note from Inês Conceição', sent_at: first['sent_at'] },
      ])
      expect(messages.slice(2)).toEqual(before)
      expect(await messagesOf(sent, other)).toEqual(others)
      expect((await house.letters())[0]).toMatchObject({ guestNo: numberIn(guest_id), words: input.message })
      expect((await host.control.effects()).length).toBe(2)
    },
  )

  test('may come from a co-host, too, but not to guests who were not reached, nor be blank', async () => {
    const [guest_id = ''] = await ids(cohosted.sent, { status: 'maybe' })
    await host.call('send_private_message', { event_id: cohosted.sent, guest_id, message: 'Hi' })
    for (const [event_id, status, code] of [
      [sent, 'unsent', 'GUEST_NOT_INVITED'],
      [scheduled, 'scheduled', 'GUEST_NOT_INVITED'],
      [sent, 'bounced', 'GUEST_UNREACHABLE'],
    ] as const) {
      const [guest = ''] = await ids(event_id, { status })
      await refusedBy('send_private_message', { event_id, guest_id: guest, message: 'Hi' }, code)
    }
    await refusedBy('send_private_message', { event_id: cohosted.sent, guest_id, message: ' ' }, 'FIELD_REQUIRED')
    expect((await host.control.effects()).length).toBe(1)
  })
})

describe('a Guest Tag', () => {
  test.each(['Table 1', 'é&<b>"😀" = ?#/'.padEnd(40, 'x')])(
    '%j is put on guests who do not have it yet',
    async (tag) => {
      const [first = '', second = '', ...others] = await ids(sent, { status: 'attending' })
      const input = { event_id: sent, tag }
      expect(await host.call('tag_guests', { ...input, guest_ids: [first] })).toEqual({
        ...input,
        tagged: 1,
        newly_tagged: 1,
      })
      expect(await host.call('tag_guests', { ...input, guest_ids: [second, first] })).toEqual({
        ...input,
        tagged: 2,
        newly_tagged: 1,
      })
      expect(await ids(sent, { tag })).toEqual([first, second])
      const { tags } = await host.call('get_guest', { event_id: sent, guest_id: first })
      expect((tags as string[]).filter((one) => one === tag)).toEqual([tag])
      const other = await host.call('get_guest', { event_id: sent, guest_id: others[0] })
      expect(other['tags']).not.toContain(tag)
      const recipients = { status: ['attending'], tags: [tag] }
      expect(await host.call('send_message', { event_id: sent, message: 'Hi', recipients })).toMatchObject({
        recipients: 2,
      })
    },
  )

  test('is put on by co-hosts, too, on many at once, and on all who are named or nobody', async () => {
    const helped = await ids(cohosted.sent, {})
    await host.call('tag_guests', { event_id: cohosted.sent, tag: 'Mine', guest_ids: helped })
    const everybody = await ids(sent, {})
    const answer = await host.call('tag_guests', { event_id: sent, tag: 'All', guest_ids: everybody })
    expect(answer).toMatchObject({ tagged: 140, newly_tagged: 140 })
    const strange = { event_id: sent, tag: 'New', guest_ids: [everybody[0], helped[0]] }
    await refusedBy('tag_guests', strange, 'GUEST_NOT_FOUND')
    await refusedBy('tag_guests', { event_id: sent, tag: ' ', guest_ids: [everybody[0]] }, 'FIELD_REQUIRED')
    expect(await ids(sent, { tag: 'New' })).toEqual([])
    expect((await host.control.effects()).length).toBe(2)
  })
})
