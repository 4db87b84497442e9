import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { realEstateAnalytics } from '../../sandbox/real-estate-analytics/app.ts'
import { openApp, type AppPerson, type OpenApp } from './open-app.ts'
import { codeOf } from './visitor.ts'

type Row = Record<string, unknown>
interface Grid {
  cols: string[]
  vals: unknown[][]
  list: { of: number }
}

let app: OpenApp
let me: AppPerson
beforeAll(async () => {
  app = await openApp(
    realEstateAnalytics,
    async (person) => (await person.read<{ deskkey: string }>('/api/desk')).deskkey,
  )
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  me = await app.newcomer()
})

async function rows(path: string, person = me): Promise<Row[]> {
  const { cols, vals } = await person.read<Grid>(path)
  return vals.map((row) => Object.fromEntries(cols.map((col, at) => [col, row[at]])))
}

/** Homes for sale that are not saved. */
async function fresh(person = me): Promise<string[]> {
  const saved = new Set((await rows('/api/saved?rows=100', person)).map(({ home }) => home))
  const found = await rows('/api/finder?city=Austin,+TX', person)
  return found.map(({ home }) => String(home)).filter((home) => !saved.has(home))
}

const presetOf = async (title: string): Promise<string> =>
  String((await rows('/api/presets')).find((preset) => preset['title'] === title)?.['preset'])

/** Where a form leads to, below the app. */
async function sent(path: string, fields: Record<string, string> = {}): Promise<string> {
  const response = await me.form(path, fields)
  if (response.status !== 303) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (response.headers.get('location') ?? '').replace('/real-estate-analytics', '')
}

async function refusedForm(
  path: string,
  fields: Record<string, string> = {},
  person = me,
): Promise<[number, string | undefined]> {
  const response = await person.form(path, fields)
  return [response.status, await codeOf(response)]
}

const actions = async (person = me): Promise<string[]> => (await app.effects(person)).map(({ action }) => action)

test('a home is saved, rated, removed and saved again, each once at a time', async () => {
  const [home = ''] = await fresh()
  const memo = '  שמור\nas sent <b>  '
  expect(await refusedForm(`/homes/${home}/stars`, { stars: '2' })).toEqual([409, 'HOME_NOT_SAVED'])
  expect(await me.refused('DELETE', `/api/saved/${home}`)).toEqual([409, 'HOME_NOT_SAVED'])
  expect(await sent(`/homes/${home}/keep`, { stars: '4', memo })).toBe(`/saved?done=kept&home=${home}`)
  expect((await rows('/api/saved'))[0]).toMatchObject({ home, lane: 'sale', stars: 4, memo })
  expect(await refusedForm(`/homes/${home}/keep`)).toEqual([409, 'HOME_SAVED'])
  await sent(`/homes/${home}/stars`, { stars: '' })
  expect((await rows('/api/saved'))[0]).toMatchObject({ home, stars: null })
  expect(await me.wrote('DELETE', `/api/saved/${home}`)).toEqual({ home, saved: false, left: 66 })
  expect((await rows('/api/saved?rows=100')).some((row) => row['home'] === home)).toBe(false)
  await sent(`/homes/${home}/keep`)
  expect((await rows('/api/saved'))[0]).toMatchObject({ home, stars: null, memo: '' })
  for (const fields of [
    { stars: '0' },
    { stars: '6' },
    { stars: '1.5' },
    { rating: '3' },
    { memo: 'x'.repeat(1001) },
  ]) {
    expect((await refusedForm(`/homes/${(await fresh())[0]}/keep`, fields))[0]).toBe(422)
  }
  expect(await actions()).toEqual(['saved.keep', 'saved.rate', 'saved.drop', 'saved.keep'])
})

test('an unlisted address is worked up and saved, once, with what was given or with estimates', async () => {
  const body = { street: '12 Rua Açaí, Unit 3, new orleans, la 70117', ask: 'USD 310000', kind: 'TWN', br: 4, ba: 2 }
  const made = await me.wrote<Row>('POST', '/api/workups', body)
  expect(made).toMatchObject({ street: body.street, ask: body.ask, kind: 'TWN', br: 4, ba: 2, saved: true })
  expect((await rows('/api/saved'))[0]).toMatchObject({
    home: made['home'],
    lane: 'private',
    ask: body.ask,
    stars: null,
  })
  const { plans, cash_in } = await me.read<Row>(`/api/homes/${String(made['home'])}/workup`)
  expect({ plans, cash_in }).toEqual({ plans: made['plans'], cash_in: made['cash_in'] })
  expect(cash_in).toBe('USD 74400')
  const near = await rows(`/api/homes/${String(made['home'])}/near?lane=nightly`)
  expect(String(near[0]?.['street'])).toContain('New Orleans, LA')
  const again = { street: '12  rua açaí, unit 3, New Orleans, LA' }
  expect(await me.refused('POST', '/api/workups', again)).toEqual([409, 'ADDRESS_KNOWN'])
  const street = (await rows('/api/finder?city=Dallas,+TX'))[0]?.['street']
  expect(await me.refused('POST', '/api/workups', { street })).toEqual([409, 'ADDRESS_LISTED'])
  expect(await me.refused('POST', '/api/workups', { street: '1 Elm St, Atlantis, TX' })).toEqual([422, 'PLACE_UNKNOWN'])
  expect(await me.refused('POST', '/api/workups', {})).toEqual([422, 'FIELD_MISSING'])
  for (const wrong of [
    { street: 'Elm St' },
    { street: 5 },
    { ask: 300_000 },
    { ask: 'USD 9999' },
    { br: '3' },
    { br: 13 },
    { kind: 'condo' },
  ]) {
    const all = { street: '9 Elm St, Dallas, TX', ...wrong }
    expect(await me.refused('POST', '/api/workups', all)).toEqual([422, 'FIELD_INVALID'])
  }
  expect(await me.refused('POST', '/api/workups', [])).toEqual([400, 'BODY_INVALID'])
  expect(await actions()).toEqual(['home.unlisted'])
})

test('a report is a PDF that bears the name, and uses one of the month’s', async () => {
  const [home = ''] = await fresh()
  const logo = 'https://cdn.example/logo.png'
  const made = await me.wrote<Row>('POST', `/api/homes/${home}/pdf`, { firm: 'Peña & Co', logo })
  expect(made).toMatchObject({ kind: 'pdf', about: home, pdfs: { used: 3, of: 40 } })
  expect((await rows('/api/files'))[0]).toMatchObject({ file: made['file'], kind: 'pdf', about: home })
  const file = await me.get(String(made['href']).replace('/real-estate-analytics', ''))
  expect(file.headers.get('content-type')).toBe('application/pdf')
  const text = await file.text()
  const hex = (words: string): string => Buffer.from(words, 'latin1').toString('hex')
  expect(text.startsWith('%PDF-1.4')).toBe(true)
  expect(text).toContain(hex('Peña & Co'))
  expect(text).toContain(hex(logo))
  expect(Number(/startxref\n(\d+)/.exec(text)?.[1])).toBe(text.indexOf('xref\n0 '))
  for (const wrong of ['http://cdn.example/logo.png', 'https://cdn.example/logo.exe', 'logo.png']) {
    expect(await me.refused('POST', `/api/homes/${home}/pdf`, { logo: wrong })).toEqual([422, 'LOGO_INVALID'])
  }
  expect(await me.refused('POST', `/api/homes/${home}/pdf`, { company: 'x' })).toEqual([422, 'FIELD_UNKNOWN'])
  expect(await me.read('/api/desk')).toMatchObject({ pdfs: { used: 3 } })
  expect(await actions()).toEqual(['report.pdf'])
})

test('an export has a line for each neighborhood that the preset finds, and uses one of the month’s', async () => {
  const preset = await presetOf('Everything')
  const place = await sent(`/presets/${preset}/sheet`)
  expect(place).toMatch(/^\/files\/f-[0-9a-z]+\?done=sheet&used=4&of=40&lines=48$/)
  const file = await me.get(`${place.split('?')[0]}/download`)
  expect(file.headers.get('content-type')).toContain('text/csv')
  expect((await file.text()).trim().split('\r\n')).toHaveLength(49)
  expect(await sent(`/presets/${preset}/sheet`, { where: 'Austin, TX' })).toContain('used=5&of=40&lines=3')
  expect(await sent(`/presets/${preset}/sheet`, { where: 'Tremé' })).toContain('used=6&of=40&lines=1')
  const none = await presetOf('Unicorns (nothing yet)')
  expect(await refusedForm(`/presets/${none}/sheet`)).toEqual([422, 'NOTHING_TO_EXPORT'])
  expect(await refusedForm(`/presets/${preset}/sheet`, { where: 'Atlantis' })).toEqual([422, 'PLACE_UNKNOWN'])
  expect((await rows('/api/files?kind=sheet'))[0]).toMatchObject({ about: preset, title: 'Everything' })
  expect(await me.read('/api/desk')).toMatchObject({ sheets: { used: 6 } })
  expect(await actions()).toEqual(['sheet.export', 'sheet.export', 'sheet.export'])
})

test('a basic plan ends after five of each, and bears no brand; a guest sees the market only', async () => {
  const basic = await app.newcomer('basic')
  const [home = ''] = await fresh(basic)
  const pdf = `/api/homes/${home}/pdf`
  expect(await basic.refused('POST', pdf, { firm: 'Mine' })).toEqual([403, 'BRANDING_NOT_IN_PLAN'])
  for (const used of [3, 4, 5]) expect(await basic.wrote('POST', pdf, {})).toMatchObject({ pdfs: { used, of: 5 } })
  expect(await basic.refused('POST', pdf, {})).toEqual([409, 'PDFS_USED_UP'])
  const sheet = `/presets/${String((await rows('/api/presets', basic))[0]?.['preset'])}/sheet`
  for (const used of [4, 5]) expect((await basic.form(sheet)).headers.get('location')).toContain(`used=${used}&of=5`)
  expect(await refusedForm(sheet, {}, basic)).toEqual([409, 'SHEETS_USED_UP'])
  expect(await actions(basic)).toHaveLength(5)
  const guest = await app.newcomer('guest')
  const found = await rows('/api/finder?city=Austin,+TX', guest)
  expect((await rows('/api/markets', guest)).length).toBeGreaterThan(60)
  const theirs = `/api/homes/${String(found[0]?.['home'])}`
  for (const path of [
    '/api/presets',
    '/api/saved',
    '/api/alerts',
    '/api/files',
    '/api/mails',
    `${theirs}/workup`,
    '/saved',
  ]) {
    expect(await guest.denied(path)).toEqual([403, 'INVESTORS_ONLY'])
  }
  expect(await guest.refused('POST', `${theirs}/pdf`, {})).toEqual([403, 'INVESTORS_ONLY'])
  expect(await refusedForm('/alerts', { where: 'Zilker', every: 'day' }, guest)).toEqual([403, 'INVESTORS_ONLY'])
  expect(await actions(guest)).toEqual([])
})

test('an alert mails what is listed after it, in its rhythm, and only when there is any', async () => {
  const daily = await sent('/alerts', { where: 'Austin, TX', every: 'day' })
  expect(daily).toMatch(/^\/alerts\/w-[0-9a-z]+\?done=made&place=Austin%2C%20TX$/)
  await sent('/alerts', { where: 'Austin, TX', every: 'month' })
  await sent('/alerts', { where: 'Austin, TX', every: 'day', px_to: 'USD 1000' })
  expect(await refusedForm('/alerts', { where: 'austin, tx', every: 'day' })).toEqual([409, 'ALERT_EXISTS'])
  const [never, monthly, first] = (await rows('/api/alerts')).map(({ alert }) => String(alert))
  expect(daily).toContain(`/alerts/${first}?`)
  const mails = (alert = ''): Promise<Row[]> => rows(`/api/mails?alert=${alert}&rows=100`)
  expect([await mails(first), await mails(monthly)]).toEqual([[], []])
  const known = new Set((await rows('/api/finder?city=Austin,+TX')).map(({ home }) => home))
  await sent('/feed', { days: '29' })
  expect(await mails(monthly)).toEqual([])
  await sent('/feed', { days: '1' })
  const listed = (await rows('/api/finder?city=Austin,+TX')).filter(({ home }) => !known.has(home))
  expect(listed.length).toBeGreaterThan(1)
  const linesOf = (list: Row[]): string[] => list.flatMap(({ words }) => String(words).split('\n'))
  const expected = listed.map(({ street, ask }) => `${String(street)}: ${String(ask)}`).toSorted()
  expect(linesOf(await mails(first)).toSorted()).toEqual(expected)
  expect(linesOf(await mails(monthly)).toSorted()).toEqual(expected)
  expect(await mails(monthly)).toHaveLength(1)
  expect(await mails(never)).toEqual([])
  expect((await rows('/api/alerts')).map((row) => row['mails']).slice(0, 2)).toEqual([0, 1])
  for (const fields of [
    { where: 'Zilker' },
    { every: 'day' },
    { where: 'Zilker', every: 'hour' },
    { where: 'Zilker', every: 'day', br_from: '6' },
  ]) {
    expect((await refusedForm('/alerts', fields))[0]).toBe(422)
  }
  const backwards = { where: 'Zilker', every: 'day', px_from: 'USD 2', px_to: 'USD 1' }
  expect(await refusedForm('/alerts', backwards)).toEqual([422, 'RANGE_BACKWARDS'])
  expect(await actions()).toEqual(['alert.create', 'alert.create', 'alert.create', 'feed.run', 'feed.run'])
})

test('presets are made, renamed and dropped on their pages', async () => {
  const place = await sent('/presets', { title: 'Fixer-uppers', px_to: 'USD 200000', kind: 'SFR', coc_from: '-50' })
  const preset = /p-[0-9a-z]+/.exec(place)?.[0] ?? ''
  const crit = { px_to: 'USD 200000', kind: 'SFR', coc_from: -50 }
  expect(await rows('/api/presets')).toContainEqual({ preset, title: 'Fixer-uppers', crit })
  expect(await refusedForm('/presets', { title: 'EVERYTHING' })).toEqual([409, 'TITLE_TAKEN'])
  await sent(`/presets/${preset}/title`, { title: 'בית לשיפוץ' })
  expect(await rows('/api/presets')).toContainEqual({ preset, title: 'בית לשיפוץ', crit })
  expect(await sent(`/presets/${preset}/drop`)).toBe('/presets?done=dropped')
  expect(await me.denied(`/api/presets/${preset}/run?where=Zilker`)).toEqual([404, 'PRESET_NOT_FOUND'])
  expect(await refusedForm(`/presets/${preset}/sheet`)).toEqual([404, 'PRESET_NOT_FOUND'])
  expect(await actions()).toEqual(['preset.create', 'preset.rename', 'preset.drop'])
})
