import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import {
  guestsOf,
  open,
  partiesOf,
  whole,
  type Card,
  type Guest,
  type Letter,
  type Party,
} from './invitations-house.ts'
import type { AppPerson, OpenApp } from './open-app.ts'

let app: OpenApp
let me: AppPerson
let party: number
beforeAll(async () => {
  app = await open()
  me = await app.newcomer('host')
  party = (await partiesOf(me, 'OUT'))[0]?.partyNo ?? 0
})
afterEach(() => vi.useRealTimers())
afterAll(() => app[Symbol.asyncDispose]())

test('parties come newest first, by stage or all together', async () => {
  const all = await whole<Party>(me, '/api/parties')
  const numbers = all.map(({ partyNo }) => partyNo)
  expect(numbers).toEqual(numbers.toSorted((a, b) => b - a))
  for (const stage of ['DRAFT', 'OUT', 'QUEUED']) {
    expect(await partiesOf(me, stage)).toEqual(all.filter((one) => one.stage === stage))
  }
  const { parties } = await me.read<{ parties: Party[] }>('/api/parties')
  expect(parties).toEqual(all.slice(0, 25))
})

test('guests are found by track, label, name, address and phone, upper and lower case alike', async () => {
  const all = await guestsOf(me, party)
  const check = async (filter: string, holds: (guest: Guest) => boolean): Promise<void> => {
    const wanted = all.filter(holds)
    expect(wanted.length).toBeGreaterThan(0)
    expect(wanted.length).toBeLessThan(all.length)
    expect(await guestsOf(me, party, `?${filter}`)).toEqual(wanted)
  }
  for (const track of new Set(all.map((guest) => guest.track))) {
    await check(`track=${track}`, (guest) => guest.track === track)
  }
  const label = all.find(({ track, labels }) => track === 'COMING' && labels.length > 0)?.labels[0] ?? ''
  await check(`label=${encodeURIComponent(label)}`, ({ labels }) => labels.includes(label))
  await check('find=ANNA', (guest) => JSON.stringify([guest.calledAs, guest.mail]).toLowerCase().includes('anna'))
  const phone = all.find(({ mobile }) => mobile !== '')?.mobile ?? ''
  await check(`find=${encodeURIComponent(phone)}`, ({ mobile }) => mobile === phone)
  await check(`find=${encodeURIComponent(phone.replaceAll(' ', ''))}`, ({ mobile }) => mobile === phone)
  await check(
    `track=COMING&label=${encodeURIComponent(label)}`,
    ({ track, labels }) => track === 'COMING' && labels.includes(label),
  )
  expect(await guestsOf(me, party, '?label=nobody+has+it')).toEqual([])
})

test('the address book is in the order of names and searched without regard to case', async () => {
  const all = await whole<Card>(me, '/api/addressBook')
  const sorts = all.map(({ fullName }) => fullName.toLowerCase())
  expect(sorts).toEqual(sorts.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))))
  const found = await whole<Card>(me, '/api/addressBook?find=%20M%C3%BCLLer')
  expect(found).toEqual(all.filter(({ fullName }) => fullName.includes('Müller')))
  expect(found.length).toBeGreaterThan(0)
  expect((await whole<Card>(me, '/api/addressBook?find=%2B')).length).toBeLessThan(all.length)
})

test('every list is read to its end by single rows while items are added: nothing twice, nothing missing', async () => {
  const who = await app.newcomer('host')
  const no = (await partiesOf(who, 'DRAFT'))[0]?.partyNo ?? 0
  const people = [{ calledAs: 'Meanwhile', mobile: '+351 21 555 0000' }]
  const startsMs = String(Date.now() + 9e8)
  const party = { headline: 'Meanwhile', format: 'CARD', startsMs, zone: 'Europe/Lisbon' }
  const guest = (await guestsOf(who, (await partiesOf(who, 'OUT'))[0]?.partyNo ?? 0, '?track=COMING'))[0]?.guestNo
  const out = (await partiesOf(who, 'OUT'))[0]?.partyNo
  const lists: [string, () => Promise<Response>][] = [
    ['/api/parties?stage=DRAFT', () => who.form('/parties', party)],
    [`/api/parties/${no}/guests`, () => who.write('POST', `/api/parties/${no}/guests`, { people })],
    ['/api/addressBook', () => who.form('/address-book', { fullName: 'Aaron Meanwhile' })],
    ['/api/outbox', () => who.form(`/parties/${out}/guests/${guest}/note`, { body: 'Meanwhile' })],
  ]
  vi.useFakeTimers({ toFake: ['Date'] })
  for (const [path, add] of lists) {
    const size = path === '/api/outbox' ? 40 : 1
    const before = await whole(who, path)
    let pages = 0
    const page = async (): Promise<void> => {
      // The clock is moved so that reading and adding stay below the published rate.
      vi.setSystemTime(Date.now() + 1000)
      if (pages++ % 5 === 0) expect([201, 303]).toContain((await add()).status)
    }
    const seen = await whole(who, path, size, page)
    expect(before.length).toBeGreaterThanOrEqual(60)
    expect(seen).toEqual(before)
    expect((await whole(who, path)).length).toBeGreaterThan(before.length)
  }
})

test.each([
  ['/api/parties?stage=SENT', 'PARAMETER_INVALID'],
  ['/api/parties?pageSize=0', 'PARAMETER_INVALID'],
  ['/api/parties?pageSize=101', 'PARAMETER_INVALID'],
  ['/api/parties?limit=5', 'PARAMETER_UNKNOWN'],
  ['/api/parties?stage=OUT&stage=OUT', 'PARAMETER_INVALID'],
  ['/api/parties?moreToken=abc', 'MORE_TOKEN_UNKNOWN'],
  [`/api/addressBook?find=${'x'.repeat(201)}`, 'PARAMETER_INVALID'],
])('%s is refused', async (path, code) => {
  expect(await me.denied(path)).toEqual([400, code])
})

test('a token is good for one list with the same filters of one account', async () => {
  const { moreToken } = await me.read<{ moreToken: string }>('/api/parties?stage=OUT&pageSize=5')
  const other = await app.newcomer('host')
  expect((await me.read<{ parties: Party[] }>(`/api/parties?stage=OUT&moreToken=${moreToken}`)).parties).toHaveLength(
    25,
  )
  for (const [who, path] of [
    [me, '/api/parties?'],
    [me, '/api/addressBook?'],
    [other, '/api/parties?stage=OUT&'],
  ] as const) {
    expect(await who.denied(`${path}moreToken=${moreToken}`)).toEqual([400, 'MORE_TOKEN_UNKNOWN'])
  }
})

test('the guest list is a CSV for whoever has the link, for a quarter of an hour', async () => {
  const all = await guestsOf(me, party)
  const ask = () => me.read<{ lines: number; csvUrl: string; goodUntilMs: number }>(`/api/parties/${party}/sheet`)
  const { lines, csvUrl } = await ask()
  const answer = await fetch(csvUrl)
  expect(answer.headers.get('content-type')).toContain('text/csv')
  const rows = (await answer.text()).trimEnd().split('\r\n')
  expect([lines, rows.length - 1]).toEqual([all.length, all.length])
  const quoted = all.find(({ calledAs }) => calledAs.includes('"'))?.calledAs.replaceAll('"', '""')
  expect(rows.some((row) => row.startsWith(`"${quoted}"`))).toBe(true)
  expect(rows.filter((row) => row.includes('"Not attending"'))).toHaveLength(
    all.filter(({ track }) => track === 'DECLINED').length,
  )
  expect((await fetch(csvUrl.replace(/.\.csv/, '-.csv'))).status).toBe(404)
  // From the last time that somebody asked.
  const last = await ask()
  expect(last.csvUrl).toBe(csvUrl)
  vi.useFakeTimers({ toFake: ['Date'], now: last.goodUntilMs + 1000 })
  expect((await fetch(csvUrl)).status).toBe(410)
  const again = await ask()
  expect([(await fetch(again.csvUrl)).status, (await fetch(csvUrl)).status]).toEqual([200, 410])
})

test('the outbox shows one batch or everything, and what still waits', async () => {
  const all = await whole<Letter>(me, '/api/outbox')
  expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(['INVITE', 'TO_ALL', 'PERSONAL']))
  for (const letter of all) expect(letter.gone).toBe(letter.goesMs <= Date.now())
  const batchNo = all.find(({ kind }) => kind === 'TO_ALL')?.batchNo
  const batch = all.filter((letter) => letter.batchNo === batchNo)
  expect(await whole(me, `/api/outbox?batchNo=${batchNo}`)).toEqual(batch)
  expect(new Set(batch.map(({ kind }) => kind))).toEqual(new Set(['TO_ALL']))
})
