import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { day, lustra, type Lustra, type Person, type Opening, type Rows, type Visit } from './salon-booking-salon.ts'

let run: Lustra
let me: Person
beforeAll(async () => {
  run = await lustra()
})
afterAll(() => run[Symbol.asyncDispose]())
beforeEach(async () => {
  me = await run.newcomer()
})

const one = (id: string): Promise<Visit> => me.read<Visit>(`/visits/${id}`)

async function visitsIn(state: string, first: number, last: number): Promise<Visit[]> {
  const list = await me.read<Rows<Visit>>(
    `/visits?first_day=${day(first)}&last_day=${day(last)}&state=${encodeURIComponent(state)}&limit=200`,
  )
  return list.rows
}

const reason = 'Guest is ill'

test.each(['planned', 'agreed', 'own', 'Arrived', 'بانتظار التأكيد'])(
  'a visit to come that is %s can be moved and called off, with a reason of the salon',
  async (state) => {
    const [visit] = await visitsIn(state, 2, 20)
    expect(visit).toBeDefined()
    const items = visit!.what.map(({ menu_item }) => menu_item)
    const to = (await me.openings(items, 4, `&stylist=${visit!.stylist.stylist}`)).at(-1)!
    const { begin_local, tz } = to
    const moved = await me.write(`/visits/${visit!.visit}/move`, { begin_local, tz, tell_guest: false })
    expect(moved.status).toBe(200)
    const { finish_local, branch } = to
    expect(await moved.json()).toEqual({ ...visit, begin_local, finish_local, tz, branch, told: null })
    expect(await one(visit!.visit)).toMatchObject({ begin_local, state: visit!.state })
    const off = await me.write(`/visits/${visit!.visit}/call-off`, { reason: reason.toUpperCase() })
    expect(off.status).toBe(200)
    const after = await one(visit!.visit)
    expect(after).toMatchObject({ state: { code: 'called_off', label: 'Cancelled' }, call_off_reason: reason })
    expect(await run.effects(me)).toMatchObject([
      { action: 'visit.move', body: { visit: visit!.visit, told: null } },
      { action: 'visit.call_off', body: { visit: visit!.visit, reason } },
    ])
  },
)

test.each([
  ['done', 'VISIT_DONE'],
  ['missed', 'VISIT_MISSED'],
  ['called_off', 'VISIT_CALLED_OFF'],
  ['planned', 'VISIT_OVER'],
])('a visit of the past that is %s can be neither moved nor called off: %s', async (state, code) => {
  const [visit] = await visitsIn(state, -30, -3)
  const to = { begin_local: `${day(3)} 12:00`, tz: visit!.tz }
  expect(await me.refused(`/visits/${visit!.visit}/move`, to)).toEqual([422, code])
  expect(await me.refused(`/visits/${visit!.visit}/call-off`, { reason })).toEqual([422, code])
  expect(await one(visit!.visit)).toEqual(visit)
  expect(await run.effects(me)).toEqual([])
})

test('a visit to come that was called off stays so, and its time is free again', async () => {
  const [visit] = await visitsIn('agreed', 3, 20)
  const items = visit!.what.map(({ menu_item }) => menu_item)
  const free = async (): Promise<boolean> => {
    const path = `/openings?day=${visit!.begin_local.slice(0, 10)}&menu_item=${items.join('&menu_item=')}`
    const { rows } = await me.read<{ rows: Opening[] }>(`${path}&stylist=${visit!.stylist.stylist}`)
    return rows.some(({ begin_local }) => begin_local === visit!.begin_local)
  }
  expect(await free()).toBe(false)
  expect((await me.write(`/visits/${visit!.visit}/call-off`, { reason })).status).toBe(200)
  expect(await free()).toBe(true)
  expect(await me.refused(`/visits/${visit!.visit}/call-off`, { reason })).toEqual([422, 'VISIT_CALLED_OFF'])
  expect(await run.effects(me)).toHaveLength(1)
})

test('a visit that is under way cannot be moved, but called off', async () => {
  const visit = (await visitsIn('agreed', -1, 0)).find(({ what }) => what[0]?.label.startsWith('Film set'))
  const to = { begin_local: `${day(3)} 12:00`, tz: 'Etc/UTC' }
  expect(await me.refused(`/visits/${visit!.visit}/move`, to)).toEqual([422, 'VISIT_STARTED'])
  expect((await me.write(`/visits/${visit!.visit}/call-off`, { reason })).status).toBe(200)
})

test('a call-off needs one of the reasons of the salon, by its id or its words', async () => {
  const [first, second] = await visitsIn('planned', 2, 20)
  expect(await me.refused(`/visits/${first!.visit}/call-off`, {})).toEqual([422, 'REASON_REQUIRED'])
  const wrong = await me.write(`/visits/${first!.visit}/call-off`, { reason: 'Bored' })
  expect([wrong.status, await wrong.text()]).toEqual([422, expect.stringContaining('Stylist is ill')])
  const { call_off_reasons } = await me.read<{ call_off_reasons: { reason: string; label: string }[] }>('/setup')
  const [, , third] = call_off_reasons
  const off = await me.write(`/visits/${second!.visit}/call-off`, { reason: third!.reason })
  expect(await off.json()).toMatchObject({ call_off_reason: third!.label })
})
