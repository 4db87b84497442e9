import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AppPerson, OpenApp } from './open-app.ts'
import { add, dayIn, idIn, openings, read, refuse, tressario, visits, whole, type Thing } from './salon-shop.ts'
import { codeOf } from './visitor.ts'

let app: OpenApp
let me: AppPerson
beforeAll(async () => {
  app = await tressario()
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  me = await app.newcomer()
})

const visit = (id: string | undefined): Promise<Thing> => read<Thing>(me, `visits/${id}`)
const actions = async (): Promise<string[]> => (await app.effects(me)).map(({ action }) => action)
const landed = (response: Response): Record<string, string> => {
  expect(response.status).toBe(303)
  return Object.fromEntries(new URL(response.headers.get('location') ?? '', 'http://x').searchParams)
}
const submitted = async (path: string, fields: Record<string, string | string[]> = {}) => {
  const response = await me.form(`/business/${path}`, fields)
  return [response.status, await codeOf(response)]
}
const sent = async (): Promise<unknown[]> => (await whole(me, 'notices')).map(({ attributes }) => attributes['words'])

test('a visit is booked at an opening, which is gone then, and the guest is told', async () => {
  const [free, other] = await openings(me)
  const guest = (await whole(me, 'guests')).find(({ attributes }) => attributes['mail'] !== null)
  const made = await add(me, 'visits', { ...free, guest: guest?.id, remark: ' <i>Zwei\nZeilen</i> ' })
  expect(made).toMatchObject({ meta: { told: 'mail' } })
  expect(made.data.attributes).toMatchObject({
    guest: guest?.attributes['full'],
    begins: free?.begins,
    stage: { code: 'bk', shown: 'Booked' },
    remark: ' <i>Zwei\nZeilen</i> ',
  })
  expect(await visit(made.data.id)).toEqual(made.data)
  expect(await openings(me)).not.toContainEqual(free)
  expect(await openings(me)).toContainEqual(other)
  expect((await sent())[0]).toContain(free?.begins)
  expect(await actions()).toEqual(['visit.booked'])
  expect(await refuse(me, 'visits', { ...free, guest: guest?.id })).toEqual([409, 'TIME_TAKEN'])
})

test('a booking that cannot be is refused and leaves nothing behind', async () => {
  const [free] = await openings(me)
  const [guest] = await whole(me, 'guests')
  const [, , balayage] = await read(me, 'treatments')
  const good = { ...free, guest: guest?.id }
  const off = `${String(free?.begins).slice(0, -2)}07`
  const refused: [Record<string, unknown>, number, string][] = [
    [{ ...good, begins: off }, 409, 'NOT_AN_OPENING'],
    [{ ...good, begins: `${dayIn(5)} 04:00` }, 409, 'NOT_AN_OPENING'],
    [{ ...good, begins: `${dayIn(-5)} 10:00` }, 409, 'NOT_AN_OPENING'],
    [{ ...good, begins: `${dayIn(400)} 10:00` }, 409, 'NOT_AN_OPENING'],
    [{ ...good, begins: '2030-01-01T10:00:00Z' }, 422, 'TIME_INVALID'],
    [{ ...good, begins: undefined }, 422, 'FIELD_REQUIRED'],
    [{ ...good, guest: 7 }, 422, 'TEXT_INVALID'],
    [{ ...good, treatment: 't9' }, 404, 'TREATMENT_NOT_FOUND'],
    [{ ...good, treatment: balayage?.id, crew: (await read(me, 'crew'))[0]?.id }, 422, 'CREW_CANNOT'],
    [{ ...good, remark: 'x'.repeat(501) }, 422, 'TEXT_TOO_LONG'],
    [{ ...good, price: 1 }, 422, 'FIELD_UNKNOWN'],
  ]
  for (const [attributes, status, code] of refused) {
    expect([code, ...(await refuse(me, 'visits', attributes))]).toEqual([code, status, code])
  }
  expect(await refuse(me, 'bookings', good, 'visits')).toEqual([400, 'BODY_INVALID'])
  expect(await actions()).toEqual([])
  expect(await openings(me)).toContainEqual(free)
})

test('a booked visit moves to a new time or to somebody else, and stays booked', async () => {
  const made = (await visits(me, '&stage=bk')).findLast(
    ({ attributes }) => attributes['treatment'] === 'Cut & blow-dry',
  )
  const id = made?.id
  const free = await openings(me, 6)
  const crew = idIn(made?.links['crew'])
  const others = new Set(free.filter((one) => one.crew !== crew).map(({ begins }) => begins))
  const later = free.find((one) => one.crew === crew && others.has(one.begins))
  const before = (await sent()).length
  const moved = landed(await me.form(`/business/visits/${id}/move`, { begins: String(later?.begins) }))
  expect(moved).toMatchObject({ done: 'moved', stage: 'bk', begins: later?.begins, crew, told: 'nobody' })
  expect((await visit(id)).attributes).toMatchObject({
    begins: later?.begins,
    ends: moved['ends'],
    stage: { code: 'bk' },
  })
  expect(await openings(me, 6)).not.toContainEqual(later)
  expect(await sent()).toHaveLength(before)
  const other = (await openings(me, 6)).find((one) => one.begins === later?.begins)
  const given = landed(await me.form(`/business/visits/${id}/move`, { crew: String(other?.crew), tell: 'yes' }))
  expect(given['crew']).toBe(other?.crew)
  expect(idIn((await visit(id)).links['crew'])).toBe(other?.crew)
  expect(await openings(me, 6)).toContainEqual(later)
  expect(await sent()).toHaveLength(before + (given['told'] === 'nobody' ? 0 : 1))
  expect(await actions()).toEqual(['visit.moved', 'visit.moved'])
  const away = (await read(me, 'crew')).find(({ attributes }) => attributes['on_leave'])
  expect(await submitted(`visits/${id}/move`)).toEqual([422, 'FIELD_REQUIRED'])
  expect(await submitted(`visits/${id}/move`, { begins: String(later?.begins) })).toEqual([409, 'NOTHING_MOVED'])
  expect(await submitted(`visits/${id}/move`, { crew: String(away?.id) })).toEqual([422, 'CREW_CANNOT'])
  expect(await submitted(`visits/${id}/move`, { begins: `${dayIn(6)} 23:00` })).toEqual([409, 'NOT_AN_OPENING'])
  expect(await submitted(`visits/${id}/move`, { begins: String(later?.begins), tell: 'x' })).toEqual([
    422,
    'CHOICE_INVALID',
  ])
  expect(await actions()).toHaveLength(2)
})

test('a booked visit is cancelled, with or without telling, and its time is free', async () => {
  const guests = await whole(me, 'guests')
  const reachable = guests.filter(({ attributes }) => attributes['mail'] === null && attributes['cell'] !== null)
  const silent = guests.find(({ attributes }) => attributes['mail'] === null && attributes['cell'] === null)
  const [first, second] = await openings(me)
  const one = await add(me, 'visits', { ...first, guest: reachable[0]?.id })
  const two = await add(me, 'visits', { ...second, guest: silent?.id })
  expect([one, two]).toMatchObject([{ meta: { told: 'text' } }, { meta: { told: 'nobody' } }])
  const before = (await sent()).length
  expect(landed(await me.form(`/business/visits/${one.data.id}/cancel`))).toMatchObject({ stage: 'cx', told: 'nobody' })
  expect(landed(await me.form(`/business/visits/${two.data.id}/cancel`, { tell: 'yes' }))).toMatchObject({
    told: 'nobody',
  })
  expect(await sent()).toHaveLength(before)
  expect((await visit(one.data.id)).attributes['stage']).toEqual({ code: 'cx', shown: 'Cancelled' })
  expect(await openings(me)).toContainEqual(first)
  const again = await add(me, 'visits', { ...first, guest: reachable[1]?.id })
  expect(landed(await me.form(`/business/visits/${again.data.id}/cancel`, { tell: 'yes' }))['told']).toBe('text')
  expect((await sent())[0]).toContain('Cancelled')
})

test.each(['ar', 'ch', 'dn', 'ns', 'cx'])('a visit that is %s is neither moved nor cancelled', async (stage) => {
  const [chosen] = await visits(me, `&stage=${stage}`)
  const [free] = await openings(me)
  expect(await submitted(`visits/${chosen?.id}/cancel`)).toEqual([409, 'NOT_BOOKED'])
  expect(await submitted(`visits/${chosen?.id}/move`, { begins: String(free?.begins) })).toEqual([409, 'NOT_BOOKED'])
  expect(await visit(chosen?.id)).toEqual(chosen)
  expect(await actions()).toEqual([])
})

test('guests are put on the waiting list, for somebody or anybody', async () => {
  const [guest] = await whole(me, 'guests')
  const [treatment, , balayage] = await read(me, 'treatments')
  const [crew] = (treatment?.attributes['hands'] ?? []) as string[]
  const wish = { guest: guest?.id, treatment: treatment?.id, day: dayIn(9) }
  const any = await add(me, 'waiting', wish)
  expect(any.data.attributes).toMatchObject({ crew: null, day: dayIn(9), alerted: null })
  const named = await add(me, 'waiting', { ...wish, crew, day: dayIn(10) })
  expect(idIn(named.data.links['crew'])).toBe(crew)
  expect(await whole(me, `waiting?day=${dayIn(9)}`)).toContainEqual(any.data)
  expect(await actions()).toEqual(['waiting.added', 'waiting.added'])
  expect(await refuse(me, 'waiting', { ...wish, crew })).toEqual([409, 'ALREADY_WAITING'])
  expect(await refuse(me, 'waiting', { ...wish, day: dayIn(-2) })).toEqual([422, 'DAY_OUT_OF_REACH'])
  expect(await refuse(me, 'waiting', { ...wish, day: '2030-01-01' })).toEqual([422, 'DAY_INVALID'])
  expect(await refuse(me, 'waiting', { ...wish, treatment: balayage?.id, crew })).toEqual([422, 'CREW_CANNOT'])
  expect(await actions()).toHaveLength(2)
})

test('waiting guests are alerted, all of the chosen ones or none', async () => {
  const entries = await whole(me, 'waiting')
  const guests = await whole(me, 'guests')
  const lost = guests.filter(({ attributes }) => attributes['mail'] === null && attributes['cell'] === null)
  const silent = entries.find(({ links }) => lost.some(({ id }) => id === idIn(links['guest'])))?.id ?? ''
  const fresh = entries.filter(({ id, attributes }) => attributes['alerted'] === null && id !== silent)
  const [over = '', , , a = '', b = ''] = fresh.map(({ id }) => id)
  const response = await me.form('/business/waiting/alert', { entry: [a, b], words: 'Komm doch!' })
  expect(response.headers.get('location')).toBe(`/salon/business/waiting?done=alerted&entry=${a}&entry=${b}`)
  expect((await sent()).slice(0, 2)).toEqual(['Komm doch!', 'Komm doch!'])
  const now = await whole(me, 'waiting')
  const changed = now.filter(({ attributes }, index) => attributes['alerted'] !== entries[index]?.attributes['alerted'])
  expect(changed.map(({ id }) => id)).toEqual([a, b])
  expect(await submitted('waiting/alert', { entry: [a, over] })).toEqual([409, 'DAY_OVER'])
  expect(await submitted('waiting/alert', { entry: [a, silent] })).toEqual([409, 'GUEST_UNREACHABLE'])
  expect(await submitted('waiting/alert', { entry: [a, a] })).toEqual([422, 'ENTRY_TWICE'])
  expect(await submitted('waiting/alert', { entry: [a, 'w9'] })).toEqual([404, 'ENTRY_NOT_FOUND'])
  expect(await submitted('waiting/alert')).toEqual([422, 'FIELD_REQUIRED'])
  expect((await sent())[2]).not.toBe('Komm doch!')
  expect(await actions()).toEqual(['waiting.alerted'])
})

test('an answer in the chat moves the talk to the top, and may bring the booking link', async () => {
  const chosen = (await whole(me, 'talks?fresh=yes')).at(-1)
  const path = `talks/${chosen?.id}/lines`
  const line = await add(me, 'lines', { words: 'אין בעיה\n✨', with_booking: true }, path)
  const link = String(line.data.attributes['book_at'])
  expect(await (await fetch(link)).text()).toContain('Book with us')
  const [top] = await whole(me, 'talks')
  expect(top).toMatchObject({ id: chosen?.id, attributes: { latest: 'אין בעיה\n✨', fresh: false } })
  const lines = (await read<Thing>(me, `talks/${chosen?.id}`)).attributes['lines'] as Record<string, unknown>[]
  expect(lines.at(-1)).toMatchObject({ id: line.data.id, by: 'shop', book_at: link })
  expect((await add(me, 'lines', { words: 'Ok' }, path)).data.attributes['book_at']).toBeNull()
  expect(await refuse(me, 'lines', { words: ' ' }, path)).toEqual([422, 'FIELD_REQUIRED'])
  expect(await refuse(me, 'lines', { words: 'x', with_booking: 'yes' }, path)).toEqual([422, 'FLAG_INVALID'])
  expect(await refuse(me, 'lines', { words: 'x'.repeat(2001) }, path)).toEqual([422, 'TEXT_TOO_LONG'])
  expect(await actions()).toEqual(['talk.answered', 'talk.answered'])
})

test('a review is answered once', async () => {
  const [open] = await whole(me, 'reviews?unanswered=yes')
  const path = `reviews/${open?.id}/answer`
  const response = await me.form(`/business/${path}`, { words: 'Danke! <3' })
  expect(response.headers.get('location')).toBe(`/salon/business/reviews/${open?.id}?done=answered`)
  expect((await read<Thing>(me, `reviews/${open?.id}`)).attributes['answer']).toBe('Danke! <3')
  expect((await whole(me, 'reviews?unanswered=no'))[0]?.id).toBe(open?.id)
  expect(await submitted(path, { words: 'Again' })).toEqual([409, 'ALREADY_ANSWERED'])
  const [other] = await whole(me, 'reviews?unanswered=yes')
  expect(await submitted(`reviews/${other?.id}/answer`, { words: 'x'.repeat(1001) })).toEqual([422, 'TEXT_TOO_LONG'])
  expect(await actions()).toEqual(['review.answered'])
})

test('who rents a chair sees the diary, but neither guests nor chats, and changes nothing', async () => {
  me = await app.newcomer('chair')
  const [booked] = await visits(me, '&stage=bk')
  expect(booked).toBeDefined()
  expect((await openings(me)).length).toBeGreaterThan(0)
  const denied = [403, 'BUSINESS_LOGIN_NEEDED']
  for (const list of ['guests', 'waiting', 'talks', 'reviews', 'notices', `guests/${idIn(booked?.links['guest'])}`]) {
    expect([list, await me.denied(`/business/api/${list}`)]).toEqual([list, denied])
  }
  expect(await submitted(`visits/${booked?.id}/cancel`)).toEqual(denied)
  expect(await submitted(`visits/${booked?.id}/move`, { begins: `${dayIn(5)} 10:00` })).toEqual(denied)
  expect(await submitted('waiting/alert', { entry: 'w1' })).toEqual(denied)
  expect(await refuse(me, 'visits', {})).toEqual(denied)
  expect(await refuse(me, 'waiting', {})).toEqual(denied)
  expect(await actions()).toEqual([])
})
