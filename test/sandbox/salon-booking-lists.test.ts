import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { day, lustra, type Lustra, type Person, type Rows, type Visit } from './salon-booking-salon.ts'

let run: Lustra
let me: Person
beforeAll(async () => {
  run = await lustra()
})
afterAll(() => run[Symbol.asyncDispose]())
beforeEach(async () => {
  me = await run.newcomer()
})

interface Guest {
  guest: string
}
interface Payout {
  payout: string
}

const always = `/visits?first_day=${day(-500)}&last_day=${day(60)}`
const lists = [always, '/guests', '/payouts', `/payouts?first_day=${day(-90)}`]

test.each(lists)('%s read in steps of eleven is the whole list, and behind its end is nothing', async (path) => {
  const joint = path.includes('?') ? '&' : '?'
  const whole = await me.readOn<Record<string, unknown>>(path, 200)
  expect(whole.length).toBeGreaterThanOrEqual(60)
  const key = /^\/(\w+)s/.exec(path)?.[1] ?? ''
  expect(new Set(whole.map((row) => row[key])).size).toBe(whole.length)
  expect(await me.readOn(path, 11)).toEqual(whole)
  const behind = await me.read<Rows<unknown>>(`${path}${joint}offset=${whole.length}`)
  expect(behind).toMatchObject({ rows: [], total: whole.length, limit: 50 })
})

test('visits read one by one while others are booked, moved and called off: none twice, none missing', async () => {
  const ahead = await me.readOn<Visit>(`/visits?first_day=${day(2)}&last_day=${day(40)}`, 200)
  const last = ahead[66]!.begin_local.slice(0, 10)
  const path = `/visits?first_day=${day(2)}&last_day=${last}`
  const before = await me.readOn<Visit>(path, 200)
  expect(before.length).toBeGreaterThanOrEqual(60)
  const [{ what, guest }] = before as [Visit]
  const live = before.filter(({ state }) => state.code === 'planned')
  const [{ menu_item }] = what as [Visit['what'][0]]
  const { rows } = await me.read<{ rows: { begin_local: string; tz: string; stylist: { stylist: string } }[] }>(
    `/openings?day=${day(2)}&menu_item=${menu_item}`,
  )
  const starts = [...new Map(rows.map((row) => [row.stylist.stylist, row])).values()]
  let done = 0
  const meanwhile = async (page: number): Promise<void> => {
    if (page % 8 !== 1) return
    const [off, moved, opening] = [live.pop()!, live.pop()!, starts.pop()]
    const answers = [
      await me.write(`/visits/${off.visit}/call-off`, { reason: 'Salon closed' }),
      await me.write(`/visits/${moved.visit}/move`, { begin_local: `${day(50 + page)} 09:00`, tz: moved.tz }),
    ]
    if (opening) {
      const { begin_local, tz } = opening
      const body = { guest: guest.guest, menu_items: [menu_item], begin_local, tz, stylist: opening.stylist.stylist }
      answers.push(await me.write('/visits', body))
    }
    for (const answer of answers) expect(answer.status).toBeLessThan(300)
    done += answers.length
  }
  expect(await me.readOn(path, 1, meanwhile)).toEqual(before)
  expect(done).toBeGreaterThan(18)
  expect(await me.readOn(path, 200)).not.toEqual(before)
})

test('visits of one state that are called off, and moved away, while they are read leave nothing out', async () => {
  const path = `/visits?first_day=${day(2)}&last_day=${day(20)}&state=planned`
  const before = await me.readOn<Visit>(path, 200)
  const seen = await me.readOn<Visit>(path, 3, async (page) => {
    const target = before[page * 3 - 1]!
    expect((await me.write(`/visits/${target.visit}/call-off`, { reason: 'Salon closed' })).status).toBe(200)
  })
  expect(seen).toEqual(before)
  expect((await me.readOn(path, 200)).length).toBeLessThan(before.length)
})

test('guests read one by one while others are added: none twice, none missing', async () => {
  const before = await me.readOn<Guest>('/guests?q=guest.', 500)
  let n = 0
  const seen = await me.readOn<Guest>('/guests?q=guest.', 3, async () => {
    n += 1
    const body = { full_name: n % 2 === 0 ? `Aaa ${n}` : `Zzz ${n}`, mail: `guest.new.${n}@post.example` }
    expect((await me.write('/guests', body)).status).toBe(201)
  })
  expect(before.length).toBeGreaterThan(100)
  expect(seen).toEqual(before)
  expect(await me.readOn('/guests?q=guest.', 500)).toHaveLength(before.length + n)
})

test('payouts read one by one while money is paid out: none twice, none missing, and the newest is first later', async () => {
  const path = `/payouts?first_day=${day(-25)}`
  const before = await me.readOn<Payout>(path, 200)
  const seen = await me.readOn<Payout>(path, 1, async (page) => {
    if (page % 5 === 0) expect((await me.form('/wallet/pay-out', { gross: '10' })).status).toBe(303)
  })
  expect(seen).toEqual(before)
  const [newest] = (await me.read<Rows<Payout>>('/payouts?limit=1')).rows
  expect(newest).toMatchObject({
    kind: 'by_hand',
    gross: { minor: 10 },
    charges: { minor: 1 },
    arrives: { minor: 9 },
  })
})
