import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  chalkara,
  day,
  ever,
  everything,
  goodOf,
  rowsOf,
  submitted,
  turnedDown,
  type Row,
} from './teacher-marketplace-shop.ts'
import type { AppPerson, OpenApp } from './open-app.ts'

let run: OpenApp
let me: AppPerson
/** All that it tries is refused. */
let calm: AppPerson
beforeAll(async () => {
  run = await chalkara()
  calm = await run.newcomer()
})
beforeEach(async () => {
  me = await run.newcomer()
})
afterAll(() => run[Symbol.asyncDispose]())

const link = 'https://files.example/pack/Unit%201.pdf'

const effects = async (): Promise<unknown[]> =>
  (await run.effects(me)).map(({ action, body }) => [action, body['no'] ?? body['batch']])

const first = async (who: AppPerson, query: string): Promise<number> =>
  (await rowsOf(who, `/dash/goods?per=1&${query}`))[0]?.no ?? 0

const mailOf = (batch = ''): Promise<Row[]> => everything(me, `/dash/mailbox?batch=${batch}`, 100)

test('a new good is a hidden download, first in the list, as it was sent, and nobody is told', async () => {
  const mails = (await mailOf()).length
  const sent = { name: ' Été <b> שלום ', cost: '$1,000.00', more_cost: '$0.95', about: ' a\r\nb ', drawer: 'Neu' }
  const lists = { levels: ['1st', 'PreK'], topics: ['Math'], labels: ['بدون', 'no prep'] }
  const { good } = await me.wrote<{ good: Row }>('POST', '/dash/goods', { ...sent, ...lists, link })
  expect(good).toMatchObject({ ...sent, ...lists, sort: 'download', shelf: 'hidden', cost_now: '$1,000.00' })
  expect(good).toMatchObject({ made_as: ['PDF'], parts: [{ file: 'Unit 1.pdf', revision: 1 }] })
  expect(await goodOf(me, good.no)).toEqual(good)
  expect(await first(me, '')).toBe(good.no)
  expect((await fetch(`${me.base}/g/${good.no}`)).status).toBe(404)
  expect((await mailOf()).length).toBe(mails)
  expect(await effects()).toEqual([['good.create', good.no]])
  const plain = { name: 'Pi', cost: '$0.00', shelf: 'live', link }
  const live = (await me.wrote<{ good: Row }>('POST', '/dash/goods', plain)).good
  expect(live).toMatchObject({ shelf: 'live', more_cost: '$0.00', about: '', levels: [], topics: [], labels: [] })
  expect((await fetch(`${me.base}/g/${live.no}`)).status).toBe(200)
})

test.each([
  [{ name: '  ' }, 'FIELD_REQUIRED'],
  [{ name: 'a\nb' }, 'TEXT_INVALID'],
  [{ name: 'x'.repeat(121) }, 'TEXT_TOO_LONG'],
  [{ about: 'x'.repeat(10_001) }, 'TEXT_TOO_LONG'],
  [{ about: null }, 'TEXT_INVALID'],
  [{ cost: 3 }, 'MONEY_INVALID'],
  [{ cost: '3.00' }, 'MONEY_INVALID'],
  [{ cost: '$0.94' }, 'MONEY_OUT_OF_BOUNDS'],
  [{ cost: '$1000.01' }, 'MONEY_OUT_OF_BOUNDS'],
  [{ cost: '$2.00', more_cost: '$2.01' }, 'MORE_COST_TOO_HIGH'],
  [{ levels: ['Grade 1'] }, 'CHOICE_UNKNOWN'],
  [{ levels: 'PreK' }, 'LIST_INVALID'],
  [{ topics: ['Math', 'Music', 'Physics', 'French'] }, 'LIST_TOO_LONG'],
  [{ labels: ['a', 'a'] }, 'LIST_REPEATS'],
  [{ status: 'active' }, 'FIELD_UNKNOWN'],
])('terms of %j are refused as %s, for a new good and for an old one', async (terms, code) => {
  const old = await goodOf(calm, await first(calm, ''))
  expect(await calm.refused('POST', '/dash/goods', { name: 'x', cost: '$3.00', link, ...terms })).toEqual([422, code])
  expect(await calm.refused('PATCH', `/dash/goods/${old.no}`, terms)).toEqual([422, code])
  expect(await goodOf(calm, old.no)).toEqual(old)
  expect(await run.effects(calm)).toEqual([])
})

test.each([
  [undefined, 'FIELD_REQUIRED'],
  ['unit.pdf', 'LINK_INVALID'],
  ['ftp://files.example/a.pdf', 'LINK_INVALID'],
  ['http://10.0.0.1/a.pdf', 'LINK_NOT_PUBLIC'],
  ['https://localhost/a.pdf', 'LINK_NOT_PUBLIC'],
  ['https://files.example/missing.pdf', 'FILE_NOT_FOUND'],
  ['https://files.example/a.exe', 'FORMAT_UNKNOWN'],
  ['https://files.example/', 'FORMAT_UNKNOWN'],
])('a file at %s is refused as %s', async (bad, code) => {
  const old = await first(calm, 'sort=download')
  expect(await calm.refused('POST', '/dash/goods', { name: 'x', cost: '$3.00', link: bad })).toEqual([422, code])
  expect(await turnedDown(calm, `/shop/goods/${old}/file`, bad === undefined ? {} : { link: bad })).toBe(`422 ${code}`)
  expect(await run.effects(calm)).toEqual([])
})

test('a good of any sort changes in what is sent, and stays in the rest', async () => {
  for (const sort of ['download', 'bundle', 'video', 'cloud']) {
    const old = await goodOf(me, await first(me, `sort=${sort}`))
    const sent = { name: `New ${sort}`, cost: '$20.00', more_cost: '$20.00', labels: [], levels: ['12th'] }
    const { good } = await me.wrote<{ good: Row }>('PATCH', `/dash/goods/${old.no}`, sent)
    expect(good).toEqual({ ...old, ...sent, cost_now: '$20.00' })
    expect(await goodOf(me, old.no)).toEqual(good)
  }
  expect(await effects()).toHaveLength(4)
  const path = `/dash/goods/${await first(me, '')}`
  expect(await me.refused('PATCH', path, {})).toEqual([422, 'NOTHING_TO_CHANGE'])
  expect(await me.refused('PATCH', path, [])).toEqual([400, 'BODY_INVALID'])
  expect(await me.refused('PATCH', path, { drawer: 'x' })).toEqual([422, 'FIELD_UNKNOWN'])
})

test('a good goes on and off the shelf, each once, and who bought it still has it', async () => {
  const no = await first(me, 'shelf=hidden')
  const shelf = (to: string): Promise<Record<string, string>> => submitted(me, `/shop/goods/${no}/shelf`, { shelf: to })
  const page = `${me.base}/g/${no}`
  expect(await turnedDown(me, `/shop/goods/${no}/shelf`, { shelf: 'hidden' })).toBe('409 SHELF_SAME')
  expect(await shelf('live')).toEqual({ done: 'live' })
  expect((await goodOf(me, no))['shelf']).toBe('live')
  const body = new URLSearchParams({ mail: 'buyer@school.example' })
  const bought = await fetch(`${page}/buy`, { method: 'POST', body })
  expect(bought.url).toContain('/pickup/')
  expect(await turnedDown(me, `/shop/goods/${no}/shelf`, { shelf: 'live' })).toBe('409 SHELF_SAME')
  expect(await shelf('hidden')).toEqual({ done: 'hidden' })
  expect([(await fetch(page)).status, (await fetch(bought.url)).status]).toEqual([404, 200])
  expect((await rowsOf(me, `/dash/sold?${ever}&per=1`))[0]).toMatchObject({ good: no })
  expect(await turnedDown(me, `/shop/goods/${no}/shelf`, { shelf: 'active' })).toBe('422 OPTION_INVALID')
  expect(await turnedDown(me, `/shop/goods/${no}/shelf`, {})).toBe('422 OPTION_INVALID')
  expect(await effects()).toEqual([
    ['good.shelf', no],
    ['good.shelf', no],
  ])
})

test('a download gets a new file; past buyers hear of it once each, only if they are to', async () => {
  const sold = await everything(me, `/dash/sold?${ever}`, 100)
  const downloads = (await everything(me, '/dash/goods?sort=download', 100)).map(({ no }) => no)
  const no = Number(sold.find(({ good }) => downloads.includes(Number(good)))?.['good'])
  const path = `/shop/goods/${no}/file`
  const before = (await goodOf(me, no))['parts'] as { revision: number }[]
  const revision = Number(before[0]?.revision)
  const quiet = await submitted(me, path, { link })
  expect(quiet).toEqual({ done: 'file', revision: `${revision + 1}`, told: '0', batch: '' })
  const note = 'Page 7 «corrected»\r\nשלום <b>'
  const told = await submitted(me, path, { link: 'https://files.example/b.zip', tell: 'yes', note })
  expect(await goodOf(me, no)).toMatchObject({ made_as: ['ZIP'], parts: [{ file: 'b.zip', revision: revision + 2 }] })
  const mails = await mailOf(told['batch'])
  const recipients = new Set(mails.map(({ recipient }) => recipient))
  expect([mails.length, recipients.size]).toEqual([Number(told['told']), Number(told['told'])])
  expect(mails.length).toBe(Number((await me.read(`/dash/figures?${ever}&good=${no}`))['people']))
  expect(mails[0]).toMatchObject({ kind: 'file', about: no, words: expect.stringContaining(note) })
  expect(await effects()).toHaveLength(2)
  expect(await turnedDown(me, path, { link, note })).toBe('422 NOTE_UNREAD')
  expect(await turnedDown(me, path, { link, tell: 'true' })).toBe('422 OPTION_INVALID')
  expect(await turnedDown(me, path, { link, tell: 'yes', note: 'x'.repeat(1001) })).toBe('422 TEXT_TOO_LONG')
  for (const sort of ['bundle', 'video', 'cloud']) {
    const other = `/shop/goods/${await first(me, `sort=${sort}`)}/file`
    expect(await turnedDown(me, other, { link })).toBe('409 SORT_HAS_NO_FILE')
  }
  expect(await effects()).toHaveLength(2)
})

test('a question is replied to once, for all to read, and its asker is told', async () => {
  const open = (await everything(me, '/dash/asks?state=open', 100)).find(({ asker }) => asker !== '')
  const words = ' Oui, שלום\r\n<b> '
  const path = `/shop/asks/${open?.no}/reply`
  expect(await turnedDown(me, path, { words: ' ' })).toBe('422 FIELD_REQUIRED')
  expect(await turnedDown(me, path, { words: 'x'.repeat(2001) })).toBe('422 TEXT_TOO_LONG')
  const said = await submitted(me, path, { words })
  expect(said).toMatchObject({ done: 'replied', ask: String(open?.no) })
  const [replied] = (await everything(me, '/dash/asks', 100)).filter(({ no }) => no === open?.no)
  expect(replied).toEqual({ ...open, reply: { words, when: said['when'] } })
  expect((await rowsOf(me, '/dash/mailbox?per=1'))[0]).toMatchObject({ kind: 'reply', about: open?.no, words })
  expect(await turnedDown(me, path, { words })).toBe('409 ASK_REPLIED')
  expect(await effects()).toEqual([['ask.reply', open?.no]])
})

test('a markdown of the shop or of goods lowers prices while it runs, one at a time', async () => {
  const plan = (fields: Record<string, string | string[]>) => submitted(me, '/shop/markdowns', fields)
  const later = { first: day(50), last: day(77) }
  expect(await plan({ ...later, over: 'whole' })).toMatchObject({ done: 'planned', percent: '20' })
  expect((await rowsOf(me, '/dash/markdowns'))[0]).toMatchObject({ ...later, percent: 20, goods: null })
  const [one, two] = [await goodOf(me, await first(me, 'sort=video')), await goodOf(me, await first(me, 'sort=cloud'))]
  const chosen = { first: day(1), last: day(2), over: 'chosen', percent: '50', good: [String(one.no)] }
  const { markdown } = await plan(chosen)
  expect(await turnedDown(me, '/shop/markdowns', chosen)).toBe('409 MARKDOWN_OVERLAPS')
  expect(await turnedDown(me, '/shop/markdowns', { ...later, over: 'chosen', good: [String(one.no)] })).toBe(
    '409 MARKDOWN_OVERLAPS',
  )
  expect(await plan({ ...chosen, good: [String(two.no)] })).toMatchObject({ percent: '50' })
  expect((await rowsOf(me, '/dash/markdowns')).find(({ no }) => no === Number(markdown))).toMatchObject({
    goods: [one.no],
    first: day(1),
  })
  expect((await effects()).length).toBe(3)
  const running = (await rowsOf(me, '/dash/markdowns')).find(({ stage }) => stage === 'running')
  const [marked] = (running?.['goods'] ?? []) as number[]
  const good = await goodOf(me, marked ?? 0)
  expect(good['cost_now']).not.toBe(good['cost'])
  expect(one['cost_now']).toBe(one['cost'])
})

test.each([
  [{ percent: '4' }, 'PERCENT_INVALID'],
  [{ percent: '51' }, 'PERCENT_INVALID'],
  [{ first: '2026-01-01' }, 'DAY_INVALID'],
  [{ last: day(99) }, 'SPAN_BACKWARDS'],
  [{ first: day(-3) }, 'DAY_PAST'],
  [{ last: day(128) }, 'SPAN_TOO_LONG'],
  [{ first: day(368), last: day(369) }, 'DAY_TOO_FAR'],
  [{ over: 'all' }, 'OPTION_INVALID'],
  [{ over: 'chosen' }, 'FIELD_REQUIRED'],
  [{ good: '1' }, 'GOODS_NOT_WANTED'],
  [{ discount: '5' }, 'FIELD_UNKNOWN'],
])('a markdown with %j is refused as %s', async (fields, code) => {
  const usual = { first: day(100), last: day(127), over: 'whole', percent: '5' }
  expect(await turnedDown(calm, '/shop/markdowns', { ...usual, ...fields })).toBe(`422 ${code}`)
  expect(await run.effects(calm)).toEqual([])
})

test('a note goes to all followers at once, or on its day', async () => {
  const { followers } = await me.read('/dash/me')
  const words = 'Été\r\nמבצע <b>'
  const now = await submitted(me, '/shop/notes', { words })
  expect(now).toMatchObject({ done: 'sent', reached: String(followers) })
  const mails = await mailOf(now['batch'])
  expect(new Set(mails.map(({ recipient }) => recipient)).size).toBe(followers)
  expect(mails[0]).toMatchObject({ kind: 'note', about: Number(now['note']), words, left: now['leaves'] })
  const then = await submitted(me, '/shop/notes', { words, day: day(9) })
  expect(then).toMatchObject({ done: 'planned', leaves: expect.stringContaining(`${day(9)} 9:00 AM`) })
  expect(await mailOf(then['batch'])).toEqual([])
  const { leaves, reached } = { leaves: then['leaves'], reached: followers }
  const [planned, sent] = await rowsOf(me, '/dash/notes?per=2')
  expect(planned).toEqual({ no: Number(then['note']), words, stage: 'planned', leaves, reached })
  expect(sent).toMatchObject({ no: Number(now['note']), words, stage: 'sent' })
  expect(await effects()).toHaveLength(2)
  for (const [fields, code] of [
    [{ words: '' }, '422 FIELD_REQUIRED'],
    [{ words, day: day(-2) }, '422 DAY_PAST'],
    [{ words, day: day(368) }, '422 DAY_TOO_FAR'],
    [{ words, day: 'tomorrow' }, '422 DAY_INVALID'],
    [{ words: ['a', 'b'] }, '422 FIELD_REPEATED'],
  ] as const) {
    expect(await turnedDown(me, '/shop/notes', fields)).toBe(code)
  }
  const lonely = await run.newcomer('starter')
  expect(await turnedDown(lonely, '/shop/notes', { words })).toBe('409 NO_FOLLOWERS')
  expect(await effects()).toHaveLength(2)
})
