import { afterAll, beforeAll, expect, test } from 'vitest'
import { momentOf, parseWall, wallText } from '../../sandbox/salon-booking/zones.ts'
import { day, lustra, type Lustra, type Rows, type Visit } from './salon-booking-salon.ts'

let run: Lustra
beforeAll(async () => {
  run = await lustra()
})
afterAll(() => run[Symbol.asyncDispose]())

/** The field names of the documents for this app. */
const documented =
  `appointment_id client client_id name start_at end_at services team_member team_member_id status location_id email phone
  last_appointment accepts_marketing accepts_sms_marketing notes text created_at allergies upcoming_appointments
  past_appointments service_id category duration_minutes price currency locations service_ids payment_method
  discount_name discount_type items_sold sales discounts refunds date amount fees net from to group_by groups total
  payouts appointments slots clients team_members cursor next_cursor limit search last_appointment_before`.split(/\s+/)

function namesIn(value: unknown, names: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) namesIn(item, names)
  else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      names.add(name)
      namesIn(item, names)
    }
  }
}

const everything = `/visits?first_day=${day(-500)}&last_day=${day(60)}`

test('at least half of the names on the wire are the app’s own, and so are dates and money', async () => {
  const [demo] = await run.people()
  const names = new Set<string>()
  const { rows: items } = await demo!.read<{ rows: { menu_item: string; cost: { minor: unknown } }[] }>('/menu')
  const { rows: guests } = await demo!.read<Rows<{ guest: string; last_seen: string | null }>>('/guests')
  const { rows: visits } = await demo!.read<Rows<Visit>>(everything)
  for (const path of [
    '/team',
    `/openings?day=${day(2)}&menu_item=${items[0]!.menu_item}`,
    `/takings?first_day=${day(-9)}&last_day=${day(0)}&split=promo`,
    '/payouts',
    ...guests.slice(0, 9).map(({ guest }) => `/guests/${guest}`),
  ]) {
    namesIn(await demo!.read(path), names)
  }
  namesIn([items, guests, visits, { total: 1, offset: 0, limit: 1, as_of: '' }], names)
  expect(names.size).toBeGreaterThan(50)
  const shared = documented.filter((name) => names.has(name))
  expect(shared.length).toBeLessThanOrEqual(documented.length / 2)
  expect(shared.length).toBeLessThanOrEqual(names.size / 2)
  expect(visits[0]?.begin_local).toMatch(/^\d{4}\/\d\d\/\d\d \d\d:\d\d$/)
  expect(guests.find(({ last_seen }) => last_seen !== null)?.last_seen).toMatch(/^\d{4}\/\d\d\/\d\d$/)
  expect(items[0]?.cost).toEqual({ minor: 4250, currency: { code: 'EUR', exponent: 2 } })
})

test('seeds hold what is awkward, are the same in another sandbox, and no id is in two accounts', async () => {
  await using other = await lustra()
  const there = await other.people()
  const people = await run.people()
  const users = ['demo', 'stranger', 'poor', 'narrow', 'revoked', 'two_accounts', 'two_accounts']
  expect(people.map(({ user }) => user)).toEqual(users)
  expect([people[0]?.kind, people[5]?.kind, people[6]?.kind]).toEqual(['owner', 'front_desk', 'owner'])
  const ids = new Set<string>()
  const currencies = new Set<number>()
  for (const [index, person] of people.entries()) {
    const visits = await person.readOn<Visit>(everything, 200)
    if (index < 2) expect(await there[index]!.readOn(everything, 200)).toEqual(visits)
    for (const { visit } of visits) {
      expect(ids.has(visit)).toBe(false)
      ids.add(visit)
      expect(visit).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/)
    }
    const text = JSON.stringify(visits)
    expect(text).toMatch(/[\u0590-\u06ff]/)
    expect(text).toMatch(/[\u00c0-\u017f]/)
    expect(new Set(visits.map(({ state }) => state.label)).size).toBe(8)
    expect(new Set(visits.map(({ tz }) => tz)).size).toBeGreaterThanOrEqual(3)
    expect(visits.some(({ remark }) => remark === null)).toBe(true)
    const { salon } = await person.read<{ salon: { currency: { exponent: number } } }>('/me')
    currencies.add(salon.currency.exponent)
  }
  expect(currencies).toEqual(new Set([0, 2, 3]))
  const { rows: guests } = await people[0]!.read<Rows<{ full_name: string; guest: string }>>('/guests?limit=500')
  expect(guests.some(({ full_name }) => full_name.length > 100)).toBe(true)
  const [long] = (await people[0]!.read<Rows<{ guest: string }>>('/guests?q=guest.1.3@')).rows
  const profile = await people[0]!.read<{ jottings: { text: string }[] }>(`/guests/${long!.guest}`)
  expect(profile.jottings.some(({ text }) => text.length >= 1990)).toBe(true)
})

test('what belongs to another salon does not exist', async () => {
  const [mine, theirs] = [await run.newcomer(), await run.newcomer()]
  const [visit] = (await theirs.read<Rows<Visit>>(`/visits?first_day=${day(3)}&last_day=${day(20)}&state=planned`)).rows
  const { guest, stylist, branch, what, tz } = visit!
  const own = (await mine.read<Rows<Visit>>(`/visits?first_day=${day(3)}&last_day=${day(20)}`)).rows[0]!
  const to = { begin_local: `${day(30)} 09:00`, tz }
  const booking = { ...to, guest: own.guest.guest, menu_items: [own.what[0]!.menu_item] }
  expect(await mine.denied(`/visits/${visit!.visit}`)).toEqual([404, 'VISIT_NOT_FOUND'])
  expect(await mine.denied(`/guests/${guest.guest}`)).toEqual([404, 'GUEST_NOT_FOUND'])
  for (const [path, body, status, code] of [
    [`/visits/${visit!.visit}/move`, to, 404, 'VISIT_NOT_FOUND'],
    [`/visits/${visit!.visit}/call-off`, { reason: 'Salon closed' }, 404, 'VISIT_NOT_FOUND'],
    [`/guests/${guest.guest}/jottings`, { text: 'x' }, 404, 'GUEST_NOT_FOUND'],
    [`/team/${stylist.stylist}/time-off`, { kind: 'pause', ...to }, 404, 'STYLIST_NOT_FOUND'],
    ['/visits', { ...booking, guest: guest.guest }, 422, 'GUEST_UNKNOWN'],
    ['/visits', { ...booking, stylist: stylist.stylist }, 422, 'STYLIST_UNKNOWN'],
    ['/visits', { ...booking, branch }, 422, 'BRANCH_UNKNOWN'],
    ['/visits', { ...booking, menu_items: [what[0]!.menu_item] }, 422, 'ITEM_UNKNOWN'],
  ] as const) {
    expect(await mine.refused(path, body)).toEqual([status, code])
  }
  expect(await mine.denied(`/visits?first_day=${day(0)}&guest=${guest.guest}`)).toEqual([422, 'GUEST_UNKNOWN'])
  const { as_of } = await theirs.read<Rows<unknown>>('/guests')
  expect(await mine.denied(`/guests?as_of=${as_of}`)).toEqual([422, 'AS_OF_INVALID'])
  for (const path of [`/visits/${visit!.visit}`, `/guests/${guest.guest}`, `/team/${stylist.stylist}`]) {
    expect((await mine.get(path)).status).toBe(404)
  }
  expect(await run.effects(mine)).toEqual([])
})

test('local times and moments agree, also where clocks change', () => {
  const at = (local: string, zone: string): number | undefined => momentOf(parseWall(local)!, zone)
  const utc = (text: string): number => Date.parse(text) / 1000
  expect(at('2026/07/01 09:30', 'Europe/Lisbon')).toBe(utc('2026-07-01T08:30Z'))
  expect(at('2026/01/15 09:30', 'Asia/Kathmandu')).toBe(utc('2026-01-15T03:45Z'))
  expect(at('2026/10/25 01:30', 'Europe/Lisbon')).toBe(utc('2026-10-25T00:30Z'))
  expect(at('2026/03/29 01:30', 'Europe/Lisbon')).toBeUndefined()
  expect(wallText(utc('2026-10-25T01:30Z'), 'Europe/Lisbon')).toBe('2026/10/25 01:30')
  expect(wallText(utc('2026-12-31T23:30Z'), 'Asia/Tokyo')).toBe('2027/01/01 08:30')
})

test('every page opens for its owner, shows everything escaped, and leads others to sign in', async () => {
  const [demo] = await run.people()
  const [guest] = (await demo!.read<Rows<{ guest: string }>>('/guests?q=script')).rows
  const { rows: team } = await demo!.read<{ rows: { stylist: string }[] }>('/team')
  const paths = ['/', '/diary', '/visits/new', '/guests', '/guests/new', `/guests/${guest!.guest}`]
  for (const path of [...paths, '/team', `/team/${team[0]!.stylist}`, '/menu', '/takings', '/wallet']) {
    const answer = await demo!.get(path)
    const page = await answer.text()
    expect([path, answer.status]).toEqual([path, 200])
    expect(page).not.toContain('<script>')
    if (path === '/') continue
    const away = await fetch(`${demo!.base}${path}`, { redirect: 'manual' })
    expect([away.status, away.headers.get('location')]).toEqual([303, expect.stringContaining('/sign-in?back=')])
  }
  const json = await fetch(`${demo!.base}/api/v2/menu`)
  const refusal = { code: 'SIGN_IN_REQUIRED', detail: 'Please sign in.', go: '/salon-booking/sign-in' }
  expect([json.status, await json.json()]).toEqual([401, { errors: [refusal] }])
  const forged = await fetch(`${demo!.base}/api/v2/guests`, { method: 'POST' })
  expect(forged.status).toBe(401)
})
