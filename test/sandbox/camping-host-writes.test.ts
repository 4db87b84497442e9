import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { AppPerson, OpenApp } from './open-app.ts'
import { effectsOf, nightsOf, openCamp, rowsOf, sentTo, stayOf, submitted, today } from './camping-host-host.ts'
import type { Ask, Chat, Detail, Land, Review, Stay } from './camping-host-host.ts'

let app: OpenApp
let demo: AppPerson
let lands: Land[]
let asks: Ask[]
beforeAll(async () => {
  app = await openCamp()
  demo = await app.person()
  lands = await rowsOf<Land>(demo, '/lands')
  asks = await rowsOf<Ask>(demo, '/asks')
})
afterAll(() => app[Symbol.asyncDispose]())
afterEach(() => {
  vi.useRealTimers()
})

const span = (from: number, to = from) => ({ first: today + from, last: today + to })
const nothing = (work: () => Promise<unknown>) => effectsOf(app, demo, work).then((lines) => expect(lines).toEqual([]))
const decide = (ask: string | undefined, how: string, body: unknown = {}) =>
  demo.refused('POST', `/host/data/asks/${ask}/${how}`, body)
const put = (land: string | undefined, what: string): string => `/host/data/lands/${land}/${what}`
const states = async (pitch: string | undefined, from: number, to: number): Promise<string> =>
  (await nightsOf(demo, pitch ?? '', from, to)).map(({ st }) => st).join(' ')

test('an ask that is accepted is a stay: charged, told, in the calendar and no ask any more', async () => {
  const [ask] = asks
  const words = '  Velkomin, שלום!\n<b>Bring</b> boots. '
  const lines = await effectsOf(app, demo, async () => {
    const stay = await demo.wrote<Detail>('POST', `/host/data/asks/${ask?.stay}/yes`, { words })
    expect(stay).toMatchObject({ stay: ask?.stay, st: 'UPCOMING', charged: true })
    expect(stay).toEqual(await stayOf(demo, ask?.stay ?? ''))
  })
  const { sum } = await stayOf(demo, ask?.stay ?? '')
  expect(lines).toEqual([{ action: 'ask.yes', body: { stay: ask?.stay, charged: sum, words } }])
  expect((await rowsOf<Ask>(demo, '/asks')).map(({ stay }) => stay)).toEqual(asks.slice(1).map(({ stay }) => stay))
  const booked = await rowsOf<Stay>(demo, `/stays?first=${ask?.in}&last=${ask?.in}`)
  expect(booked.map(({ stay }) => stay)).toContain(ask?.stay)
  const nights = await nightsOf(demo, ask?.on.pitch ?? '', (ask?.in ?? 0) - today, (ask?.out ?? 0) - today)
  expect(nights.map(({ st }) => st)).toEqual([...nights.slice(1).map(() => 'STAY'), 'FREE'])
  const [chat] = await rowsOf<Chat>(demo, `/chats?show=AHEAD&stay=${ask?.stay}`)
  expect(chat).toMatchObject({ said: words, fresh: false })
  expect(await sentTo(demo)).toContain('Your card was charged')
  await nothing(async () => {
    for (const how of ['yes', 'no']) expect(await decide(ask?.stay, how)).toEqual([409, 'ASK_ANSWERED'])
  })
})

test('an ask that is declined charges nobody and frees nothing', async () => {
  const { stay, on, in: come } = asks[1] as Ask
  const lines = await effectsOf(app, demo, async () => {
    expect(await demo.wrote('POST', `/host/data/asks/${stay}/no`, {})).toMatchObject({ st: 'DECLINED', charged: false })
  })
  expect(lines).toEqual([{ action: 'ask.no', body: { stay, charged: 0 } }])
  expect(await states(on.pitch, come - today, come - today)).toBe('FREE')
  expect(await sentTo(demo)).toContain('Your card was not charged')
  expect((await rowsOf<Chat>(demo, '/chats?show=BEHIND')).map((chat) => chat.stay)).toContain(stay)
  await nothing(async () => {
    for (const how of ['yes', 'no']) expect(await decide(stay, how)).toEqual([409, 'ASK_ANSWERED'])
  })
})

test('of two asks for the same nights one is accepted, and none whose nights are shut until they are opened', async () => {
  const key = (ask: Ask): string => `${ask.on.pitch} ${ask.in}`
  const rivals = asks.filter((ask) => asks.filter((one) => key(one) === key(ask)).length === 2)
  expect(rivals).toHaveLength(6)
  const [first] = rivals
  const second = rivals.find((ask) => ask !== first && key(ask) === key(first as Ask))
  await demo.wrote('POST', `/host/data/asks/${first?.stay}/yes`, {})
  await nothing(async () => expect(await decide(second?.stay, 'yes')).toEqual([409, 'NIGHTS_NOT_FREE']))
  expect((await stayOf(demo, second?.stay ?? '')).st).toBe('ASKED')
  await demo.wrote('POST', `/host/data/asks/${second?.stay}/no`, {})
  const shut = asks.filter((ask) => ask.in === today + 118)
  expect(shut).toHaveLength(3)
  const { stay, land, on } = shut[0] as Ask
  expect(await decide(stay, 'yes')).toEqual([409, 'NIGHTS_NOT_FREE'])
  await demo.wrote('PUT', put(land, 'open'), { ...span(118, 121), pitch: on.pitch })
  expect(await demo.wrote('POST', `/host/data/asks/${stay}/yes`, {})).toMatchObject({ st: 'UPCOMING' })
})

test('after 24 hours an ask has lapsed, and those that had before cannot be answered either', async () => {
  const someone = await app.newcomer()
  const [open] = await rowsOf<Ask>(someone, '/asks')
  const refused = (stay: string | undefined, how: string) =>
    someone.refused('POST', `/host/data/asks/${stay}/${how}`, {})
  const newest = Math.max(...(await rowsOf<Ask>(someone, '/asks')).map(({ stay }) => Number(stay.slice(1))))
  const behind = await rowsOf<Chat>(someone, '/chats?show=BEHIND')
  const lapsed: string[] = []
  for (const { stay } of behind.filter((chat) => Number(chat.stay?.slice(1)) > newest)) {
    if (stay !== null && (await stayOf(someone, stay)).st === 'LAPSED') lapsed.push(stay)
  }
  expect(lapsed).toHaveLength(6)
  expect(await refused(lapsed[0], 'yes')).toEqual([409, 'ASK_LAPSED'])
  vi.useFakeTimers({ toFake: ['Date'], now: ((open?.until ?? 0) - 1) * 1000 })
  expect((await stayOf(someone, open?.stay ?? '')).st).toBe('ASKED')
  vi.setSystemTime((open?.until ?? 0) * 1000)
  expect((await stayOf(someone, open?.stay ?? '')).st).toBe('LAPSED')
  expect((await rowsOf<Ask>(someone, '/asks')).map(({ stay }) => stay)).not.toContain(open?.stay)
  for (const how of ['yes', 'no']) expect(await refused(open?.stay, how)).toEqual([409, 'ASK_LAPSED'])
  expect(await app.effects(someone)).toEqual([])
})

test('nights are shut and opened, on one pitch or all, and booked ones never are', async () => {
  const { land, pitches } = lands[0] as Land
  const [one, two] = pitches.map(({ pitch }) => pitch)
  const mails = await sentTo(demo)
  const shutting = await effectsOf(app, demo, async () => {
    expect(await demo.wrote('PUT', put(land, 'shut'), { ...span(58, 60), pitch: one })).toEqual({
      ...{ land, pitches: [one], nights: 3 },
      ...span(58, 60),
    })
  })
  expect(shutting).toEqual([{ action: 'nights.shut', body: { land, pitch: one, ...span(58, 60), nights: 3 } }])
  expect(await states(one, 57, 61)).toBe('FREE SHUT SHUT SHUT FREE')
  expect(await states(two, 58, 60)).toBe('FREE FREE FREE')
  const all = await demo.wrote<{ nights: number }>('PUT', put(land, 'shut'), span(60, 61))
  expect(all.nights).toBe(2 * pitches.length - 1)
  expect(await states(two, 59, 62)).toBe('FREE SHUT SHUT FREE')
  await nothing(async () => {
    expect(await demo.refused('PUT', put(land, 'shut'), span(60, 61))).toEqual([409, 'ALREADY_SHUT'])
    expect(await demo.refused('PUT', put(land, 'shut'), span(1, 62))).toEqual([409, 'NIGHTS_BOOKED'])
    expect(await demo.refused('PUT', put(land, 'open'), span(62, 66))).toEqual([409, 'NOTHING_SHUT'])
  })
  expect(await states(two, 59, 62)).toBe('FREE SHUT SHUT FREE')
  const opening = await effectsOf(app, demo, async () => {
    const opened = await demo.wrote<{ nights: number }>('PUT', put(land, 'open'), { ...span(0, 61), pitch: one })
    expect(opened.nights).toBe(4)
  })
  expect(opening).toEqual([{ action: 'nights.open', body: { land, pitch: one, ...span(0, 61), nights: 4 } }])
  expect(await states(one, 57, 61)).toBe('FREE FREE FREE FREE FREE')
  expect(await states(one, 0, 0)).toBe('STAY')
  expect(await states(two, 60, 61)).toBe('SHUT SHUT')
  expect(await sentTo(demo)).toBe(mails)
})

test('chosen nights get a price of their own and lose it again; shut ones stay shut', async () => {
  const { land, pitches } = lands[1] as Land
  const { pitch, base, cur, exp } = pitches[0] as Land['pitches'][0]
  const [a, b] = [today + 71, today + 76]
  const lines = await effectsOf(app, demo, async () => {
    const answer = await demo.wrote('PUT', put(land, 'prices'), { pitch, days: [b, a], price: 12_345 })
    expect(answer).toEqual({ land, pitches: [pitch], nights: 2, days: [a, b], price: 12_345, cur, exp })
  })
  expect(lines).toEqual([{ action: 'nights.price', body: { land, pitch, days: [a, b], price: 12_345, nights: 2 } }])
  expect(await nightsOf(demo, pitch, 71, 76)).toMatchObject([
    { d: a, st: 'SHUT', price: 12_345, own: true },
    ...[72, 73, 74].map(() => ({ st: 'SHUT', price: base, own: false })),
    { st: 'FREE', price: base, own: false },
    { d: b, st: 'FREE', price: 12_345, own: true },
  ])
  await demo.wrote('PUT', put(land, 'open'), { ...span(71), pitch })
  expect(await nightsOf(demo, pitch, 71)).toMatchObject([{ st: 'FREE', price: 12_345 }])
  const all = await demo.wrote<{ nights: number }>('PUT', put(land, 'prices'), { days: [a, b], price: null })
  expect(all.nights).toBe(2 * pitches.length)
  expect(await nightsOf(demo, pitch, 71, 76)).toMatchObject([71, 72, 73, 74, 75, 76].map(() => ({ price: base })))
  await nothing(async () => {
    const taken = await demo.refused('PUT', put(land, 'prices'), { pitch, days: [today, b], price: 1 })
    expect(taken).toEqual([409, 'NIGHTS_BOOKED'])
  })
  expect((await nightsOf(demo, pitch, 76))[0]?.own).toBe(false)
})

test('nights and prices that make no sense are refused, and nothing is done', async () => {
  const { land } = lands[2] as Land
  const other = lands[3]?.pitches[0]?.pitch
  const spans: [unknown, number, string][] = [
    [{ ...span(60), first: today - 2 }, 422, 'DAY_PASSED'],
    [{ first: today + 61, last: today + 60 }, 400, 'SPAN_BACKWARDS'],
    [span(700, 731), 422, 'DAY_TOO_FAR'],
    [span(60, 426), 422, 'SPAN_TOO_LONG'],
    [{ first: '2026-12-31', last: today + 60 }, 422, 'NUMBER_INVALID'],
    [{ first: today + 60 }, 422, 'FIELD_REQUIRED'],
    [{ ...span(60), pitch: other }, 404, 'PITCH_NOT_FOUND'],
    [{ ...span(60), pitch: 7 }, 404, 'PITCH_NOT_FOUND'],
    [{ ...span(60), why: 'x' }, 422, 'FIELD_UNKNOWN'],
    [[], 400, 'BODY_INVALID'],
  ]
  const days = [today + 60]
  const prices: [unknown, number, string][] = [
    [{ days, price: 0 }, 422, 'NUMBER_INVALID'],
    [{ days, price: 10_000_001 }, 422, 'NUMBER_INVALID'],
    [{ days, price: 12.5 }, 422, 'NUMBER_INVALID'],
    [{ days, price: '12' }, 422, 'NUMBER_INVALID'],
    [{ days }, 422, 'FIELD_REQUIRED'],
    [{ price: 5 }, 422, 'FIELD_REQUIRED'],
    [{ days: [], price: 5 }, 422, 'DAYS_INVALID'],
    [{ days: [...days, ...days], price: 5 }, 422, 'DAY_TWICE'],
    [{ days: [today - 2], price: 5 }, 422, 'DAY_PASSED'],
  ]
  await nothing(async () => {
    for (const [body, status, code] of spans) {
      for (const what of ['shut', 'open']) {
        expect([body, ...(await demo.refused('PUT', put(land, what), body))]).toEqual([body, status, code])
      }
    }
    for (const [body, status, code] of prices) {
      expect([body, ...(await demo.refused('PUT', put(land, 'prices'), body))]).toEqual([body, status, code])
    }
  })
})

test('a reply goes to the camper and is the last note of a chat that is read', async () => {
  const [unread] = await rowsOf<Chat>(demo, '/chats')
  const { chat } = unread as Chat
  const words = ' Já, gerne!\r\nمرحبا <b>you</b> '
  const lines = await effectsOf(app, demo, async () => {
    const [status, to = ''] = await submitted(demo, `/host/chats/${chat}/reply`, { words })
    const told = new URL(to, demo.base)
    expect([status, told.pathname]).toEqual([303, `/camping-host/host/chats/${chat}`])
    const [latest] = await rowsOf<Chat>(demo, '/chats?show=ALL')
    expect(latest).toMatchObject({ chat, said: words, fresh: false, at: Number(told.searchParams.get('at')) })
    const page = await (await demo.get(to.replace('/camping-host', ''))).text()
    expect(page).toContain(`id="${told.searchParams.get('sent')}"`)
  })
  expect(lines).toMatchObject([{ action: 'chat.reply', body: { chat, words } }])
  expect(await sentTo(demo)).toContain('مرحبا')
  await nothing(async () => {
    const refused = (fields: Record<string, string>) => submitted(demo, `/host/chats/${chat}/reply`, fields)
    expect(await refused({})).toEqual([422, 'FIELD_REQUIRED'])
    expect(await refused({ words: ' \n' })).toEqual([422, 'FIELD_REQUIRED'])
    expect(await refused({ words: 'x'.repeat(2001) })).toEqual([422, 'TEXT_TOO_LONG'])
    expect(await refused({ words, to: 'x' })).toEqual([422, 'FIELD_UNKNOWN'])
    expect(await decide(asks[9]?.stay, 'no', { words: 7 })).toEqual([422, 'TEXT_INVALID'])
    expect(await decide(asks[9]?.stay, 'yes', { words: 'x'.repeat(1001) })).toEqual([422, 'TEXT_TOO_LONG'])
  })
  expect((await stayOf(demo, asks[9]?.stay ?? '')).st).toBe('ASKED')
})

test('a review is answered once for all to read, and in private as often as one likes', async () => {
  const [{ review, stay, words: praise } = { review: '', stay: '', words: '' }] = await rowsOf<Review>(
    demo,
    '/reviews?replied=NO',
  )
  const path = `/host/reviews/${review}/reply`
  const found = async () => (await rowsOf<Review>(demo, '/reviews')).find((one) => one.review === review)
  for (const words of ['Between us: takk!', 'And again.']) {
    const lines = await effectsOf(app, demo, async () => {
      const [status, to = ''] = await submitted(demo, path, { words, way: 'private' })
      const [chat] = await rowsOf<Chat>(demo, `/chats?show=ALL&stay=${stay}`)
      expect([status, new URL(to, demo.base).searchParams.get('chat'), chat?.said]).toEqual([303, chat?.chat, words])
    })
    expect(lines).toEqual([{ action: 'review.private', body: { review, words } }])
    expect(await found()).toMatchObject({ reply: null })
  }
  const words = 'Takk fyrir!\n'
  const lines = await effectsOf(app, demo, async () => {
    expect((await submitted(demo, path, { words, way: 'public' }))[1]).toContain('way=public')
  })
  expect(lines).toEqual([{ action: 'review.public', body: { review, words } }])
  expect(await found()).toMatchObject({ reply: words, words: praise })
  await nothing(async () => {
    expect(await submitted(demo, path, { words, way: 'public' })).toEqual([409, 'ALREADY_REPLIED'])
    expect(await submitted(demo, path, { words, way: 'loud' })).toEqual([422, 'WAY_INVALID'])
    expect(await submitted(demo, path, { way: 'private' })).toEqual([422, 'FIELD_REQUIRED'])
  })
  expect(await found()).toMatchObject({ reply: words })
})

test('people do by form what the JSON writes do', async () => {
  const { land, pitches } = lands[5] as Land
  const date = (days: number): string => new Date((today + days) * 86_400_000).toISOString().slice(0, 10)
  const fields = { pitch: pitches[1]?.pitch ?? '', first: date(64), last: date(65) }
  const path = `/host/lands/${land}`
  expect((await submitted(demo, `${path}/shut`, fields))[1]).toContain('done=shut&nights=2')
  expect((await submitted(demo, `${path}/prices`, { ...fields, price: '30.50' }))[1]).toContain('nights=2')
  expect(await nightsOf(demo, fields.pitch, 65)).toMatchObject([{ st: 'SHUT', price: 3050 }])
  expect((await submitted(demo, `${path}/open`, { ...fields, pitch: '' }))[1]).toContain('done=open&nights=2')
  expect(await submitted(demo, `${path}/shut`, { ...fields, last: '2026-02-30' })).toEqual([422, 'DAY_INVALID'])
  const { stay } = asks[10] as Ask
  expect((await submitted(demo, `/host/asks/${stay}/yes`, { words: '' }))[1]).toContain(`/host/stays/${stay}?told=1`)
  expect((await stayOf(demo, stay)).st).toBe('UPCOMING')
})

test('helpers read all but paydays and reply in chats, and decide nothing', async () => {
  const helper = await app.newcomer('helper')
  const [land] = await rowsOf<Land>(helper, '/lands')
  const [ask] = await rowsOf<Ask>(helper, '/asks')
  const [review] = await rowsOf<Review>(helper, '/reviews?replied=NO')
  const no = [403, 'HOSTS_ONLY']
  expect(await helper.denied('/host/data/paydays')).toEqual(no)
  for (const how of ['yes', 'no']) {
    expect(await helper.refused('POST', `/host/data/asks/${ask?.stay}/${how}`, {})).toEqual(no)
  }
  for (const what of ['shut', 'open']) expect(await helper.refused('PUT', put(land?.land, what), span(60))).toEqual(no)
  expect(await helper.refused('PUT', put(land?.land, 'prices'), { days: [today + 60], price: 5 })).toEqual(no)
  const answer = { words: 'x', way: 'private' }
  expect(await submitted(helper, `/host/reviews/${review?.review}/reply`, answer)).toEqual(no)
  expect(await app.effects(helper)).toEqual([])
  const [chat] = await rowsOf<Chat>(helper, '/chats')
  expect((await submitted(helper, `/host/chats/${chat?.chat}/reply`, { words: 'Hi.' }))[0]).toBe(303)
})
