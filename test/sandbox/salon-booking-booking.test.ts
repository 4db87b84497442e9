import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { day, lustra, type Lustra, type Opening, type Person, type Visit } from './salon-booking-salon.ts'

let run: Lustra
let me: Person
beforeAll(async () => {
  run = await lustra()
})
afterAll(() => run[Symbol.asyncDispose]())
beforeEach(async () => {
  me = await run.newcomer()
})

interface Item {
  menu_item: string
  label: string
  minutes: number
}
interface Stylist {
  stylist: string
  full_name: string
  menu_items: string[]
}

const one = (id: string): Promise<Visit> => me.read<Visit>(`/visits/${id}`)
const menu = async (): Promise<Item[]> => (await me.read<{ rows: Item[] }>('/menu')).rows

test('an opening can be booked once; what is done follows in the order given, and the guest is told', async () => {
  const [cut, fringe, , touch] = await menu()
  const items = [touch!.menu_item, cut!.menu_item, fringe!.menu_item]
  const [opening] = await me.openings(items)
  const { begin_local, tz, finish_local, branch, stylist } = opening!
  const body = {
    guest: await me.guest(),
    menu_items: items,
    begin_local,
    tz,
    stylist: stylist.stylist,
    remark: 'Ő & ő',
  }
  const booked = await me.write('/visits', body)
  expect(booked.status).toBe(201)
  const visit = (await booked.json()) as Visit & { told: unknown }
  expect(visit).toMatchObject({ begin_local, tz, finish_local, branch, stylist, remark: 'Ő & ő' })
  expect(visit.state).toEqual({ code: 'planned', label: 'Booked' })
  expect(visit.what.map(({ menu_item }) => menu_item)).toEqual(items)
  expect(visit.told).toEqual({ via: 'mail', to: expect.stringContaining('@post.example') })
  const { told, ...stored } = visit
  expect(await one(visit.visit)).toEqual(stored)
  expect(await run.effects(me)).toMatchObject([
    { action: 'visit.book', body: { visit: visit.visit, menu_items: items, remark: 'Ő & ő', told } },
  ])
  expect(await me.refused('/visits', body)).toEqual([422, 'TIME_TAKEN'])
  expect((await me.openings(items)).some((other) => JSON.stringify(other) === JSON.stringify(opening))).toBe(false)
  const profile = await me.read<{ ahead: { visit: string }[] }>(`/guests/${body.guest}`)
  expect(profile.ahead.map(({ visit: id }) => id)).toContain(visit.visit)
})

test('without a stylist the first of the team who is free comes, and a time may be told in any zone', async () => {
  const [cut] = await menu()
  const all = await me.openings([cut!.menu_item], 5)
  const { begin_local, tz, branch } = all[0]!
  const near = Date.parse(`${begin_local.replaceAll('/', '-').replace(' ', 'T')}Z`)
  const wall = (ms: number, timeZone: string): string =>
    new Date(ms).toLocaleString('sv', { timeZone }).slice(0, 16).replaceAll('-', '/')
  const quarters = Array.from({ length: 113 }, (_, at) => near + (at - 56) * 900_000)
  const moment = quarters.find((ms) => wall(ms, tz) === begin_local) ?? Number.NaN
  const menu_items = [cut!.menu_item]
  const body = { guest: await me.guest(), menu_items, begin_local: wall(moment, 'Etc/UTC'), tz: 'Etc/UTC', branch }
  const visit = (await (await me.write('/visits', { ...body, tell_guest: false })).json()) as Visit
  const { rows: team } = await me.read<{ rows: Stylist[] }>('/team')
  const free = all.filter((row) => row.begin_local === begin_local && row.branch === branch)
  const first = team.find((row) => free.some(({ stylist }) => stylist.stylist === row.stylist))
  expect(visit).toMatchObject({ begin_local, tz, branch, told: null, stylist: { stylist: first?.stylist } })
})

test('openings follow shifts, skills, branch and length, and end with the day', async () => {
  const rows = await menu()
  const length = (ids: string[]): number =>
    ids.reduce((sum, id) => sum + rows.find((r) => r.menu_item === id)!.minutes, 0)
  const { rows: team } = await me.read<{ rows: Stylist[] }>('/team')
  const items = [rows[2]!.menu_item, rows[3]!.menu_item]
  const found = await me.openings(items)
  expect(found.length).toBeGreaterThan(10)
  const minutes = (local: string): number => Number(local.slice(11, 13)) * 60 + Number(local.slice(14))
  for (const { begin_local, finish_local, stylist } of found) {
    expect(minutes(finish_local) - minutes(begin_local)).toBe(length(items))
    expect(minutes(begin_local)).toBeGreaterThanOrEqual(540)
    expect(minutes(finish_local)).toBeLessThanOrEqual(1140)
    expect(team.find((row) => row.stylist === stylist.stylist)!.menu_items).toEqual(expect.arrayContaining(items))
  }
  const [{ branch, stylist }] = found as [Opening]
  expect(await me.openings(items, 3, `&branch=${branch}`)).toEqual(found.filter((row) => row.branch === branch))
  expect(await me.openings(items, 3, `&stylist=${stylist.stylist}`)).toEqual(
    found.filter((row) => row.stylist.stylist === stylist.stylist),
  )
  expect(await me.openings(items, -3)).toEqual([])
  expect(await me.openings([rows.at(-1)!.menu_item])).toEqual([])
})

test('what a booking must keep to, each with its own refusal, and nothing is stored', async () => {
  const rows = await menu()
  const { rows: team } = await me.read<{ rows: Stylist[] }>('/team')
  const stylist = team[7]!
  const cannot = rows.find(({ menu_item, minutes }) => minutes < 200 && !stylist.menu_items.includes(menu_item))!
  const can = stylist.menu_items[0]!
  const good = { guest: await me.guest(), menu_items: [can], begin_local: `${day(26)} 12:00`, tz: '' }
  const { branches } = await me.read<{ branches: { branch: string; tz: string }[] }>('/setup')
  Object.assign(good, { tz: branches[3]!.tz, branch: branches[3]!.branch })
  const cases: [Record<string, unknown>, string][] = [
    [{ guest: 'nobody' }, 'GUEST_UNKNOWN'],
    [{ guest: undefined }, 'GUEST_UNKNOWN'],
    [{ menu_items: [] }, 'ITEMS_REQUIRED'],
    [{ menu_items: Array.from({ length: 11 }, () => can) }, 'LIST_TOO_LONG'],
    [{ menu_items: ['x'] }, 'ITEM_UNKNOWN'],
    [{ menu_items: can }, 'LIST_INVALID'],
    [{ tz: '+01:00' }, 'ZONE_UNKNOWN'],
    [{ tz: 'Mars/Base' }, 'ZONE_UNKNOWN'],
    [{ begin_local: '2026-01-01T12:00' }, 'TIME_INVALID'],
    [{ begin_local: `${day(26)} 24:00` }, 'TIME_INVALID'],
    [{ begin_local: '2027/02/30 12:00' }, 'TIME_INVALID'],
    [{ begin_local: '2027/03/28 02:30', tz: 'Europe/Paris' }, 'TIME_SKIPPED'],
    [{ begin_local: `${day(-2)} 12:00` }, 'TIME_PASSED'],
    [{ begin_local: `${day(400)} 12:00` }, 'TIME_TOO_FAR'],
    [{ begin_local: `${day(26)} 08:59` }, 'OUTSIDE_HOURS'],
    [{ begin_local: `${day(26)} 18:59` }, 'OUTSIDE_HOURS'],
    [{ stylist: stylist.stylist, menu_items: [cannot.menu_item] }, 'STYLIST_CANNOT'],
    [{ stylist: stylist.stylist, branch: branches[0]!.branch }, 'OUTSIDE_HOURS'],
    [{ stylist: 'x' }, 'STYLIST_UNKNOWN'],
    [{ branch: 'x' }, 'BRANCH_UNKNOWN'],
    [{ remark: 'x'.repeat(501) }, 'TEXT_TOO_LONG'],
    [{ tell_guest: 'yes' }, 'FLAG_INVALID'],
    [{ colour: 'red' }, 'FIELD_UNKNOWN'],
  ]
  for (const [change, code] of cases) {
    expect([change, ...(await me.refused('/visits', { ...good, ...change }))]).toEqual([change, 422, code])
  }
  expect(await me.refused('/visits', 'x')).toEqual([400, 'BODY_INVALID'])
  expect(await run.effects(me)).toEqual([])
  expect((await me.write('/visits', good)).status).toBe(201)
})

test('time off closes openings, never lies over a visit, and keeps a visit from being booked', async () => {
  const [cut] = await menu()
  const [opening] = await me.openings([cut!.menu_item], 26)
  const { stylist, begin_local, finish_local, tz } = opening!
  const path = `/team/${stylist.stylist}/time-off`
  const span = { begin_local, finish_local, tz }
  const made = await me.write(path, { kind: 'course', ...span, label: 'Kurs – دورة' })
  expect(made.status).toBe(201)
  expect(await made.json()).toMatchObject({ ...span, kind: 'course', label: 'Kurs – دورة', stylist: stylist.stylist })
  const left = await me.openings([cut!.menu_item], 26, `&stylist=${stylist.stylist}`)
  expect(left.length).toBeGreaterThan(0)
  expect(left.filter((row) => row.begin_local < finish_local && row.finish_local > begin_local)).toEqual([])
  const booking = { guest: await me.guest(), menu_items: [cut!.menu_item], begin_local, tz, stylist: stylist.stylist }
  expect(await me.refused('/visits', booking)).toEqual([422, 'TIME_TAKEN'])
  expect((await me.write(path, { kind: 'pause', ...span })).status).toBe(201)
  const { begin_local: later } = left.at(-1)!
  expect((await me.write('/visits', { ...booking, begin_local: later })).status).toBe(201)
  const over = { kind: 'office', begin_local: later, finish_local: left.at(-1)!.finish_local, tz }
  const cases: [Record<string, unknown>, string][] = [
    [over, 'TIME_TAKEN'],
    [{ ...over, kind: 'holiday' }, 'KIND_INVALID'],
    [{ ...over, finish_local: later }, 'TIME_ORDER'],
    [{ ...over, finish_local: `${day(28)} 10:00` }, 'TIME_TOO_LONG'],
    [{ ...over, begin_local: `${day(-3)} 10:00`, finish_local: `${day(-3)} 11:00` }, 'TIME_PASSED'],
    [{ ...over, label: 'x'.repeat(201) }, 'TEXT_TOO_LONG'],
  ]
  for (const [body, code] of cases) expect(await me.refused(path, body)).toEqual([422, code])
  expect(await me.refused('/team/x/time-off', over)).toEqual([404, 'STYLIST_NOT_FOUND'])
  expect((await run.effects(me)).map(({ action }) => action)).toEqual(['time_off.add', 'time_off.add', 'visit.book'])
})

test('the forms obey the same rules as the JSON routes', async () => {
  const [cut] = await menu()
  const [opening] = await me.openings([cut!.menu_item], 6)
  const { begin_local, tz, stylist } = opening!
  const fields = { guest: await me.guest(), menu_items: cut!.menu_item, begin_local, tz, stylist: stylist.stylist }
  const booked = await me.form('/visits/new', fields)
  const [, id] = /^\/salon-booking\/visits\/([^?]+)\?done=booked$/.exec(booked.headers.get('location') ?? '') ?? []
  expect(booked.status).toBe(303)
  expect(await one(id!)).toMatchObject({ begin_local, stylist })
  const again = await me.form('/visits/new', fields)
  expect([again.status, await again.text()]).toEqual([422, expect.stringContaining('data-code="TIME_TAKEN"')])
  const page = await (await me.get(`/visits/${id}`)).text()
  expect(page).toContain('data-state="planned"')
  expect((await me.form(`/visits/${id}/call-off`, { reason: 'Guest is ill' })).status).toBe(303)
  expect(await (await me.get(`/visits/${id}`)).text()).toContain('data-state="called_off"')
  const { told } = (await run.effects(me)).at(-1)!.body
  expect(told).toBeNull()
})
