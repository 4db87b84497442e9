import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AppCaller, dayFromNow, values } from './app-caller.ts'
import type { Row } from './app-caller.ts'
import { classes, members, misses, plansOf, roster, submit } from './fitness-studio-desk.ts'

let studio: AppCaller
beforeAll(async () => {
  studio = await AppCaller.open('fitness-studio')
})
afterAll(() => studio.sandbox.close())

const statuses = ['active', 'alert', 'pending_active', 'pending_cancel', 'cancelled', 'paused', 'completed']
const has = (status: string) => (member: Row) => values(plansOf(member), 'status').includes(status)

describe('members', () => {
  test('are read to the end, each once, those who joined first come first', async () => {
    const all = await studio.every('list_members', 'members', { limit: 19 })
    expect(all.length).toBe(140)
    expect(values(all, 'member_id')).toEqual(all.map((_, at) => `C${100_001 + at}`))
    expect((await members(studio, {})).length).toBe(50)
    expect(await members(studio, { limit: 100 })).toEqual(all.slice(0, 100))
    expect(all[0]).toEqual({
      member_id: 'C100001',
      name: 'Mia Núñez',
      plans: [{ plan_id: 'P100001', name: 'Unlimited', status: 'active', next_bill_date: dayFromNow(2) }],
    })
    expect(all.some((member) => plansOf(member).length === 0)).toBe(true)
    expect(all.some((member) => plansOf(member).length > 1)).toBe(true)
  })

  test.each(statuses)('are found by a plan that is %s, one a page', async (plan_status) => {
    const all = await studio.every('list_members', 'members', { limit: 100 })
    const wanted = all.filter(has(plan_status))
    expect(wanted.length).toBeGreaterThan(0)
    expect(wanted.length).toBeLessThan(all.length)
    const limit = wanted.length > 20 ? 9 : 1
    expect(await studio.every('list_members', 'members', { plan_status, limit })).toEqual(wanted)
  })

  test('are found by a part of the name or email in any capitals, where accents count', async () => {
    const all = await studio.every('list_members', 'members', { limit: 100 })
    const found = await studio.every('list_members', 'members', { search: 'ŻEROM', limit: 2 })
    expect(found).toEqual(all.filter(({ name }) => String(name).includes('Żerom')))
    expect(found.length).toBeGreaterThan(1)
    expect(values(await members(studio, { search: 'MIANUNEZ.1@' }), 'member_id')).toEqual(['C100001'])
    expect(values(await members(studio, { search: '<bob> "Tables" &' }), 'name')).toEqual([
      'Robert <Bob> "Tables" & Sons',
    ])
    expect(await members(studio, { search: 'Zeromska,' })).toEqual([])
    const both = await studio.every('list_members', 'members', { search: 'żerom', plan_status: 'active' })
    expect(both).toEqual(found.filter(has('active')))
    expect(both.length).toBeLessThan(found.length)
  })

  test('stay those of the first page, whatever the page size is then', async () => {
    const all = await studio.every('list_members', 'members', { plan_status: 'alert', limit: 100 })
    const first = await studio.call('list_members', { plan_status: 'alert', limit: 3 })
    const cursor = first['next_cursor']
    expect(await members(studio, { cursor, limit: 2 })).toEqual(all.slice(3, 5))
    const second = await studio.call('list_members', { cursor, limit: 2 })
    expect(await members(studio, { cursor: second['next_cursor'], limit: 100 })).toEqual(all.slice(5, 6))
  })

  test('are read without one twice or missing while members come and plans change', async () => {
    const all = await studio.every('list_members', 'members', { plan_status: 'pending_cancel', limit: 100 })
    const changing = await studio.every(
      'list_members',
      'members',
      { plan_status: 'pending_cancel', limit: 2 },
      (page) => {
        if (page === 1) return submit(studio, 'staff/desk/clients', { Full: 'Ama Late' })
        if (page > 3) return undefined
        const gone = all[page]!
        const plan = plansOf(gone).find(({ status }) => status === 'pending_cancel')!
        return studio.call('cancel_member_plan', { member_id: gone['member_id'], plan_id: plan['plan_id'] })
      },
    )
    expect(changing).toEqual(all)
    const now = await studio.every('list_members', 'members', { plan_status: 'pending_cancel', limit: 100 })
    expect(now.length).toBe(all.length - 2)
    expect(values(await members(studio, { search: 'Ama Late' }), 'name')).toEqual(['Ama Late'])
    await studio.sandbox.reset()
  })

  test('come one by one with email or none, which plans renew, and their last 25 classes', async () => {
    expect((await studio.call('get_member', { member_id: 'C100001' }))['email']).toBe('mianunez.1@mail.example')
    expect((await studio.call('get_member', { member_id: 'C100008' }))['email']).toBeNull()
    const member = await studio.call('get_member', { member_id: 'C100003' })
    const [row] = await members(studio, { search: 'abena şahin', limit: 1 })
    expect(plansOf(member)).toEqual([
      { ...plansOf(row!)[0], recurring: true },
      { ...plansOf(row!)[1], recurring: false },
    ])
    const activity = member['recent_activity'] as Row[]
    expect(activity.length).toBeGreaterThan(3)
    expect(activity.length).toBeLessThanOrEqual(25)
    const dates = values(activity, 'date').map(String)
    expect(dates).toEqual(dates.toSorted().toReversed())
    for (const { class_id, status } of activity.slice(0, 4))
      expect(await roster(studio, String(class_id))).toContainEqual({
        member_id: 'C100003',
        name: member['name'],
        status,
      })
    expect(await studio.refused('get_member', { member_id: 'C9' })).toBe('CLIENT_NOT_FOUND')
  })

  test('have a next bill date only where a bill comes', async () => {
    const plans = (await studio.every('list_members', 'members', { limit: 100 })).flatMap(plansOf)
    for (const { status, next_bill_date } of plans) {
      if (status === 'alert' || status === 'pending_active') expect(next_bill_date).toEqual(expect.any(String))
      if (['pending_cancel', 'cancelled', 'paused', 'completed'].includes(String(status)))
        expect(next_bill_date).toBeNull()
    }
    expect(new Set(values(plans, 'status'))).toEqual(new Set(statuses))
  })
})

describe('classes', () => {
  test('of one day, the day itself by default, in order of start, some without a coach', async () => {
    const day = await classes(studio, { from: dayFromNow(3) })
    expect(await classes(studio, { from: dayFromNow(3), to: dayFromNow(3) })).toEqual(day)
    expect(values(day, 'class_id')).toEqual(['S100180', 'S100183', 'S100181', 'S100184', 'S100182'])
    expect(day[2]).toEqual({
      class_id: 'S100181',
      name: 'HIIT 45',
      starts_at: `${dayFromNow(3)}T12:15:00+00:00`,
      coach: 'Zoë Núñez',
      reserved: 8,
      waitlist: 3,
    })
    expect(day[3]?.['coach']).toBeNull()
  })

  test('of several days are those of each day, and count the roster of each', async () => {
    const days: Row[] = []
    for (const at of [-3, -2, -1, 0, 1]) days.push(...(await classes(studio, { from: dayFromNow(at) })))
    expect(await classes(studio, { from: dayFromNow(-3), to: dayFromNow(1) })).toEqual(days)
    for (const { class_id, name, reserved, waitlist } of days.slice(0, 6)) {
      const { members: listed, ...head } = await studio.call('get_class_roster', { class_id })
      expect(head).toEqual({ class_id, name })
      const marks = values(listed as Row[], 'status').map(String)
      expect(marks.filter((mark) => ['reserved', 'checked_in', 'no_show'].includes(mark)).length).toBe(reserved)
      expect(marks.filter((mark) => mark === 'waitlist').length).toBe(waitlist)
    }
    expect(await studio.refused('list_classes', { from: dayFromNow(3), to: dayFromNow(2) })).toBe('SPAN_BACKWARDS')
    for (const from of ['0001-01-01', dayFromNow(90), '9999-12-31']) expect(await classes(studio, { from })).toEqual([])
  })

  test('start on the clocks of the studio, just after midnight too, with its offset then', async () => {
    const span = { from: dayFromNow(-40), to: dayFromNow(30) }
    const night = (await classes(studio, span)).filter(({ name }) => name === 'New Moon Stretch')
    expect(night.length).toBeGreaterThan(0)
    for (const { starts_at } of night) expect(String(starts_at)).toMatch(/T00:15:00\+00:00$/)
    const harbor = await classes(studio, span, 'stranger')
    expect(harbor.length).toBeGreaterThan(150)
    const clock = new Intl.DateTimeFormat('sv-SE', {
      timeZone: 'America/New_York',
      dateStyle: 'short',
      timeStyle: 'medium',
    })
    for (const { starts_at } of harbor) {
      expect(String(starts_at)).toMatch(/-0[45]:00$/)
      expect(clock.format(Date.parse(String(starts_at))).replace(' ', 'T')).toBe(String(starts_at).slice(0, 19))
    }
    const starts = harbor.map(({ starts_at }) => Date.parse(String(starts_at)))
    expect(starts).toEqual(starts.toSorted((a, b) => a - b))
  })

  test('have everybody on the roster with one of five statuses', async () => {
    const seen = new Set(values([...(await roster(studio, 'S100160')), ...(await roster(studio, 'S100181'))], 'status'))
    for (const { class_id } of await classes(studio, { from: dayFromNow(-3), to: dayFromNow(-1) }))
      for (const { status } of await roster(studio, String(class_id))) seen.add(status)
    expect(seen).toEqual(new Set(['reserved', 'checked_in', 'waitlist', 'late_cancel', 'no_show']))
    expect(await studio.refused('get_class_roster', { class_id: 'S9' })).toBe('SLOT_NOT_FOUND')
  })
})

describe('plan templates', () => {
  const templates = (user?: string) => studio.rows('list_plan_templates', 'plan_templates', {}, user)

  test('say which renew, and the price with currency and period', async () => {
    const all = await templates()
    expect(all[0]).toEqual({
      template_id: 'O100001',
      name: 'Unlimited',
      recurring: true,
      price: '1032.00 GHS every 4 weeks',
    })
    expect(values(all, 'recurring')).toEqual([true, true, true, true, true, false, false, false])
    expect(values(all, 'price')).toEqual(
      expect.arrayContaining(['196.00 GHS every week', '10000.00 GHS every 52 weeks', '1280.00 GHS once']),
    )
  })

  test.each([
    ['stranger', 'USD', /^\d+\.\d\d /],
    ['poor', 'JPY', /^\d+ /],
    ['narrow', 'EUR', /^\d+\.\d\d /],
    ['revoked', 'INR', /^\d+\.\d\d /],
    ['two_accounts', 'KWD', /^\d+\.\d{3} /],
  ])('of %s have prices in %s, with its decimals', async (user, currency, amount) => {
    for (const { price } of await templates(user)) {
      expect(price).toMatch(amount)
      expect(price).toMatch(new RegExp(` ${currency} (every (4 weeks|week|52 weeks)|once)$`))
    }
  })
})

describe('no-shows and late cancellations', () => {
  const span = { from: dayFromNow(-40), to: dayFromNow(5) }

  test('are those of the days asked for, by type, and agree with the rosters', async () => {
    const all = await misses(studio, span)
    expect(await misses(studio, { ...span, type: 'all' })).toEqual(all)
    for (const type of ['no_show', 'late_cancel']) {
      const found = await misses(studio, { ...span, type })
      expect(found).toEqual(all.filter((row) => row['type'] === type))
      expect(found.length).toBeGreaterThan(0)
      expect(found.length).toBeLessThan(all.length)
    }
    const from = dayFromNow(-6)
    const to = dayFromNow(-3)
    const some = await misses(studio, { from, to })
    expect(some).toEqual(all.filter(({ date }) => String(date) >= from && String(date) <= to))
    const expected: Row[] = []
    for (const { class_id, name: class_name, starts_at } of await classes(studio, { from, to }))
      for (const { status, ...who } of await roster(studio, String(class_id)))
        if (status === 'no_show' || status === 'late_cancel')
          expected.push({ ...who, class_name, date: String(starts_at).slice(0, 10), type: status })
    expect(some).toEqual(expected)
    expect(some.length).toBeGreaterThan(3)
  })

  test('are not known yet for yesterday and today', async () => {
    const dates = values(await misses(studio, span), 'date').map(String)
    expect(dates).toEqual(dates.toSorted())
    expect(dates.at(-1)! <= dayFromNow(-2)).toBe(true)
    expect(await misses(studio, { from: dayFromNow(-1), to: dayFromNow(0) })).toEqual([])
  })

  test('are for admins, and for days in order', async () => {
    expect(await studio.refused('list_no_shows_late_cancels', span, 'poor')).toBe('ADMIN_ONLY')
    expect(await studio.refused('list_no_shows_late_cancels', { from: dayFromNow(0), to: dayFromNow(-1) })).toBe(
      'SPAN_BACKWARDS',
    )
  })
})

test('another studio sees nothing of this one', async () => {
  const own = await studio.every('list_members', 'members', { limit: 100 })
  const theirs = await studio.every('list_members', 'members', { limit: 100 }, undefined, 'stranger')
  expect(theirs.length).toBe(140)
  expect(values(theirs, 'member_id').filter((one) => values(own, 'member_id').includes(one))).toEqual([])
  const calls: [string, Row, string][] = [
    ['get_member', { member_id: 'C100001' }, 'CLIENT_NOT_FOUND'],
    ['get_class_roster', { class_id: 'S100181' }, 'SLOT_NOT_FOUND'],
    ['book_class_reservation', { class_id: 'S100188', member_id: 'C200001' }, 'SLOT_NOT_FOUND'],
    ['check_in_member', { class_id: 'S200188', member_id: 'C100001' }, 'CLIENT_NOT_FOUND'],
    ['remove_reservation', { class_id: 'S100195', member_id: 'C100046' }, 'SLOT_NOT_FOUND'],
    ['pause_member_plan', { member_id: 'C200001', plan_id: 'P100001' }, 'PASS_NOT_FOUND'],
    ['cancel_member_plan', { member_id: 'C100001', plan_id: 'P100001' }, 'CLIENT_NOT_FOUND'],
    ['cancel_class', { class_id: 'S100188' }, 'SLOT_NOT_FOUND'],
    ['message_class_registrants', { class_id: 'S100188', channel: 'text', message: 'Hello' }, 'SLOT_NOT_FOUND'],
  ]
  for (const [name, input, code] of calls) expect(await studio.refused(name, input, 'stranger'), name).toBe(code)
  expect(await studio.control.effects()).toEqual([])
})
