import { afterAll, beforeAll, expect, test } from 'vitest'
import { guestsOf, open, partiesOf, partyOf, whole, type Card, type Guest, type Party } from './invitations-house.ts'
import { namesIn, type AppPerson, type OpenApp } from './open-app.ts'

let app: OpenApp
let demo: AppPerson
beforeAll(async () => {
  app = await open()
  demo = await app.person()
})
afterAll(() => app[Symbol.asyncDispose]())

/** The field names of the documents for this app. */
const documented =
  `event_id title type status event_date host_name location time_zone guest_id name total_attending tags
  messages subject sent_at contact_id email phone group_name total_invited limit cursor next_cursor events guests contacts
  search tag rows download_url added unsent_list_total send_at recipients template message`.split(/\s+/)

test('at least half of the names on the wire are the app’s own, and so are ids and times', async () => {
  const names = new Set<string>()
  const [party] = await partiesOf(demo, 'OUT')
  const no = party?.partyNo ?? 0
  const [guest] = await guestsOf(demo, no, '?track=COMING')
  const paths = ['', `/${no}`, `/${no}/guests`, `/${no}/guests/${guest?.guestNo}`, `/${no}/sheet`]
  for (const path of paths) namesIn(await demo.read(`/api/parties${path}`), names)
  for (const path of ['whoami', 'addressBook', 'outbox']) namesIn(await demo.read(`/api/${path}`), names)
  const people = [{ calledAs: 'Names', mail: 'names@mail.example' }]
  namesIn(await demo.wrote('POST', `/api/parties/${no}/guests`, { people }), names)
  expect(names.size).toBeGreaterThan(40)
  const shared = documented.filter((name) => names.has(name))
  expect(shared.length).toBeLessThanOrEqual(documented.length / 2)
  expect(Number.isInteger(no)).toBe(true)
  expect(party?.startsMs).toBeGreaterThan(1e12)
  expect(['CARD', 'FLYER']).toContain(party?.format)
})

test('seeds hold what is awkward: accents, right-to-left text, zones, empty and long texts, every state', async () => {
  const parties = await whole<Party>(demo, '/api/parties')
  const cards = await whole<Card>(demo, '/api/addressBook')
  expect(parties.length).toBeGreaterThanOrEqual(180)
  expect(cards.length).toBeGreaterThan(60)
  for (const stage of ['OUT', 'DRAFT', 'QUEUED']) {
    const some = parties.filter((party) => party.stage === stage)
    expect(some.length).toBeGreaterThanOrEqual(60)
    expect(new Set(some.map(({ standing }) => standing))).toEqual(new Set(['HOST', 'COHOST']))
    expect((await guestsOf(demo, some[0]?.partyNo ?? 0)).length).toBeGreaterThan(60)
  }
  expect(new Set(parties.map(({ format }) => format))).toEqual(new Set(['CARD', 'FLYER']))
  const full = await Promise.all(parties.slice(0, 50).map(({ partyNo }) => partyOf(demo, partyNo)))
  expect(new Set(full.map(({ zone }) => zone)).size).toBeGreaterThan(5)
  expect(full.map(({ venue }) => venue)).toContain('')
  expect(Math.max(...full.map(({ venue }) => venue.length))).toBeGreaterThan(300)
  const tracks = new Set(full.flatMap(({ tally }) => Object.keys(tally)))
  expect(tracks.size).toBe(8)
  expect(full.filter(({ stage, tally }) => stage === 'DRAFT' && !tally['HELD']).length).toBeGreaterThan(0)
  const again = full.filter(({ stage, standing, tally }) => stage === 'OUT' && standing === 'HOST' && tally['HELD'])
  expect(again.length).toBeGreaterThan(3)
  for (const awkward of [/[֐-ۿ]/, /[À-ſ]/, /<b>/]) expect(JSON.stringify([parties, cards])).toMatch(awkward)
  expect(cards.map(({ mail }) => mail)).toContain('')
  expect(new Set(cards.map(({ phones }) => phones.length)).size).toBe(3)
})

test('seeds are the same after a reset and in another sandbox', async () => {
  const everything = async (who: AppPerson): Promise<unknown[]> =>
    Promise.all(['addressBook', 'parties?pageSize=100', 'outbox?pageSize=100'].map((path) => who.read(`/api/${path}`)))
  await app.reset()
  const before = await everything(demo)
  expect((await demo.form('/address-book', { fullName: 'Aaron, gone after the reset' })).status).toBe(303)
  expect(await everything(demo)).not.toEqual(before)
  await app.reset()
  await using other = await open()
  expect(await everything(await other.person())).toEqual(before)
  expect(await everything(demo)).toEqual(before)
})

test('no number is in two accounts, and what is a stranger’s does not exist', async () => {
  const people = await app.people()
  expect(people).toHaveLength(7)
  const numbers: number[] = []
  for (const who of people) {
    const parties = await whole<Party>(who, '/api/parties')
    numbers.push(...parties.map(({ partyNo }) => partyNo))
    if (who.kind === 'cohost') expect(new Set(parties.map(({ standing }) => standing))).toEqual(new Set(['COHOST']))
  }
  expect(new Set(numbers).size).toBe(numbers.length)
  const stranger = await app.person('stranger')
  const theirs = (await partiesOf(stranger, 'OUT'))[0]?.partyNo ?? 0
  const guest = (await guestsOf(stranger, theirs))[0] as Guest
  for (const path of ['', '/guests', '/sheet', `/guests/${guest.guestNo}`]) {
    expect(await demo.denied(`/api/parties/${theirs}${path}`)).toEqual([404, 'PARTY_NOT_FOUND'])
  }
  const mine = (await partiesOf(demo, 'OUT'))[0]?.partyNo ?? 0
  expect(await demo.denied(`/api/parties/${mine}/guests/${guest.guestNo}`)).toEqual([404, 'GUEST_NOT_FOUND'])
  const labelled = await demo.form(`/parties/${mine}/labels`, { label: 'X', guestNo: String(guest.guestNo) })
  expect(labelled.status).toBe(404)
  for (const write of ['dispatch', 'broadcast', 'labels', `guests/${guest.guestNo}/note`]) {
    expect((await demo.form(`/parties/${theirs}/${write}`, { body: 'x', label: 'x' })).status).toBe(404)
  }
  expect(await app.effects(demo)).toEqual([])
})

test('pages for people show lists, details and forms, to co-hosts, too', async () => {
  for (const who of [await app.newcomer('host'), await app.newcomer('cohost')]) {
    const [party] = await partiesOf(who, 'OUT')
    const [guest] = await guestsOf(who, party?.partyNo ?? 0)
    const detail = `/parties/${party?.partyNo}`
    for (const path of ['/', '/parties', '/parties?stage=DRAFT', `${detail}/guests/${guest?.guestNo}`, '/outbox']) {
      expect([path, (await who.get(path)).status]).toEqual([path, 200])
    }
    const text = await (await who.get(detail)).text()
    expect(text).toContain('/dispatch"')
    const more = /href="\/invitations(\/parties\/\d+\?moreToken=[^"]+)"/.exec(text)?.[1]
    expect((await who.get(more ?? '/none')).status).toBe(200)
    expect(await (await who.get('/address-book?find=anna')).text()).toContain('Anna')
  }
})
