import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api, at, numberAt, open, told, whole } from './event-management-house.ts'
import type { Booking, Gathering, Guest, Mail, Slot, Voice } from './event-management-house.ts'
import type { AppPerson, OpenApp } from './open-app.ts'
import { codeOf } from './visitor.ts'

let app: OpenApp
let me: AppPerson
let no: string
beforeAll(async () => {
  app = await open()
})
beforeEach(async () => {
  me = await app.newcomer()
  no = await numberAt(me, 'AHEAD', 0)
})
afterAll(() => app[Symbol.asyncDispose]())

const actions = async (): Promise<string[]> => (await app.effects(me)).map(({ action }) => action)
const refused = async (response: Response): Promise<string> => `${response.status} ${await codeOf(response)}`
const slots = (): Promise<Slot[]> => whole(me, at(no, '/slots'))
const voices = (): Promise<Voice[]> => whole(me, at(no, '/voices'))
const guests = (): Promise<Guest[]> => whole(me, at(no, '/guests'))
const gathering = async (): Promise<Gathering | undefined> =>
  (await whole<Gathering>(me, `${api}/gatherings`)).find((one) => one.gathering_no === no)
/** A moment on the gathering's second day, or on another day from its first. */
async function on(time: string, offset = 1) {
  const first = (await gathering())?.days.first ?? ''
  const day = new Date(Date.parse(first.replace(/(....)(..)(..)/, '$1-$2-$3')) + offset * 86_400_000)
  return { utc: `${day.toISOString().slice(0, 10).replaceAll('-', '')}T${time}00Z` }
}

test('a slot is in the agenda at once, and those named who are new become voices', async () => {
  const [before, known] = [await voices(), (await voices())[0]?.called ?? '']
  const [opens, closes] = [await on('0815'), await on('0900')]
  const body = {
    heading: ' Ünïcode <i> שלום ',
    opens,
    closes,
    streams: ['Tech', 'Brand new'],
    voices: [known.toUpperCase(), 'Zoë Neu'],
    blurb: 'Two\nlines',
  }
  const { slot } = await me.wrote<{ slot: Slot }>('POST', at(no, '/slots'), body)
  const { heading, streams, blurb } = body
  expect(slot).toMatchObject({ heading, streams, blurb, opens, closes })
  expect(slot.voices.map(({ called }) => called)).toEqual([known, 'Zoë Neu'])
  expect((await slots()).find((one) => one.slot_no === slot.slot_no)).toEqual(slot)
  const after = await voices()
  expect(after.slice(0, -1).map(({ called }) => called)).toEqual(before.map(({ called }) => called))
  const { slot_no: number } = slot
  expect(after.at(-1)).toMatchObject({ called: 'Zoë Neu', mail: '', slots: [{ slot_no: number, heading }] })
  expect(await whole(me, at(no, '/slots?stream=brand%20NEW'))).toEqual([slot])
  expect(await actions()).toEqual(['slot.add'])
})

test('a slot changes in what is given and stays as it was in the rest', async () => {
  const [, old] = await slots()
  if (!old) throw new Error('The agenda is empty.')
  const path = `${api}/slots/${old.slot_no}`
  const steps: [Record<string, unknown>, (slot: Slot) => unknown][] = [
    [{ blurb: '' }, (slot) => slot.blurb],
    [{ streams: [] }, (slot) => slot.streams],
    [{ voices: ['Zoë Neu'] }, (slot) => slot.voices.map(({ called }) => called)],
    [{ opens: await on('0501') }, (slot) => ({ utc: slot.opens.utc })],
  ]
  let last = old
  // An opening that is later than the closing is refused, so the closing goes first.
  last = (await me.wrote<{ slot: Slot }>('PATCH', path, { closes: await on('0601') })).slot
  for (const [body, part] of steps) {
    const { slot } = await me.wrote<{ slot: Slot }>('PATCH', path, body)
    expect(part(slot)).toEqual(Object.values(body)[0])
    const [name = ''] = Object.keys(body)
    expect({ ...slot, [name]: null }).toEqual({ ...last, [name]: null })
    last = slot
  }
  expect((await slots()).find((one) => one.slot_no === old.slot_no)).toEqual(last)
  const left = (await voices()).find((voice) => voice.voice_no === old.voices[0]?.voice_no)
  expect(left?.slots.map((slot) => slot.slot_no)).not.toContain(old.slot_no)
  expect(await actions()).toEqual(Array.from({ length: 5 }, () => 'slot.change'))
})

test('slots that cannot be are refused and leave nothing behind', async () => {
  const before = [await slots(), await voices()]
  const good = { heading: 'Good', opens: await on('0800'), closes: await on('0900'), voices: ['Never Seen'] }
  const wrong: [Record<string, unknown>, string][] = [
    [{ heading: ' ' }, 'FIELD_MISSING'],
    [{ heading: 5 }, 'FIELD_INVALID'],
    [{ heading: 'x'.repeat(201) }, 'TEXT_TOO_LONG'],
    [{ title: 'x' }, 'FIELD_UNKNOWN'],
    [{ opens: undefined }, 'FIELD_MISSING'],
    [{ opens: '2026-01-01T10:00:00Z' }, 'MOMENT_INVALID'],
    [{ opens: { utc: '20260231T100000Z' } }, 'MOMENT_INVALID'],
    [{ opens: { utc: '20260201T250000Z' } }, 'MOMENT_INVALID'],
    [{ closes: good.opens }, 'SLOT_BACKWARDS'],
    [{ opens: await on('0800', -1) }, 'OUTSIDE_GATHERING'],
    [{ closes: await on('2300', 3) }, 'OUTSIDE_GATHERING'],
    [{ streams: 'Tech' }, 'FIELD_INVALID'],
    [{ streams: [''] }, 'FIELD_MISSING'],
    [{ voices: ['A', ' a'] }, 'NAME_TWICE'],
    [{ voices: Array.from({ length: 21 }, (_, index) => `V${index}`) }, 'LIST_TOO_LONG'],
    [{ blurb: 'x'.repeat(5001) }, 'TEXT_TOO_LONG'],
  ]
  for (const [part, code] of wrong) {
    const answer = await me.refused('POST', at(no, '/slots'), { ...good, ...part })
    expect([part, ...answer]).toEqual([part, 422, code])
  }
  const slot = `${api}/slots/${(await slots())[0]?.slot_no}`
  expect(await me.refused('PATCH', slot, {})).toEqual([422, 'NOTHING_TO_CHANGE'])
  expect(await me.refused('PATCH', slot, { heading: 'x' })).toEqual([422, 'FIELD_UNKNOWN'])
  expect(await me.refused('PATCH', slot, { closes: await on('0001', 0) })).toEqual([422, 'SLOT_BACKWARDS'])
  expect(await me.refused('POST', at(no, '/slots'), [])).toEqual([400, 'BODY_INVALID'])
  expect([await slots(), await voices()]).toEqual(before)
  expect(await actions()).toEqual([])
})

test('a guest is added once and changed by the same address', async () => {
  const before = await guests()
  const person = { given_name: 'فاطمة', family_name: '<b>', mail: 'New.One@mail.example' }
  const first = await me.wrote<{ guest: Guest; fresh: boolean }>('PUT', at(no, '/guests'), person)
  expect(first).toMatchObject({ fresh: true, guest: { ...person, firm: '', crowd: 'Delegate', arrived: null } })
  expect(first.guest.pass.label).toBe('Standard')
  const change = {
    ...person,
    given_name: 'Fatima',
    mail: 'new.one@MAIL.example',
    firm: 'Firm',
    pass: 'vip',
    crowd: 'press',
  }
  const second = await me.wrote<{ guest: Guest; fresh: boolean }>('PUT', at(no, '/guests'), change)
  expect(second).toMatchObject({ fresh: false, guest: { given_name: 'Fatima', firm: 'Firm', crowd: 'Press' } })
  expect(second.guest.pass.label).toBe('VIP')
  const third = await me.wrote<{ guest: Guest }>('PUT', at(no, '/guests'), person)
  expect(third.guest).toEqual({ ...second.guest, ...person })
  expect(await guests()).toEqual([third.guest, ...before])
  expect(await actions()).toEqual(['guest.add', 'guest.change', 'guest.change'])
})

test('a guest who checked in stays so when changed, and wrong ones are refused', async () => {
  const old = (await guests()).find(({ arrived, mail }) => arrived && mail)
  if (!old) throw new Error('Nobody has come.')
  const body = { given_name: 'Other', family_name: 'Name', mail: old.mail }
  const { guest } = await me.wrote<{ guest: Guest }>('PUT', at(no, '/guests'), body)
  expect(guest).toEqual({ ...old, ...body })
  for (const [part, code] of [
    [{ mail: 'nowhere' }, 'MAIL_INVALID'],
    [{ mail: undefined }, 'FIELD_MISSING'],
    [{ family_name: '' }, 'FIELD_MISSING'],
    [{ pass: 'Gold' }, 'PASS_UNKNOWN'],
    [{ crowd: 'Fans' }, 'CROWD_UNKNOWN'],
    [{ arrived: true }, 'FIELD_UNKNOWN'],
  ] as const) {
    expect(await me.refused('PUT', at(no, '/guests'), { ...body, ...part })).toEqual([422, code])
  }
  expect(await actions()).toEqual(['guest.change'])
})

test('an announcement reaches every guest with an address, once', async () => {
  const all = await guests()
  const reachable = all.map(({ mail }) => mail).filter((mail) => mail !== '')
  const words = 'Doors open at 8.\n¡Hola! שלום'
  const answer = told(await me.form(`/desk/gatherings/${no}/announce`, { words }))
  const [reached, skipped] = [String(reachable.length), String(all.length - reachable.length)]
  expect(answer).toMatchObject({ done: 'announced', reached, skipped })
  const sent = await whole<Mail>(me, `${api}/mails?mailing_no=${answer['mailing_no']}`)
  expect(sent.map(({ recipient }) => recipient)).toEqual(reachable)
  expect(sent[0]).toMatchObject({
    kind: 'ANNOUNCEMENT',
    gathering_no: no,
    words,
    subject: 'News about Cloud Harbour Summit II',
  })
  for (const [fields, code] of [
    [{}, 'FIELD_MISSING'],
    [{ words: 'x'.repeat(5001) }, 'TEXT_TOO_LONG'],
    [{ words, subject: 'x'.repeat(151) }, 'TEXT_TOO_LONG'],
    [{ words, voice_no: '1' }, 'FIELD_UNKNOWN'],
  ] as const) {
    expect(await refused(await me.form(`/desk/gatherings/${no}/announce`, fields))).toBe(`422 ${code}`)
  }
  expect(await actions()).toEqual(['guests.announce'])
})

test('voices are written to all together or one by one', async () => {
  const all = await voices()
  const silent = all.find(({ mail }) => mail === '')
  const [one, two] = all
  const path = `/desk/gatherings/${no}/mail-voices`
  const toAll = told(await me.form(path, { subject: 'Slides', words: 'Please.' }))
  expect(toAll).toMatchObject({ done: 'voices_mailed', reached: '12', skipped: '2' })
  const numbers = [two?.voice_no ?? '', one?.voice_no ?? '']
  const toTwo = told(await me.form(path, { words: 'Just you', voice_no: numbers }))
  expect(toTwo).toMatchObject({ reached: '2', skipped: '0' })
  const sent = await whole<Mail>(me, `${api}/mails?mailing_no=${toTwo['mailing_no']}`)
  expect(new Set(sent.map(({ recipient }) => recipient))).toEqual(new Set([one?.mail, two?.mail]))
  expect(await whole(me, `${api}/mails?mailing_no=${toAll['mailing_no']}`)).toHaveLength(12)
  const mixed = [...numbers, silent?.voice_no ?? '']
  expect(await refused(await me.form(path, { words: 'x', voice_no: mixed }))).toBe('409 VOICE_WITHOUT_MAIL')
  expect(await refused(await me.form(path, { words: 'x', voice_no: ['1'] }))).toBe('404 VOICE_NOT_FOUND')
  expect(await actions()).toEqual(['voices.mail', 'voices.mail'])
})

test('a wrap-up is there once the organizer has requested it, and keeps the figures of that moment', async () => {
  const ahead = no
  no = await numberAt(me, 'OVER', 1)
  expect(await me.denied(at(no, '/wrap-up'))).toEqual([409, 'WRAP_UP_NOT_READY'])
  expect(await refused(await me.form(`/desk/gatherings/${ahead}/wrap-up`))).toBe('409 GATHERING_NOT_OVER')
  expect(await refused(await me.form(`/desk/gatherings/${no}/wrap-up`, { now: '1' }))).toBe('422 FIELD_UNKNOWN')
  expect(told(await me.form(`/desk/gatherings/${no}/wrap-up`))).toEqual({ done: 'wrap_up_ready' })
  expect((await gathering())?.wrap_up).toBe('READY')
  type WrapUp = { wrap_up: { chapters: { heading: string; words: string }[] } }
  const { wrap_up: all } = await me.read<WrapUp>(at(no, '/wrap-up'))
  const came = (await guests()).filter(({ arrived }) => arrived).length
  const attendance = { heading: 'Attendance', words: `Guests: 84\nArrived: ${came}\nDid not come: ${84 - came}` }
  expect(all.chapters).toContainEqual(attendance)
  const part = await me.read<WrapUp>(at(no, '/wrap-up?chapter=ATTENDANCE'))
  expect(part.wrap_up.chapters).toEqual([attendance])
  expect(await me.denied(at(no, '/wrap-up?chapter=Weather'))).toEqual([422, 'CHAPTER_UNKNOWN'])
  await me.wrote('PUT', at(no, '/guests'), { given_name: 'Late', family_name: 'Comer', mail: 'late@mail.example' })
  expect((await me.read<WrapUp>(at(no, '/wrap-up'))).wrap_up).toEqual(all)
  expect(await refused(await me.form(`/desk/gatherings/${no}/wrap-up`))).toBe('409 WRAP_UP_MADE')
  expect(await actions()).toEqual(['wrap_up.request', 'guest.add'])
})

test('people book for themselves until the gathering is over', async () => {
  const { signup_path: path } = await me.read<{ signup_path: string }>(at(no, '/setup'))
  const person = { given_name: 'Walk', family_name: 'In', mail: 'walk.in@mail.example', pass: 'VIP' }
  const book = (to: string): Promise<Response> =>
    fetch(`${me.base}${to}`, { method: 'POST', redirect: 'manual', body: new URLSearchParams(person) })
  expect((await fetch(`${me.base}${path}`)).status).toBe(200)
  expect(told(await book(path))).toEqual({ done: 'booked' })
  const [booking] = await whole<Booking>(me, at(no, '/bookings'))
  expect(booking).toMatchObject({
    mail: person.mail,
    pass: { label: 'VIP' },
    seats: 1,
    paid: { minor: 48_000, cur: 'EUR' },
  })
  expect((await guests())[0]).toMatchObject({ mail: person.mail, crowd: 'Delegate' })
  expect(await refused(await book(path))).toBe('409 SIGNED_UP_ALREADY')
  const over = await me.read<{ signup_path: string }>(at(await numberAt(me, 'OVER', 0), '/setup'))
  expect(await refused(await book(over.signup_path))).toBe('409 SIGNUP_CLOSED')
  expect(await refused(await book('/signup/nothing'))).toBe('404 SIGNUP_NOT_FOUND')
})

test('slots and guests are added by form, too, on the clocks of the gathering', async () => {
  const day = ((await slots())[0]?.opens.local ?? '').slice(0, 10)
  const fields = { heading: 'By form', opens: `${day}T07:00`, closes: `${day}T07:30`, voices: 'Ann A, Bob B' }
  const { done, slot_no: slot } = told(await me.form(`/desk/gatherings/${no}/slots`, fields))
  const [first] = await slots()
  expect([done, slot, first?.opens.local, first?.voices.length]).toEqual([
    'slot_added',
    first?.slot_no,
    `${day} 07:00:00`,
    2,
  ])
  const person = { given_name: 'By', family_name: 'Form', mail: 'by.form@mail.example', firm: '' }
  const { guest_no: guest } = told(await me.form(`/desk/gatherings/${no}/guests`, person))
  expect((await guests())[0]).toMatchObject({ guest_no: guest, ...person })
  expect(await actions()).toEqual(['slot.add', 'guest.add'])
})

test('door staff read the lists that they need and may do nothing else', async () => {
  me = await app.newcomer('door')
  no = await numberAt(me, 'OVER', 0)
  expect([(await guests()).length, (await slots()).length, (await voices()).length]).toEqual([130, 26, 14])
  for (const path of [at(no, '/bookings'), at(no, '/wrap-up'), `${api}/mails`]) {
    expect(await me.denied(path)).toEqual([403, 'ORGANIZER_ONLY'])
  }
  const slot = (await slots())[0]?.slot_no
  for (const [method, path] of [
    ['POST', at(no, '/slots')],
    ['PUT', at(no, '/guests')],
    ['PATCH', `${api}/slots/${slot}`],
  ] as const) {
    expect(await me.refused(method, path, {})).toEqual([403, 'ORGANIZER_ONLY'])
  }
  for (const write of ['announce', 'mail-voices', 'wrap-up', 'slots', 'guests']) {
    expect(await refused(await me.form(`/desk/gatherings/${no}/${write}`, { words: 'x' }))).toBe('403 ORGANIZER_ONLY')
  }
  expect(await actions()).toEqual([])
})
