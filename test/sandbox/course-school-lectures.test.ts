import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { kathedra, refusal, type Kathedra, type Row, type Teacher } from './course-school-school.ts'

interface Piece {
  no: number
  kind: string
  pos: number
  md?: string
}

interface Lecture {
  no: number
  section: number
  heading: string
  live: boolean
  pos: number
  edited: string
  pieces: Piece[]
}

let app: Kathedra
let me: Teacher
let path: string
let lectures: Lecture[]
beforeAll(async () => {
  app = await kathedra()
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  me = await app.newcomer()
  path = `/courses/${String((await me.all('/courses'))[0]?.['no'])}`
  lectures = (await me.read<{ lectures: Lecture[] }>(`${path}/outline`)).lectures
})

const read = (nth: number): Promise<Lecture> => me.read<Lecture>(`${path}/lectures/${lectures[nth]?.no}`)
const at = (nth: number): string => `${path}/lectures/${lectures[nth]?.no}`
const course = async (): Promise<string> =>
  (await fetch(`${me.base}/learn/${(await me.session()).school.no}/aguarela`)).text()

test('a new lecture comes last in its section, hidden, with its text if there is one', async () => {
  const section = lectures[0]!.section
  const made = await me.post(`${path}/sections/${section}/lectures`, {
    heading: 'Última aula',
    md: '![x](https://i.example/x.png)',
  })
  expect(made.status).toBe(201)
  const lecture = (await made.json()) as Lecture
  expect(lecture).toMatchObject({ section, heading: 'Última aula', live: false })
  expect(lecture.pieces).toEqual([
    { no: expect.any(Number), kind: 'rich_text', pos: 10, md: '![x](https://i.example/x.png)' },
  ])
  expect(await me.read(`${path}/lectures/${lecture.no}`)).toEqual(lecture)
  const after = (await me.read<{ lectures: Lecture[] }>(`${path}/outline`)).lectures
  const places = after.filter((one) => one.section === section).sort((a, b) => a.pos - b.pos)
  expect(places.at(-1)?.no).toBe(lecture.no)
  expect(after).toHaveLength(lectures.length + 1)
  const bare = await me.form(`${path}/sections/${section}/lectures`, { heading: 'Bare' })
  const no = /added=(\d+)/.exec(bare.headers.get('location') ?? '')?.[1]
  expect((await me.read<Lecture>(`${path}/lectures/${no}`)).pieces).toEqual([])
  expect((await app.effects(me)).map(({ action }) => action)).toEqual(['lecture.add', 'lecture.add'])
  expect((await app.effects(me))[0]?.body).toMatchObject({ section, lecture: lecture.no, heading: 'Última aula' })
})

test('students see a lecture once it is shown, its edits at once, and no longer when it is hidden', async () => {
  const nth = lectures.findIndex(({ live }) => !live)
  const seen = async (): Promise<boolean> => (await course()).includes(`id="l${lectures[nth]?.no}"`)
  expect(await seen()).toBe(false)
  expect(await refusal(await me.form(`${at(nth)}/visibility`, { live: '0' }))).toBe('409 LECTURE_ALREADY_HIDDEN')
  expect((await me.form(`${at(nth)}/visibility`, { live: '1' })).headers.get('location')).toBe(
    `/course-school/schools/mine${at(nth)}?live=1`,
  )
  expect(await seen()).toBe(true)
  expect(await refusal(await me.form(`${at(nth)}/visibility`, { live: '1' }))).toBe('409 LECTURE_ALREADY_LIVE')
  await me.form(at(nth), { heading: 'Seen at <once>' })
  expect(await course()).toContain('Seen at &lt;once&gt;')
  expect((await read(nth)).live).toBe(true)
  await me.form(`${at(nth)}/visibility`, { live: '0' })
  expect(await seen()).toBe(false)
  expect((await app.effects(me)).map(({ action }) => action)).toEqual(['lecture.live', 'lecture.edit', 'lecture.hide'])
})

test('a text without a piece goes into the first one of the editor; everything else stays', async () => {
  const before = await read(0)
  const texts = before.pieces.filter(({ kind }) => kind === 'rich_text').sort((a, b) => a.pos - b.pos)
  const saved = await me.form(at(0), { md: 'Novo\r\ntexto' })
  expect(saved.headers.get('location')).toContain(`?saved=1&piece=${texts[0]?.no}`)
  const after = await read(0)
  const pieces = before.pieces.map((piece) => (piece.no === texts[0]?.no ? { ...piece, md: 'Novo\ntexto' } : piece))
  expect(after).toEqual({ ...before, pieces, edited: after.edited })
  expect(after.edited > before.edited).toBe(true)
  await me.form(at(0), { heading: 'Both', md: '', piece: String(texts[1]?.no) })
  const last = await read(0)
  expect([last.heading, last.pieces.find(({ no }) => no === texts[1]?.no)?.md]).toEqual(['Both', ''])
  expect(last.live).toBe(before.live)
})

test.each([
  [0, {}, '422 NOTHING_TO_CHANGE'],
  [0, { heading: ' ' }, '422 HEADING_REQUIRED'],
  [0, { heading: 'x'.repeat(201) }, '422 HEADING_TOO_LONG'],
  [0, { md: 'x'.repeat(50_001) }, '422 MD_TOO_LONG'],
  [0, { heading: 'x', piece: '1' }, '422 MD_REQUIRED'],
  [0, { heading: 'x', md: 'x', piece: '1' }, '404 PIECE_NOT_FOUND'],
  [1, { heading: 'x', md: 'x' }, '409 NO_TEXT_PIECE'],
  [2, { heading: 'x', md: 'x' }, '409 NO_TEXT_PIECE'],
])('an edit of lecture %i with %j is refused with %s and changes nothing', async (nth, fields, outcome) => {
  const before = await read(nth)
  expect(await refusal(await me.form(at(nth), { ...fields }))).toBe(outcome)
  expect(await read(nth)).toEqual(before)
  expect(await app.effects(me)).toEqual([])
})

test('only text can be given a text, and the bounds themselves are allowed', async () => {
  const video = (await read(0)).pieces.find(({ kind }) => kind === 'video')
  expect(await refusal(await me.form(at(0), { md: 'x', piece: String(video?.no) }))).toBe('409 PIECE_NOT_TEXT')
  expect((await me.form(at(0), { heading: 'ő'.repeat(200), md: 'ő'.repeat(50_000) })).status).toBe(303)
  expect((await read(0)).heading).toBe('ő'.repeat(200))
})

test.each([
  [{}, '422 HEADING_REQUIRED'],
  [{ heading: 5 }, '422 HEADING_REQUIRED'],
  [{ heading: 'x', md: 5 }, '422 MD_INVALID'],
  [[], '400 BODY_INVALID'],
])('a new lecture of %j is refused with %s', async (body, outcome) => {
  expect(await refusal(await me.post(`${path}/sections/${lectures[0]?.section}/lectures`, body))).toBe(outcome)
  expect(await app.effects(me)).toEqual([])
})

test('a section or lecture of another course does not exist in this one', async () => {
  const second = `/courses/${String((await me.all('/courses'))[1]?.['no'])}`
  const foreign = [
    await me.post(`${second}/sections/${lectures[0]?.section}/lectures`, { heading: 'x' }),
    await me.get(`/api/schools/mine${second}/lectures/${lectures[0]?.no}`),
    await me.form(`${second}/lectures/${lectures[0]?.no}`, { heading: 'x' }),
  ]
  const codes = ['404 SECTION_NOT_FOUND', '404 LECTURE_NOT_FOUND', '404 LECTURE_NOT_FOUND']
  expect(await Promise.all(foreign.map(refusal))).toEqual(codes)
})

test('seeds hold what is awkward: a lecture without pieces, without text, with an empty and a very long one', async () => {
  const all = await Promise.all([0, 1, 2, 3, 4].map(read))
  const texts = (lecture: Lecture): (string | undefined)[] =>
    lecture.pieces.filter(({ kind }) => kind === 'rich_text').map(({ md }) => md)
  expect(all[1]?.pieces).toEqual([])
  expect(texts(all[2]!)).toEqual([])
  expect(texts(all[3]!)).toEqual([''])
  expect(texts(all[4]!)[0]?.length).toBeGreaterThan(39_000)
  const rows: Row[] = await me.all('/courses')
  expect(JSON.stringify(rows)).toMatch(/[\u0600-\u06ff]/)
})
