import { afterAll, beforeAll, expect, test } from 'vitest'
import { AppCaller } from './app-caller.ts'
import type { Row } from './app-caller.ts'

let studio: AppCaller
beforeAll(async () => {
  studio = await AppCaller.open('fitness-studio')
})
afterAll(() => studio.sandbox.close())

const statuses = ['active', 'alert', 'pending_active', 'pending_cancel', 'cancelled', 'paused', 'completed']

test('the gateway takes each value and each bound, and nothing beyond', () => {
  const takes = (name: string, input: Row) => studio.takes(name, input)
  for (const plan_status of statuses) expect(takes('list_members', { plan_status })).toBe(true)
  expect(takes('list_members', { plan_status: 'all' })).toBe(false)
  expect([0, 1, 100, 101].map((limit) => takes('list_members', { limit }))).toEqual([false, true, true, false])
  const searches = ['', ' ', 'a', 'a'.repeat(200), 'a'.repeat(201)]
  expect(searches.map((search) => takes('list_members', { search }))).toEqual([false, false, true, true, false])
  expect(takes('list_members', { cursor: 'made-up' })).toBe(false)
  expect(takes('get_member', {})).toBe(false)
  expect(takes('list_classes', { to: '2026-01-01' })).toBe(false)
  expect(takes('list_classes', { from: '2026-02-30' })).toBe(false)
  expect(takes('list_no_shows_late_cancels', { from: '2026-01-01' })).toBe(false)
  const days = { from: '2026-01-01', to: '2026-01-02' }
  for (const [type, taken] of [
    ['no_show', true],
    ['late_cancel', true],
    ['all', true],
    ['NS', false],
  ] as const)
    expect(takes('list_no_shows_late_cancels', { ...days, type })).toBe(taken)
  const place = { class_id: 'S1', member_id: 'C1' }
  expect(takes('book_class_reservation', place)).toBe(true)
  expect(takes('book_class_reservation', { class_id: 'S1' })).toBe(false)
  expect(takes('check_in_member', { ...place, override: true })).toBe(true)
  expect(takes('check_in_member', { ...place, override: 'yes' })).toBe(false)
  expect(takes('remove_reservation', { member_id: 'C1' })).toBe(false)
  const plan = { member_id: 'C1', plan_id: 'P1' }
  for (const when of ['now', 'next_bill_date', undefined, 'later'])
    expect(
      takes('switch_member_plan', { ...plan, new_plan_template_id: 'O1', ...(when === undefined ? {} : { when }) }),
    ).toBe(when !== 'later')
  expect(takes('switch_member_plan', plan)).toBe(false)
  expect(takes('pause_member_plan', { member_id: 'C1' })).toBe(false)
  expect(takes('cancel_member_plan', { ...plan, date: 'tomorrow' })).toBe(false)
  for (const [scope, taken] of [
    ['this_class', true],
    ['this_and_future', true],
    ['all', false],
  ] as const)
    expect(takes('cancel_class', { class_id: 'S1', scope })).toBe(taken)
  const letter = { class_id: 'S1', channel: 'email', message: 'Hello' }
  const bounds = (key: string, most: number) =>
    ['', ' ', 'a', 'a'.repeat(most), 'a'.repeat(most + 1)].map((text) =>
      takes('message_class_registrants', { ...letter, [key]: text }),
    )
  expect(bounds('subject', 150)).toEqual([false, false, true, true, false])
  expect(bounds('message', 5000)).toEqual([false, false, true, true, false])
  expect(takes('message_class_registrants', { ...letter, channel: 'phone' })).toBe(false)
})
