import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppCaller, dayFromNow, values } from './app-caller.ts'
import type { Row } from './app-caller.ts'
import { members, planOf } from './fitness-studio-desk.ts'

let studio: AppCaller
beforeAll(async () => {
  studio = await AppCaller.open('fitness-studio')
})
beforeEach(() => studio.sandbox.reset())
afterAll(() => studio.sandbox.close())

const actions = async (): Promise<string[]> => (await studio.control.effects()).map(({ action }) => action)

describe('a plan', () => {
  const plan = { member_id: 'C100001', plan_id: 'P100001' }
  const statusOf = async (member_id: string, plan_id: string) => (await planOf(studio, member_id, plan_id))?.['status']

  test('is paused when active, and sends no bill', async () => {
    expect(await studio.call('pause_member_plan', plan)).toEqual({ ...plan, status: 'paused' })
    expect(await planOf(studio, 'C100001', 'P100001')).toMatchObject({ status: 'paused', next_bill_date: null })
    expect(values(await members(studio, { plan_status: 'paused' }), 'member_id')).toContain('C100001')
    expect(await studio.refused('book_class_reservation', { class_id: 'S100188', member_id: 'C100001' })).toBe(
      'NO_PASS',
    )
    expect(await actions()).toEqual(['pass.hold'])
  })

  const standing = [
    ['alert', 'C100004', 'P100005'],
    ['pending_active', 'C100006', 'P100008'],
    ['pending_cancel', 'C100008', 'P100010'],
    ['cancelled', 'C100010', 'P100013'],
    ['paused', 'C100012', 'P100015'],
    ['completed', 'C100013', 'P100016'],
  ] as const

  test.each(standing)('that is %s is neither paused, ended later nor switched', async (status, member_id, plan_id) => {
    expect(await statusOf(member_id, plan_id)).toBe(status)
    const one = { member_id, plan_id }
    expect(await studio.refused('pause_member_plan', one)).toBe('PASS_STANDING')
    expect(await studio.refused('cancel_member_plan', { ...one, date: dayFromNow(9) })).toBe('PASS_STANDING')
    const code = status === 'completed' ? 'PASS_NOT_AUTO' : 'PASS_STANDING'
    const other = { ...one, new_plan_template_id: 'O100004' }
    expect(await studio.refused('switch_member_plan', other)).toBe(code)
    expect(await studio.refused('switch_member_plan', { ...other, when: 'next_bill_date' })).toBe(code)
    expect(await statusOf(member_id, plan_id)).toBe(status)
  })

  test.each([['active', 'C100001', 'P100001'], ...standing] as const)(
    'that is %s is cancelled at once unless it is over',
    async (status, member_id, plan_id) => {
      const one = { member_id, plan_id }
      if (status === 'cancelled' || status === 'completed') {
        expect(await studio.refused('cancel_member_plan', one)).toBe('PASS_STANDING')
        return
      }
      expect(await studio.call('cancel_member_plan', one)).toEqual({ ...one, status: 'cancelled', date: dayFromNow(0) })
      expect(await planOf(studio, member_id, plan_id)).toMatchObject({ status: 'cancelled', next_bill_date: null })
    },
  )

  test('that is active ends on a later day, 730 days ahead at most; today is at once', async () => {
    for (const [date, code] of [
      [dayFromNow(-1), 'DAY_PASSED'],
      [dayFromNow(731), 'DAY_TOO_FAR'],
    ])
      expect(await studio.refused('cancel_member_plan', { ...plan, date })).toBe(code)
    const later = { ...plan, date: dayFromNow(730) }
    expect(await studio.call('cancel_member_plan', later)).toEqual({ ...later, status: 'pending_cancel' })
    expect(await planOf(studio, 'C100001', 'P100001')).toMatchObject({ status: 'pending_cancel', next_bill_date: null })
    const today = { ...plan, date: dayFromNow(0) }
    expect(await studio.call('cancel_member_plan', today)).toEqual({ ...today, status: 'cancelled' })
  })

  test('is switched now, which is the default', async () => {
    const { new_plan_id, ...rest } = await studio.call('switch_member_plan', {
      ...plan,
      new_plan_template_id: 'O100002',
    })
    expect(rest).toEqual({ ...plan, status: 'cancelled', new_status: 'active', effective_date: dayFromNow(0) })
    expect(await statusOf('C100001', 'P100001')).toBe('cancelled')
    expect(await planOf(studio, 'C100001', String(new_plan_id))).toEqual({
      plan_id: new_plan_id,
      name: 'Yoga & Mobility, weekly',
      status: 'active',
      next_bill_date: dayFromNow(7),
      recurring: true,
    })
  })

  test('is switched at the next bill date', async () => {
    const bill = (await planOf(studio, 'C100001', 'P100001'))?.['next_bill_date']
    const { new_plan_id, ...rest } = await studio.call('switch_member_plan', {
      ...plan,
      new_plan_template_id: 'O100004',
      when: 'next_bill_date',
    })
    expect(rest).toEqual({ ...plan, status: 'pending_cancel', new_status: 'pending_active', effective_date: bill })
    expect(await statusOf('C100001', 'P100001')).toBe('pending_cancel')
    expect(await planOf(studio, 'C100001', String(new_plan_id))).toMatchObject({
      name: 'Founders’ year',
      status: 'pending_active',
      next_bill_date: bill,
    })
  })

  test('is switched only from and to one that renews, another one, and one that there is', async () => {
    const refused = (new_plan_template_id: string, one: Row = plan) =>
      studio.refused('switch_member_plan', { ...one, new_plan_template_id })
    expect(await refused('O100006')).toBe('OFFER_NOT_AUTO')
    expect(await refused('O100001')).toBe('OFFER_SAME')
    expect(await refused('O200001')).toBe('OFFER_NOT_FOUND')
    expect(await refused('O100002', { member_id: 'C100003', plan_id: 'P100004' })).toBe('PASS_NOT_AUTO')
    expect(await refused('O100002', { member_id: 'C100002', plan_id: 'P100001' })).toBe('PASS_NOT_FOUND')
    expect(await actions()).toEqual([])
  })

  test('is changed by admins only', async () => {
    const theirs = { member_id: 'C300001', plan_id: 'P300001' }
    expect(await studio.refused('pause_member_plan', theirs, 'poor')).toBe('ADMIN_ONLY')
    expect(await studio.refused('cancel_member_plan', theirs, 'poor')).toBe('ADMIN_ONLY')
    expect(await studio.refused('switch_member_plan', { ...theirs, new_plan_template_id: 'O300002' }, 'poor')).toBe(
      'ADMIN_ONLY',
    )
  })
})
