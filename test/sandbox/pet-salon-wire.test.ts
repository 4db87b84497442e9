import { afterAll, beforeAll, expect, test } from 'vitest'
import { namesIn, type AppPerson, type OpenApp } from './open-app.ts'
import { client, idAt, openSalon, span, ticket, tickets, whole, type Alert, type Wait } from './pet-salon-salon.ts'

let app: OpenApp
let people: AppPerson[]
let demo: AppPerson
beforeAll(async () => {
  app = await openSalon()
  people = await app.people()
  demo = people[0] as AppPerson
})
afterAll(() => app[Symbol.asyncDispose]())

/** The field names of the documents for this app. */
const documented = `appointment_id start end status client client_id pet employee services name price appointment_notes
  confirmation_type log at user deposit products phone pets pet_id email balance client_notes upcoming breed notes
  general grooming personality medical vaccine expires next_appointment waitlist_entry_id preferred comment service_id
  category duration_minutes employee_id from to query limit expiring_before upcoming_only date report appointments
  clients alerts entries employees reason rows`.split(/\s+/)

const lists = ['clients?', 'vaxalerts?before=01/01/2050', 'waits?', `tkts?${span(-60, 45)}`]

test('at least half of the names on the wire are the app’s own, and so are days, times, money and ids', async () => {
  const names = new Set(['f', 't', 'q', 'lim', 'off', 'before', 'coming', 'why', 'cards', 'prc', 'wl', 'vx', 'exp'])
  const inside = [`tkts/${idAt(demo, 'T', 11)}`, `clients/${idAt(demo, 'C', 4)}`, 'who', 'setup', 'svcs', 'emps']
  for (const path of [...lists, ...inside, `rpt?nm=Daily Totals&${span(-9, 0)}`]) {
    namesIn(await demo.read(`/cloud/data/${path}`), names)
  }
  const shared = documented.filter((name) => names.has(name))
  expect(names.size).toBeGreaterThan(50)
  expect(shared.length).toBeLessThanOrEqual(documented.length / 2)
  expect(await ticket(demo, idAt(demo, 'T', 1))).toMatchObject({
    d: expect.stringMatching(/^\d\d\/\d\d\/20\d\d$/),
    t: expect.stringMatching(/^\d\d:\d\d$/),
    svcs: [{ pence: 2000 }],
  })
  const who = await demo.read('/cloud/data/who')
  expect(who).toMatchObject({ shop_no: demo.account, shop: 'Jamestown Tails', ed: 'PET', cur: 'GBP', role: 'owner' })
})

test('seeds hold what is awkward, in every state', async () => {
  const all = await tickets(demo, -60, 45)
  expect(new Set(all.map(({ st }) => st.c))).toEqual(new Set(['SCH', 'CNF', 'INN', 'RDY', 'OUT', 'NSH', 'VOI']))
  const today = (await tickets(demo, 0)).map(({ st }) => st.c)
  expect([today.filter((c) => c === 'INN').length, today.filter((c) => c === 'RDY').length]).toEqual([6, 3])
  const waits = await whole<Wait>(demo, '/cloud/data/waits')
  expect(new Set(waits.flatMap(({ pref }) => pref.map(({ part }) => part))).size).toBe(3)
  expect(waits.some(({ pref }) => pref.length === 0)).toBe(true)
  expect(new Set(waits.map(({ emp }) => emp === null)).size).toBe(2)
  const alerts = await whole<Alert>(demo, '/cloud/data/vaxalerts?before=01/01/2050')
  expect(new Set(alerts.map(({ vx }) => vx.c)).size).toBeGreaterThanOrEqual(4)
  for (const path of lists) expect((await whole(demo, `/cloud/data/${path}`)).length).toBeGreaterThanOrEqual(60)
  const text = JSON.stringify([
    all,
    waits,
    await client(demo, idAt(demo, 'C', 13)),
    await demo.read('/cloud/data/emps'),
  ])
  for (const awkward of [/[\u0590-\u05ff]/, /[\u0600-\u06ff]/, /[\u00c0-\u017f]/, /<b>/, /山田/, /"nts":""/]) {
    expect(text).toMatch(awkward)
  }
  expect((await client(demo, idAt(demo, 'C', 13))).desk_nts).toHaveLength(2000)
  const zones = new Set<unknown>()
  for (const person of people) zones.add((await person.read('/cloud/data/who'))['tz'])
  expect(zones.size).toBe(people.length)
})

test('nobody is busy twice at a time, and everybody does what is booked with them', async () => {
  const emps = await demo.read<{ rows: { emp: string; does: { ttl: string }[] }[] }>('/cloud/data/emps')
  const does = new Map(emps.rows.map(({ emp, does }) => [emp, does.map(({ ttl }) => ttl)]))
  const ends = new Map<string, string>()
  for (const { d, t, t_end, emp, svcs, st } of await tickets(demo, -60, 45)) {
    if (['VOI', 'NSH'].includes(st.c)) continue
    const key = `${d} ${emp.emp}`
    expect(t >= (ends.get(key) ?? '08:00'), key).toBe(true)
    expect(t_end <= '18:00').toBe(true)
    ends.set(key, t_end)
    expect(does.get(emp.emp)).toEqual(expect.arrayContaining(svcs))
  }
})

test('the same is seeded in another sandbox, and no id is in two accounts', async () => {
  await using other = await openSalon()
  const twin = await other.person()
  for (const path of ['waits', 'clients', `tkts?${span(-3, 3)}`]) {
    expect(await whole(twin, `/cloud/data/${path}`)).toEqual(await whole(demo, `/cloud/data/${path}`))
  }
  const seen = new Map<string, string>()
  for (const person of people) {
    const text = JSON.stringify([await tickets(person, -60, 45), await whole(person, '/cloud/data/waits')])
    for (const id of new Set(text.match(/"[TCPESWMV]\d+"/g))) {
      expect(seen.get(id), id).toBeUndefined()
      seen.set(id, person.account)
    }
  }
})

test('what is somebody else’s does not exist', async () => {
  const stranger = people[1] as AppPerson
  const id = (letter: string): string => idAt(stranger, letter, 1)
  expect(await demo.denied(`/cloud/data/tkts/${id('T')}`)).toEqual([404, 'TICKET_NOT_FOUND'])
  expect(await demo.denied(`/cloud/data/clients/${id('C')}`)).toEqual([404, 'CLIENT_NOT_FOUND'])
  expect(await demo.denied(`/cloud/data/tkts?f=01/01/2026&emp=${id('E')}`)).toEqual([404, 'EMP_NOT_FOUND'])
  expect(await demo.refused('PATCH', `/cloud/data/pets/${id('P')}/nts`, { gen: 'x' })).toEqual([404, 'PET_NOT_FOUND'])
  for (const way of ['edit', 'void', 'ready', 'step']) {
    const response = await demo.form(`/cloud/tkt/${id('T')}/${way}`, way === 'void' ? { why: 'x' } : {})
    expect([way, response.status]).toEqual([way, 404])
  }
  const wait = await demo.form('/cloud/book', { wl: id('W'), d: '01/01/2027', t: '18:00' })
  expect(wait.status).toBe(404)
  expect(await app.effects(demo)).toEqual([])
})

test('pages show what there is, escaped, without a fault', async () => {
  const pages = ['/', '/cloud/day', '/cloud/book', '/cloud/waits', '/cloud/clients', '/cloud/vaxalerts', '/cloud/rpts']
  const inside = [`/cloud/tkt/${idAt(demo, 'T', 366)}`, `/cloud/clients/${idAt(demo, 'C', 12)}`, '/cloud/msgs']
  for (const path of [...pages, ...inside, '/cloud/rpts/run?nm=Client Balances']) {
    const response = await demo.get(path)
    expect([path, response.status]).toEqual([path, 200])
    expect(await response.text()).not.toContain('<b>Fowler')
  }
  expect(await (await demo.get(`/cloud/clients/${idAt(demo, 'C', 12)}`)).text()).toContain('&lt;b&gt;Fowler')
})
