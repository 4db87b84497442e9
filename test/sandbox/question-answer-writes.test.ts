import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { questionAnswer } from '../../sandbox/question-answer/app.ts'
import { openApp, type AppPerson, type OpenApp } from './open-app.ts'
import { codeOf } from './visitor.ts'

type Row = Record<string, unknown> & {
  ref: { no: number }
  path: string
  mine: string
  takes_entries: boolean
  sort: string
}
interface Rows {
  rows: Row[]
  total: number
}

let run: OpenApp
let me: AppPerson
let rooms: Row[]
beforeAll(async () => {
  run = await openApp(questionAnswer, async (person) => (await person.read<{ seal: string }>('/api/self')).seal)
})
beforeEach(async () => {
  me = await run.newcomer()
  rooms = await list('/api/rooms')
})
afterAll(() => run[Symbol.asyncDispose]())

const list = async (path: string): Promise<Row[]> => (await me.read<Rows>(path)).rows

const roomWhere = (mine: string, takes: boolean): number =>
  rooms.find((room) => room.mine === mine && room.takes_entries === takes)?.ref.no ?? 0

/** The address that a form leads to, as path and what it says. */
async function submitted(
  path: string,
  fields: Record<string, string>,
): Promise<{ path: string; said: URLSearchParams }> {
  const response = await me.form(path, fields)
  expect(response.status).toBe(303)
  const url = new URL(response.headers.get('location') ?? '', 'http://here')
  return { path: url.pathname.replace('/question-answer', ''), said: url.searchParams }
}

/** Status and code of a form that is refused. */
async function turnedDown(path: string, fields: Record<string, string | string[]>): Promise<unknown[]> {
  const response = await me.form(path, fields)
  return [response.status, await codeOf(response)]
}

const actions = async (): Promise<string[]> => (await run.effects(me)).map(({ action }) => action)

test('a reply is there at once, for anybody, as it was written; it settles nudges and tells who waited', async () => {
  const [nudge] = await list('/api/my/nudges')
  const under = nudge?.['under'] as Row
  const { replies } = (await me.read<{ ask: Row }>(`/api/asks/${under.path.slice(3)}`)).ask
  const text = '  Hello **there**\r\n\r\n![pic](http://pictures.example/a?b=1&c=2) \u05d0'
  const { path, said } = await submitted(`${under.path}/replies`, { text })
  expect(Object.fromEntries(said)).toMatchObject({ done: 'replied', standing: 'live', reply: path.split('/').at(-1) })
  const [mine] = await list('/api/my/replies')
  expect(mine).toMatchObject({ path, posted: Number(said.get('at')), under: { path: under.path }, thumbs: 0 })
  expect(mine?.['body']).toContain('<img alt="pic" src="http://pictures.example/a?b=1&amp;c=2">')
  expect((await me.read<{ ask: Row }>(`/api/asks/${under.path.slice(3)}`)).ask.replies).toBe(Number(replies) + 1)
  expect((await list('/api/my/nudges?count=60')).map((one) => (one['under'] as Row).path)).not.toContain(under.path)
  expect((await list('/api/my/bells')).some((bell) => bell.path === path)).toBe(true)
  expect(await (await fetch(`${me.base}${path}`)).text()).toContain('<b>there</b>')
  const [effect] = await run.effects(me)
  expect(effect).toMatchObject({ action: 'reply.post', body: { text } })
  await submitted(`${under.path}/replies`, { text })
  expect(await actions()).toHaveLength(2)
})

test('a question is live everywhere and where one may post; readers hand it in', async () => {
  const everywhere = await submitted('/ask', { wording: 'Where is  everywhere؟ ' })
  expect(everywhere.said.get('standing')).toBe('live')
  expect((await list('/api/asks'))[0]).toMatchObject({
    path: everywhere.path,
    wording: 'Where is  everywhere؟ ',
    room: null,
  })
  for (const part of ['keeper', 'steward', 'warden', 'author']) {
    const room = roomWhere(part, true)
    const { path, said } = await submitted('/ask', { wording: `Is a ${part} live?`, room: String(room) })
    expect(said.get('done')).toBe('asked')
    expect((await list('/api/asks'))[0]).toMatchObject({ path, room: { ref: { no: room } } })
    expect((await list(`/api/rooms/${room}/shelf`))[0]).toMatchObject({ sort: 'ask', headline: `Is a ${part} live?` })
  }
  const room = roomWhere('reader', true)
  const held = await submitted('/ask', { wording: 'May I?', room: String(room) })
  expect([held.path, held.said.get('standing')]).toEqual([`/rooms/${room}`, 'held'])
  const [entry] = await list('/api/my/entries')
  expect(entry).toMatchObject({ ref: { no: Number(held.said.get('entry')) }, stage: 'waiting', headline: 'May I?' })
  expect((await me.read<Rows>('/api/asks?find=May I?')).rows.map(({ wording }) => wording)).not.toContain('May I?')
  expect(await me.refused('POST', `/api/desk/${entry?.ref.no}/verdict`, { verdict: 'publish' })).toEqual([
    403,
    'PART_MISSING',
  ])
  const [outside] = await list('/api/rooms?mine=no')
  expect((await submitted('/ask', { wording: 'Outside?', room: String(outside?.ref.no) })).said.get('done')).toBe(
    'held',
  )
  expect(await actions()).toEqual(Array.from({ length: 7 }, () => 'ask.post'))
  const closed = String(roomWhere('reader', false))
  expect(await turnedDown('/ask', { wording: 'May I?', room: closed })).toEqual([422, 'ROOM_TAKES_NOTHING'])
})

test('a post is live now or queued for the first free day; readers cannot post', async () => {
  const room = roomWhere('author', false)
  const path = `/api/rooms/${room}/shelf`
  const now = await me.wrote<{ post: Row }>('POST', path, { headline: 'Now', text: 'Here **we** are' })
  expect(now.post).toMatchObject({ standing: 'live', sort: 'story', body: '<p>Here <b>we</b> are</p>' })
  expect((await list(path))[0]).toEqual(now.post)
  const before = await list(`${path}?standing=queued`)
  const queued = await me.wrote<{ post: Row }>('POST', path, { text: 'Later', timing: 'queue' })
  expect(queued.post).toMatchObject({ standing: 'queued', headline: '' })
  expect(await list(`${path}?standing=queued`)).toEqual([...before, queued.post])
  expect(queued.post['live_at']).toBe(Number(before.at(-1)?.['live_at']) + 86_400)
  const bells = await list('/api/my/bells')
  expect(bells.filter(({ words }) => String(words).endsWith('posted: Now'))).toHaveLength(1)
  const closed = `/api/rooms/${roomWhere('reader', true)}/shelf`
  expect(await me.refused('POST', closed, { text: 'Me too' })).toEqual([403, 'PART_MISSING'])
  expect(await actions()).toEqual(['post.add', 'post.add'])
})

test.each([
  ['publish', 'published', 'live'],
  ['line_up', 'lined_up', 'queued'],
  ['skip', 'skipped', undefined],
])('what waits is settled once by %s, whatever its sort, by all of the staff', async (verdict, stage, standing) => {
  for (const [index, part] of ['keeper', 'steward', 'warden'].entries()) {
    const room = roomWhere(part, true)
    const entry = (await list(`/api/rooms/${room}/desk`)).find(({ sort }) => sort === ['story', 'ask', 'reply'][index])
    const path = `/api/desk/${entry?.ref.no}/verdict`
    const settled = (await me.wrote<{ entry: Row }>('POST', path, { verdict })).entry
    expect(settled).toEqual({ ...entry, stage, settled: settled['settled'], goes_live: settled['goes_live'] })
    expect(typeof settled['goes_live']).toBe(standing ? 'number' : 'object')
    expect(await list(`/api/rooms/${room}/desk?stage=${stage}`)).toContainEqual(settled)
    for (const again of ['publish', 'line_up', 'skip']) {
      expect(await me.refused('POST', path, { verdict: again })).toEqual([409, 'ENTRY_SETTLED'])
    }
    const shelf = await list(`/api/rooms/${room}/shelf?count=60&standing=${standing ?? 'live'}`)
    const placed = shelf.filter((post) => post['live_at'] === settled['goes_live'] && post.sort === settled.sort)
    expect(placed.map(({ headline }) => headline)).toEqual(standing ? [settled['headline']] : [])
    if (settled.sort === 'ask') {
      const isFound = (await list('/api/asks'))[0]?.['wording'] === settled['headline']
      expect(isFound).toBe(standing === 'live')
    }
  }
  expect(await actions()).toEqual(['entry.settle', 'entry.settle', 'entry.settle'])
})

test('figures and desk are for the staff; readers’ circles have none', async () => {
  const allowed = new Map<string, boolean>()
  for (const { mine, ref } of rooms) {
    for (const name of ['figures', 'desk']) {
      const [status, code] = await me.denied(`/api/rooms/${ref.no}/${name}`)
      allowed.set(mine, status === 200)
      if (status !== 200) expect([status, code]).toEqual([403, 'PART_MISSING'])
    }
  }
  const staff = { keeper: true, steward: true, warden: true, author: false, reader: false }
  expect(Object.fromEntries(allowed)).toEqual(staff)
  me = await run.newcomer('reader')
  expect(new Set((await list('/api/rooms')).map(({ mine }) => mine))).toEqual(new Set(['author', 'reader']))
})

test('a thumb counts once for a reply or a post, in the figures of the room too, and can be taken back', async () => {
  const room = roomWhere('keeper', true)
  const figures = async () => me.read<Record<'ever' | 'week', { thumbs: number }>>(`/api/rooms/${room}/figures`)
  const [before, shelf] = [await figures(), await list(`/api/rooms/${room}/shelf?count=60`)]
  const other = shelf.find(({ writer }) => JSON.stringify(writer).includes('Anna Lee'))
  const like = { on: 'post', no: String(other?.ref.no), give: 'yes' }
  await submitted('/thumbs', like)
  expect((await figures()).week.thumbs).toBe(before.week.thumbs + 1)
  expect((await figures()).ever.thumbs).toBe(before.ever.thumbs + 1)
  expect(await turnedDown('/thumbs', like)).toEqual([409, 'THUMB_GIVEN'])
  await submitted('/thumbs', { ...like, give: 'no' })
  expect(await figures()).toEqual(before)
  expect(await turnedDown('/thumbs', { ...like, give: 'no' })).toEqual([409, 'THUMB_NOT_GIVEN'])
  const [mine] = await list('/api/my/replies')
  const own = { on: 'reply', no: String(mine?.ref.no), give: 'yes' }
  expect(await turnedDown('/thumbs', own)).toEqual([409, 'OWN_WORDS'])
  expect(await turnedDown('/thumbs', { ...own, no: '1' })).toEqual([404, 'REPLY_NOT_FOUND'])
  expect(await actions()).toEqual(['thumb.give', 'thumb.take'])
})

test('what is missing, unknown, of another type or out of bounds is refused and does nothing', async () => {
  const [ask] = await list('/api/asks')
  const reply = `${ask?.path}/replies`
  for (const [path, fields, code] of [
    [reply, {}, 'TEXT_REQUIRED'],
    [reply, { text: ' \n' }, 'TEXT_REQUIRED'],
    [reply, { text: 'x'.repeat(20_001) }, 'TEXT_TOO_LONG'],
    [reply, { text: '![a](data:image/png;base64,AAAA)' }, 'IMAGE_NOT_BY_ADDRESS'],
    [reply, { text: 'a ![a](me.png "mine")' }, 'IMAGE_NOT_BY_ADDRESS'],
    [reply, { text: 'a', body: 'b' }, 'FIELD_UNKNOWN'],
    [reply, { text: ['a', 'b'] }, 'FIELD_REPEATED'],
    ['/ask', { wording: 'No mark' }, 'NO_QUESTION_MARK'],
    ['/ask', { wording: `${'x'.repeat(250)}?` }, 'TEXT_TOO_LONG'],
    ['/thumbs', { on: 'ask', no: '1', give: 'yes' }, 'OPTION_INVALID'],
  ] as const) {
    expect([code, ...(await turnedDown(path, fields as Record<string, string>))]).toEqual([code, 422, code])
  }
  const shelf = `/api/rooms/${roomWhere('keeper', true)}/shelf`
  for (const [body, status, code] of [
    [[], 400, 'BODY_INVALID'],
    [{ text: 5 }, 422, 'TEXT_INVALID'],
    [{ text: 'x', headline: 'x'.repeat(251) }, 422, 'TEXT_TOO_LONG'],
    [{ text: 'x', timing: null }, 422, 'OPTION_INVALID'],
    [{ text: 'x', at: 5 }, 422, 'FIELD_UNKNOWN'],
  ] as const) {
    expect(await me.refused('POST', shelf, body)).toEqual([status, code])
  }
  const [entry] = await list(`/api/rooms/${roomWhere('keeper', true)}/desk`)
  for (const verdict of ['approve', undefined, 1]) {
    expect(await me.refused('POST', `/api/desk/${entry?.ref.no}/verdict`, { verdict })).toEqual([422, 'OPTION_INVALID'])
  }
  expect((await list('/api/asks'))[0]).toEqual(ask)
  expect(await actions()).toEqual([])
  await submitted(reply, { text: 'x'.repeat(20_000) })
  await submitted('/ask', { wording: `${'é'.repeat(249)}?` })
})

test('the forms of pages do what the JSON writes do', async () => {
  const room = roomWhere('steward', true)
  const posted = await submitted(`/rooms/${room}/shelf`, { headline: 'By form', text: 'x', timing: 'now' })
  expect((await list(`/api/rooms/${room}/shelf`))[0]?.ref.no).toBe(Number(posted.said.get('post')))
  const [entry] = await list(`/api/rooms/${room}/desk`)
  expect((await submitted(`/desk/${entry?.ref.no}`, { verdict: 'skip' })).said.get('done')).toBe('skipped')
})
