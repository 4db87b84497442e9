import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { guestsOf, open, partiesOf, partyOf, told, whole, type Guest, type Letter } from './invitations-house.ts'
import type { AppPerson, OpenApp } from './open-app.ts'
import { codeOf } from './visitor.ts'

let app: OpenApp
let me: AppPerson
beforeAll(async () => {
  app = await open()
})
afterEach(() => vi.useRealTimers())
afterAll(() => app[Symbol.asyncDispose]())

/** A host of their own, and a party of theirs in this stage with (or without) somebody on the unsent list. */
async function party(stage: string, held: boolean, standing = 'HOST'): Promise<number> {
  me = await app.newcomer('host')
  for (const one of await partiesOf(me, stage)) {
    if (one.standing !== standing) continue
    const { tally } = await partyOf(me, one.partyNo)
    if ((tally['HELD'] ?? 0) > 0 === held) return one.partyNo
  }
  throw new Error(`There is no such ${stage}.`)
}

const refused = async (response: Response): Promise<string> => `${response.status} ${await codeOf(response)}`
const actions = async (): Promise<string[]> => (await app.effects(me)).map(({ action }) => action)
const add = (no: number, people: unknown): Promise<Response> =>
  me.write('POST', `/api/parties/${no}/guests`, { people })
const letters = (batchNo: string | undefined): Promise<Letter[]> => whole(me, `/api/outbox?batchNo=${batchNo}`)

test('new guests go on the unsent list as they were sent, and nothing is sent to them', async () => {
  const no = await party('OUT', false)
  const [before, posted] = [await guestsOf(me, no), (await whole(me, '/api/outbox')).length]
  const people = [
    { calledAs: ' فاطمة <b> ', mail: 'f@mail.example', household: 'Ünsal', seats: 4 },
    { calledAs: 'Only phone', mobile: '+44 (20) 7946-0018' },
  ]
  const { guestNos, ...rest } = await me.wrote<{ guestNos: number[] }>('POST', `/api/parties/${no}/guests`, { people })
  expect(rest).toEqual({ partyNo: no, track: 'HELD', heldTotal: 2 })
  const after = await guestsOf(me, no)
  expect(after.slice(2)).toEqual(before)
  expect(after.slice(0, 2).toReversed()).toMatchObject(people.map((one) => ({ ...one, track: 'HELD', headcount: 0 })))
  expect(after.slice(0, 2).map(({ guestNo }) => guestNo)).toEqual(guestNos.toReversed())
  expect((await whole(me, '/api/outbox')).length).toBe(posted)
  expect(await actions()).toEqual(['guests.add'])
})

test('one guest that is wrong refuses them all', async () => {
  const no = await party('DRAFT', true)
  const before = await guestsOf(me, no)
  const good = { calledAs: 'Good', mail: 'good@mail.example' }
  const wrong: [unknown, string][] = [
    [[], 'PEOPLE_REQUIRED'],
    ['x', 'PEOPLE_REQUIRED'],
    [Array.from({ length: 201 }, () => good), 'TOO_MANY_PEOPLE'],
    [[good, 'x'], 'PERSON_INVALID'],
    [[good, { calledAs: 'No address' }], 'MAIL_OR_MOBILE'],
    [[good, { ...good, calledAs: ' ' }], 'FIELD_REQUIRED'],
    [[good, { ...good, calledAs: 5 }], 'TEXT_INVALID'],
    [[good, { ...good, calledAs: 'x'.repeat(121) }], 'TEXT_TOO_LONG'],
    [[good, { ...good, mail: 'nowhere' }], 'MAIL_INVALID'],
    [[good, { ...good, mobile: 'call me' }], 'PHONE_INVALID'],
    [[good, { ...good, seats: '2' }], 'SEATS_INVALID'],
    [[good, { ...good, seats: 0 }], 'SEATS_INVALID'],
    [[good, { ...good, name: 'x' }], 'FIELD_UNKNOWN'],
  ]
  for (const [people, code] of wrong) expect(await refused(await add(no, people))).toBe(`422 ${code}`)
  expect(await me.refused('POST', `/api/parties/${no}/guests`, [])).toEqual([400, 'BODY_INVALID'])
  expect(await guestsOf(me, no)).toEqual(before)
  expect(await actions()).toEqual([])
})

test('an unsent guest list is sent now, and addresses that nobody has bounce', async () => {
  for (const stage of ['DRAFT', 'OUT']) {
    const no = await party(stage, true)
    await add(no, [{ calledAs: 'Moved away', mail: 'x@old.invalid' }])
    const held = await guestsOf(me, no, '?track=HELD')
    const others = (await guestsOf(me, no)).filter(({ track }) => track !== 'HELD')
    const { done, count, batchNo, atMs } = told(await me.form(`/parties/${no}/dispatch`))
    expect([done, count]).toEqual(['dispatched', String(held.length)])
    expect(await partyOf(me, no)).toMatchObject({ stage: 'OUT', dispatchMs: Number(atMs) })
    const after = await guestsOf(me, no)
    const find = ({ guestNo }: Guest): Guest | undefined => after.find((guest) => guest.guestNo === guestNo)
    const track = ({ mail }: Guest): string => (mail.endsWith('.invalid') ? 'BOUNCED' : 'DELIVERED')
    expect(held.map(find)).toEqual(held.map((guest) => ({ ...guest, track: track(guest) })))
    expect(others.map(find)).toEqual(others)
    const sent = await letters(batchNo)
    const recipients = held.map(({ mail, mobile }) => mail || mobile)
    expect(sent.map(({ recipient }) => recipient)).toEqual(recipients)
    expect(sent.every(({ kind, gone }) => kind === 'INVITE' && gone)).toBe(true)
    expect(await actions()).toEqual(['guests.add', 'invitation.dispatch'])
    expect(await refused(await me.form(`/parties/${no}/dispatch`))).toBe('409 NOBODY_HELD')
  }
})

test('an unsent guest list is scheduled, waits, and is out when the time has come', async () => {
  const no = await party('DRAFT', true)
  const at = Date.now() + 3_600_000
  const { done, count, batchNo, atMs } = told(await me.form(`/parties/${no}/dispatch`, { atMs: String(at) }))
  expect([done, atMs]).toEqual(['queued', String(at)])
  expect(await partyOf(me, no)).toMatchObject({ stage: 'QUEUED', dispatchMs: at, tally: { QUEUED: Number(count) } })
  expect((await letters(batchNo)).every(({ gone, goesMs }) => !gone && goesMs === at)).toBe(true)
  await add(no, [{ calledAs: 'Late', mail: 'late@mail.example' }])
  for (const fields of [{}, { atMs: String(at + 1000) }]) {
    expect(await refused(await me.form(`/parties/${no}/dispatch`, fields))).toBe('409 PARTY_QUEUED')
  }
  vi.useFakeTimers({ toFake: ['Date'], now: at + 1000 })
  expect(await partyOf(me, no)).toMatchObject({ stage: 'OUT', tally: { DELIVERED: Number(count), HELD: 1 } })
  expect((await letters(batchNo)).every(({ gone }) => gone)).toBe(true)
  expect(told(await me.form(`/parties/${no}/dispatch`))['count']).toBe('1')
  expect(await actions()).toEqual(['invitation.dispatch', 'guests.add', 'invitation.dispatch'])
})

test('a dispatch is refused for the wrong time and an empty list', async () => {
  const no = await party('DRAFT', true)
  const late = Date.now() + 740 * 86_400_000
  for (const [atMs, code] of [
    ['2027-01-01', 'TIME_INVALID'],
    [String(Date.now() - 1000), 'TIME_PAST'],
    [String(late), 'TIME_TOO_FAR'],
  ] as const) {
    expect(await refused(await me.form(`/parties/${no}/dispatch`, { atMs }))).toBe(`422 ${code}`)
  }
  expect(await refused(await me.form(`/parties/${no}/dispatch`, { when: 'now' }))).toBe('422 FIELD_UNKNOWN')
  expect((await partyOf(me, no)).stage).toBe('DRAFT')
  expect(await actions()).toEqual([])
  const empty = await party('DRAFT', false)
  expect(await refused(await me.form(`/parties/${empty}/dispatch`))).toBe('409 NOBODY_HELD')
  expect(await actions()).toEqual([])
})

test('a message reaches guests by track and label, and each finds it among theirs', async () => {
  const no = await party('OUT', true)
  const all = await guestsOf(me, no)
  const label = all.find(({ track, labels }) => track === 'COMING' && labels.length > 0)?.labels[0] ?? ''
  const cases: [string, Record<string, string | string[]>, (guest: Guest) => boolean][] = [
    ['FREE', { track: ['COMING', 'SEEN'] }, ({ track }) => track === 'COMING' || track === 'SEEN'],
    ['NUDGE', { track: 'COMING', label }, ({ track, labels }) => track === 'COMING' && labels.includes(label)],
    ['HEADS_UP', { track: 'DECLINED' }, ({ track }) => track === 'DECLINED'],
    ['CHANGE', { track: ['UNSURE', 'DELIVERED'] }, ({ track }) => track === 'UNSURE' || track === 'DELIVERED'],
  ]
  const body = `Mañana <b>\nשלום ${'é'.repeat(1980)}`
  for (const [preset, whom, holds] of cases) {
    const fields = { ...whom, body, ...(preset === 'FREE' ? {} : { preset }) }
    const { done, count, batchNo } = told(await me.form(`/parties/${no}/broadcast`, fields))
    const wanted = all.filter(holds)
    expect([done, count]).toEqual(['broadcast', String(wanted.length)])
    const sent = await letters(batchNo)
    expect(sent.map(({ guestNo }) => guestNo)).toEqual(wanted.map(({ guestNo }) => guestNo))
    for (const { words } of sent) expect([words.endsWith(body), words === body]).toEqual([true, preset === 'FREE'])
    const path = `/api/parties/${no}/guests/${wanted[0]?.guestNo}`
    const { guest } = await me.read<{ guest: { letters: unknown[] } }>(path)
    expect(guest.letters[0]).toMatchObject({ kind: 'TO_ALL', subject: sent[0]?.subject, goneMs: sent[0]?.goesMs })
  }
  expect(await actions()).toEqual(cases.map(() => 'message.broadcast'))
})

test('a message is refused without words or whom, to unreachable tracks, and to nobody', async () => {
  const no = await party('OUT', true)
  const wrong: [Record<string, string | string[]>, string][] = [
    [{ track: 'COMING' }, '422 FIELD_REQUIRED'],
    [{ body: 'x' }, '422 FIELD_REQUIRED'],
    [{ track: 'COMING', body: 'x'.repeat(2001) }, '422 TEXT_TOO_LONG'],
    [{ track: 'attending', body: 'x' }, '422 TRACK_UNKNOWN'],
    ...['HELD', 'QUEUED', 'BOUNCED'].map((track): [Record<string, string>, string] => {
      return [{ track, body: 'x' }, '422 TRACK_UNREACHABLE']
    }),
    [{ track: 'COMING', body: 'x', preset: 'OTHER' }, '422 PRESET_UNKNOWN'],
    [{ track: 'COMING', body: 'x', label: 'nobody has it' }, '422 LABEL_UNKNOWN'],
    [{ track: 'COMING', body: 'x', file: 'a.pdf' }, '422 FIELD_UNKNOWN'],
    [{ track: 'COMING', body: ['x', 'y'] }, '422 FIELD_TWICE'],
  ]
  for (const [fields, code] of wrong)
    expect(await refused(await me.form(`/parties/${no}/broadcast`, fields))).toBe(code)
  expect(await actions()).toEqual([])
  const fields = { track: 'COMING', body: 'x' }
  const draft = await party('DRAFT', true)
  expect(await refused(await me.form(`/parties/${draft}/broadcast`, fields))).toBe('409 NOBODY_MATCHES')
})

test('a co-host may do all that a host may', async () => {
  const no = await party('OUT', false, 'COHOST')
  const [guest, other] = (await guestsOf(me, no)).filter(({ track }) => track !== 'BOUNCED')
  const path = `/parties/${no}/guests/${guest?.guestNo}`
  const { done, batchNo } = told(await me.form(`${path}/note`, { subject: ' Hi ', body: 'Zażółć\r\nשלום' }))
  expect(done).toBe('noted')
  expect(await letters(batchNo)).toMatchObject([{ kind: 'PERSONAL', subject: ' Hi ', words: 'Zażółć\nשלום' }])
  const read = await me.read<{ guest: { letters: unknown[] } }>(`/api${path}`)
  expect(read.guest.letters[0]).toMatchObject({ kind: 'PERSONAL', subject: ' Hi ' })
  const guestNo = [String(guest?.guestNo), String(other?.guestNo)]
  const label = 'Château & Co.'
  expect(told(await me.form(`/parties/${no}/labels`, { label, guestNo: guestNo.slice(1) }))).toMatchObject({
    fresh: '1',
  })
  const labelled = told(await me.form(`/parties/${no}/labels`, { label, guestNo }))
  expect(labelled).toEqual({ done: 'labelled', label, count: '2', fresh: '1' })
  const found = await guestsOf(me, no, `?label=${encodeURIComponent(label)}`)
  expect(found.map((one) => String(one.guestNo))).toEqual(guestNo)
  expect((await partyOf(me, no)).labels).toContainEqual({ name: label, guests: 2 })
  expect((await add(no, [{ calledAs: 'Friend', mail: 'friend@mail.example' }])).status).toBe(201)
  expect(told(await me.form(`/parties/${no}/dispatch`))).toMatchObject({ done: 'dispatched', count: '1' })
  const sent = told(await me.form(`/parties/${no}/broadcast`, { track: 'DELIVERED', body: 'x' }))
  expect((await letters(sent['batchNo'])).map(({ recipient }) => recipient)).toContain('friend@mail.example')
  const writes = ['message.personal', 'guests.label', 'guests.label', 'guests.add']
  expect(await actions()).toEqual([...writes, 'invitation.dispatch', 'message.broadcast'])
  for (const [fields, code] of [
    [{ label: 'x'.repeat(41), guestNo }, '422 TEXT_TOO_LONG'],
    [{ label: 'x' }, '422 FIELD_REQUIRED'],
    [{ label: 'x', guestNo: [guestNo[0] ?? '', guestNo[0] ?? ''] }, '422 GUEST_TWICE'],
    [{ label: 'x', guestNo: [guestNo[0] ?? '', '1'] }, '404 GUEST_NOT_FOUND'],
  ] as const) {
    expect(await refused(await me.form(`/parties/${no}/labels`, fields))).toBe(code)
  }
  expect(await guestsOf(me, no, '?label=x')).toEqual([])
})

test('a note is refused to those without an invitation, to bounced ones and without words', async () => {
  const no = await party('OUT', true)
  const to = async (track: string, body = 'x'): Promise<string> => {
    const [guest] = await guestsOf(me, no, `?track=${track}`)
    return refused(await me.form(`/parties/${no}/guests/${guest?.guestNo}/note`, { body }))
  }
  expect(await to('HELD')).toBe('409 GUEST_NOT_INVITED')
  expect(await to('BOUNCED')).toBe('409 GUEST_UNREACHABLE')
  expect(await to('COMING', ' ')).toBe('422 FIELD_REQUIRED')
  expect(await to('COMING', 'x'.repeat(2001))).toBe('422 TEXT_TOO_LONG')
  expect(await actions()).toEqual([])
})

test('a guest opens the invitation by the link in the letter and replies; labels are not shown to guests', async () => {
  const no = await party('DRAFT', false)
  await add(no, [{ calledAs: 'Replier', mail: 'r@mail.example', seats: 3 }])
  const [guest] = await guestsOf(me, no)
  await me.form(`/parties/${no}/labels`, { label: 'Secret label', guestNo: String(guest?.guestNo) })
  const [letter] = await letters(told(await me.form(`/parties/${no}/dispatch`))['batchNo'])
  const link = /http\S+/.exec(letter?.words ?? '')?.[0] ?? ''
  const answer = async (fields: Record<string, string>): Promise<Response> =>
    fetch(link, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) })
  const page = await (await fetch(link)).text()
  expect([page.includes('Replier'), page.includes('Secret label')]).toEqual([true, false])
  for (const [fields, track, headcount] of [
    [{ answer: 'SEEN' }, 'SEEN', 0],
    [{ answer: 'COMING', headcount: '2' }, 'COMING', 2],
    [{ answer: 'UNSURE' }, 'UNSURE', 0],
    [{ answer: 'DECLINED' }, 'DECLINED', 0],
  ] as const) {
    expect((await answer(fields)).status).toBe(303)
    expect((await guestsOf(me, no))[0]).toMatchObject({ track, headcount })
  }
  expect(await refused(await answer({ answer: 'SEEN' }))).toBe('409 OPENED_ALREADY')
  expect(await refused(await answer({ answer: 'COMING', headcount: '4' }))).toBe('422 HEADCOUNT_INVALID')
  expect(await refused(await answer({ answer: 'BOUNCED' }))).toBe('422 ANSWER_INVALID')
})
