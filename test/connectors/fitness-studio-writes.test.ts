import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppCaller, dayFromNow, values } from './app-caller.ts'
import type { Row } from './app-caller.ts'
import { classes, listedAs, plansOf, roster, submit } from './fitness-studio-desk.ts'

let studio: AppCaller
beforeAll(async () => {
  studio = await AppCaller.open('fitness-studio')
})
beforeEach(() => studio.sandbox.reset())
afterAll(() => studio.sandbox.close())

const evening = 'S100188'
const full = 'S100181'
/** Two days ago: HIIT 45. */
const past = 'S100161'
const entry = async (class_id: string, member_id: string): Promise<unknown> =>
  (await roster(studio, class_id)).find((one) => one['member_id'] === member_id)?.['status']
const count = async (class_id: string, from: number): Promise<Row> =>
  (await classes(studio, { from: dayFromNow(from) })).find((one) => one['class_id'] === class_id)!
const actions = async (): Promise<string[]> => (await studio.control.effects()).map(({ action }) => action)

describe('a reservation', () => {
  test('is booked, and stands on the roster and with the member', async () => {
    const place = { class_id: evening, member_id: 'C100001' }
    expect(await studio.call('book_class_reservation', place)).toEqual({ ...place, status: 'reserved' })
    expect(await entry(evening, 'C100001')).toBe('reserved')
    expect((await count(evening, 4))['reserved']).toBe(8)
    const { recent_activity } = await studio.call('get_member', { member_id: 'C100001' })
    expect(recent_activity).toContainEqual({
      class_id: evening,
      class_name: 'يوغا المساء',
      status: 'reserved',
      date: dayFromNow(4),
    })
    expect(await studio.refused('book_class_reservation', place)).toBe('ALREADY_LISTED')
    expect(await actions()).toEqual(['slot.book'])
  })

  test.each([
    ['no plan', evening, 'C100028', 'NO_PASS'],
    ['a plan with an unpaid bill', 'S100186', 'C100032', 'PASS_DUE'],
    ['a plan that is paused', evening, 'C100012', 'NO_PASS'],
    ['a plan that has not begun', evening, 'C100020', 'NO_PASS'],
    ['a plan that does not cover the class', 'S100186', 'C100002', 'PASS_EXCLUDES'],
    ['a place in a class that is full', full, 'C100001', 'SLOT_FULL'],
    ['a place in a class that is over', past, 'C100001', 'SLOT_STARTED'],
    ['an id of nobody', evening, 'C9', 'CLIENT_NOT_FOUND'],
    ['a class that is none', 'S9', 'C100001', 'SLOT_NOT_FOUND'],
  ])('is refused with %s', async (_why, class_id, member_id, code) => {
    expect(await studio.refused('book_class_reservation', { class_id, member_id })).toBe(code)
    expect(await actions()).toEqual([])
  })

  test('is refused for who waits or has cancelled late', async () => {
    const [waiting] = await listedAs(studio, full, 'waitlist')
    const [late] = await listedAs(studio, 'S100185', 'late_cancel')
    expect(await studio.refused('book_class_reservation', { class_id: full, member_id: waiting })).toBe(
      'ALREADY_LISTED',
    )
    expect(await studio.refused('book_class_reservation', { class_id: 'S100185', member_id: late })).toBe(
      'ALREADY_LISTED',
    )
  })

  test('may be made by staff that is no admin', async () => {
    const place = { class_id: 'S300188', member_id: 'C300001' }
    expect(await studio.call('book_class_reservation', place, 'poor')).toEqual({ ...place, status: 'reserved' })
  })
})

describe('a check-in', () => {
  test('takes a reservation, or a spot and a plan', async () => {
    for (const member_id of ['C100109', 'C100001']) {
      const place = { class_id: evening, member_id }
      expect(await studio.call('check_in_member', place)).toEqual({ ...place, status: 'checked_in' })
      expect(await entry(evening, member_id)).toBe('checked_in')
      expect(await studio.refused('check_in_member', place)).toBe('ALREADY_LISTED')
    }
    expect((await count(evening, 4))['reserved']).toBe(8)
  })

  test('without a spot or a plan needs the override, which uses no visit', async () => {
    const calls = [
      [full, 'C100001', 'SLOT_FULL'],
      [evening, 'C100013', 'NO_PASS'],
      ['S100186', 'C100002', 'PASS_EXCLUDES'],
      ['S100186', 'C100032', 'PASS_DUE'],
    ] as const
    for (const [class_id, member_id, code] of calls) {
      const place = { class_id, member_id }
      expect(await studio.refused('check_in_member', place)).toBe(code)
      expect(await studio.refused('check_in_member', { ...place, override: false })).toBe(code)
      const before = plansOf(await studio.call('get_member', { member_id }))
      expect(await studio.call('check_in_member', { ...place, override: true })).toEqual({
        ...place,
        status: 'checked_in',
      })
      expect(await entry(class_id, member_id)).toBe('checked_in')
      expect(plansOf(await studio.call('get_member', { member_id }))).toEqual(before)
    }
  })

  test('is refused for who waits or cancelled late, and when the day is over, override or not', async () => {
    const [waiting] = await listedAs(studio, full, 'waitlist')
    const [late] = await listedAs(studio, 'S100185', 'late_cancel')
    for (const override of [false, true]) {
      const refused = (class_id: string, member_id: unknown) =>
        studio.refused('check_in_member', { class_id, member_id, override })
      expect(await refused(full, waiting)).toBe('ALREADY_LISTED')
      expect(await refused('S100185', late)).toBe('ALREADY_LISTED')
      expect(await refused(past, 'C100001')).toBe('SLOT_CLOSED')
    }
  })
})

describe('removing', () => {
  test.each(['reserved', 'checked_in'])('takes who is %s off the roster; plans stay as they are', async (removed) => {
    const [member_id = ''] = await listedAs(studio, evening, 'reserved')
    if (removed === 'checked_in') await studio.call('check_in_member', { class_id: evening, member_id })
    const before = plansOf(await studio.call('get_member', { member_id }))
    const place = { class_id: evening, member_id }
    expect(await studio.call('remove_reservation', place)).toEqual({
      ...place,
      status: 'none',
      removed,
      moved_up_member_id: null,
    })
    expect(await entry(evening, member_id)).toBeUndefined()
    expect(plansOf(await studio.call('get_member', { member_id }))).toEqual(before)
    expect(await studio.refused('remove_reservation', place)).toBe('NOT_LISTED')
  })

  test('opens a spot for the first who waits', async () => {
    const waiting = await listedAs(studio, full, 'waitlist')
    const [member_id = ''] = await listedAs(studio, full, 'reserved')
    const removed = await studio.call('remove_reservation', { class_id: full, member_id })
    expect(removed['moved_up_member_id']).toBe(waiting[0])
    expect(await entry(full, waiting[0]!)).toBe('reserved')
    expect(await listedAs(studio, full, 'waitlist')).toEqual(waiting.slice(1))
    expect(await count(full, 3)).toMatchObject({ reserved: 8, waitlist: 2 })
  })

  test('leaves the waiting list, late cancellations and no-shows alone', async () => {
    const [waiting] = await listedAs(studio, full, 'waitlist')
    const [late] = await listedAs(studio, 'S100185', 'late_cancel')
    expect(await studio.refused('remove_reservation', { class_id: full, member_id: waiting })).toBe('NOT_STRIKABLE')
    expect(await studio.refused('remove_reservation', { class_id: 'S100185', member_id: late })).toBe('NOT_STRIKABLE')
    const over = await classes(studio, { from: dayFromNow(-3), to: dayFromNow(-1) })
    const found: string[] = []
    for (const class_id of values(over, 'class_id').map(String)) {
      const [missed] = await listedAs(studio, class_id, 'no_show')
      if (missed === undefined) continue
      found.push(await studio.refused('remove_reservation', { class_id, member_id: missed }))
    }
    expect(new Set(found)).toEqual(new Set(['NOT_STRIKABLE']))
  })

  test('takes a check-in off a class that is over, and nobody moves up', async () => {
    const [member_id = ''] = await listedAs(studio, past, 'checked_in')
    const answer = await studio.call('remove_reservation', { class_id: past, member_id })
    expect(answer).toMatchObject({ removed: 'checked_in', moved_up_member_id: null })
    expect(await entry(past, member_id)).toBeUndefined()
  })
})

describe('cancelling a class', () => {
  test('cancels this one alone by default, and tells who was on its roster', async () => {
    expect((await roster(studio, evening)).length).toBe(7)
    expect(await studio.call('cancel_class', { class_id: evening })).toEqual({
      class_id: evening,
      cancelled_class_ids: [evening],
      messages_sent: 7,
    })
    expect(values(await classes(studio, { from: dayFromNow(4) }), 'class_id')).not.toContain(evening)
    expect(values(await classes(studio, { from: dayFromNow(7) }), 'class_id')).toContain('S100201')
    expect(await roster(studio, evening)).toEqual([])
    expect(await studio.refused('cancel_class', { class_id: evening })).toBe('SLOT_OFF')
    expect(await studio.refused('book_class_reservation', { class_id: evening, member_id: 'C100001' })).toBe('SLOT_OFF')
    const letter = { class_id: evening, channel: 'email', message: 'Hello' }
    expect(await studio.refused('message_class_registrants', letter)).toBe('SLOT_OFF')
  })

  test('cancels this and all later ones of its series', async () => {
    const span = { from: dayFromNow(0), to: dayFromNow(40) }
    const series = (await classes(studio, span)).filter(({ name }) => name === 'Night Mobility')
    const wanted = values(series, 'class_id').slice(1)
    const answer = await studio.call('cancel_class', { class_id: wanted[0], scope: 'this_and_future' })
    expect(answer).toMatchObject({ class_id: wanted[0], cancelled_class_ids: wanted })
    expect(wanted.length).toBeGreaterThan(1)
    expect(answer['messages_sent']).toBeGreaterThan(wanted.length)
    const left = (await classes(studio, span)).filter(({ name }) => name === 'Night Mobility')
    expect(values(left, 'class_id')).toEqual(values(series, 'class_id').slice(0, 1))
  })

  test('is refused for a class that is over', async () => {
    expect(await studio.refused('cancel_class', { class_id: past })).toBe('SLOT_STARTED')
  })
})

describe('a message', () => {
  test('goes by email or text to who is reserved or checked in, not to who waits', async () => {
    const there = [...(await listedAs(studio, full, 'reserved')), ...(await listedAs(studio, full, 'checked_in'))]
    for (const channel of ['email', 'text']) {
      const answer = await studio.call('message_class_registrants', {
        class_id: full,
        channel,
        message: 'Zażółć & <b>\n"Hi"',
      })
      const skipped = answer['skipped_member_ids'] as string[]
      expect(answer).toMatchObject({ class_id: full, channel, sent: there.length - skipped.length })
      for (const one of skipped) expect(there).toContain(one)
      if (channel === 'email')
        for (const member_id of there)
          expect((await studio.call('get_member', { member_id }))['email'] === null).toBe(skipped.includes(member_id))
      else expect(skipped.length).toBeGreaterThan(0)
    }
    const [mail] = await studio.control.effects()
    expect(mail).toMatchObject({ action: 'slot.blast', body: { Via: 'MAIL', Words: 'Zażółć & <b>\n"Hi"' } })
  })

  test('has a subject by email only, and 480 characters by text', async () => {
    const letter = { class_id: full, message: 'a'.repeat(481) }
    expect(await studio.refused('message_class_registrants', { ...letter, channel: 'text' })).toBe('TEXT_TOO_LONG')
    await studio.call('message_class_registrants', { ...letter, channel: 'text', message: 'a'.repeat(480) })
    await studio.call('message_class_registrants', { ...letter, channel: 'email', subject: 'New hour' })
    expect((await studio.control.effects()).at(-1)).toMatchObject({ body: { Subject: 'New hour' } })
    expect(
      await studio.refused('message_class_registrants', { ...letter, channel: 'text', message: 'a', subject: 'b' }),
    ).toBe('FIELD_UNKNOWN')
  })

  test('is refused where nobody is registered', async () => {
    const empty = { class_id: 'S100206', channel: 'email', message: 'Hello' }
    expect(await studio.refused('message_class_registrants', empty)).toBe('NOBODY_BOOKED')
  })
})

test('somebody who is put on the waiting list at the desk shows there last', async () => {
  const led = await submit(studio, `staff/desk/slots/${full}/queue`, { Cid: 'C100001' })
  expect(led).toContain('done=queue')
  expect((await listedAs(studio, full, 'waitlist')).at(-1)).toBe('C100001')
  expect(await count(full, 3)).toMatchObject({ reserved: 8, waitlist: 4 })
})
