import { afterAll, beforeAll, expect, test } from 'vitest'
import { findCall } from '../../core/calls/rows.ts'
import { statementOf } from '../../core/calls/find.ts'
import type { CallFilter } from '../../core/calls/find.ts'
import { sealPayload } from '../../core/calls/payload.ts'
import { createKey } from '../../core/keys/rows.ts'
import { callIdFrom } from '../../schemas/ids.ts'
import { hasWords, wordsOf } from '../../web/calls/search-words.ts'
import { desk, expectTidy, openPage, phone, shoot, startBrowser } from '../support/chromium.ts'
import { askFor, makeOwner, startTestSite } from './site.ts'
import type { Owner, TestSite } from './site.ts'
import { visitorOf } from './visitor.ts'
import type { Visitor } from './visitor.ts'

const dayMs = 86_400_000

let site: TestSite
let owner: Owner
let visitor: Visitor
let other: Owner
let party: string
let boat: string
let formula: string
beforeAll(async () => {
  site = await startTestSite()
  owner = await makeOwner(site.ctx)
  other = await makeOwner(site.ctx)
  visitor = await visitorOf(site, owner)
  party = await askFor(site.ctx, owner, { subject: 'Sommerfest für Ana Prado', body: 'Invoice 2031, 958 EUR' })
  boat = await askFor(site.ctx, owner, { subject: 'The boat race', recipients: ['m_77'] })
  formula = await askFor(site.ctx, owner, { subject: '=HYPERLINK("http://example.com","x")' })
  await askFor(site.ctx, other, { subject: 'Ana Prado, of somebody else' })
})
afterAll(() => site.stop())

const listed = async (query: string, who = visitor): Promise<readonly string[]> => {
  const { status, text } = await who.get(`/calls?${query}`)
  expect(status).toBe(200)
  return [...text.matchAll(/href="\/calls\/(call_\w+)"/g)].map((match) => match[1] ?? '')
}

test.for([
  ['words in any order, case and accent', 'q=prado+FUR+sommerfest', () => [party]],
  ['a number that it said', 'q=2031', () => [party]],
  ['the id of a thing', 'q=m_77', () => [boat]],
  ['a call’s whole id', () => `q=${boat.toLowerCase()}`, () => [boat]],
  ['the end of a call’s id', () => `q=${boat.slice(-8)}`, () => [boat]],
  ['the name of the action and of the account', 'q=write+secretary', () => [formula, boat, party]],
  ['the name of the key', 'q=club+assistant', () => [formula, boat, party]],
  ['what nobody said', 'q=zeppelin', () => []],
  ['what another owner said', 'q=somebody', () => []],
  ['what stands in the pattern of no database', 'q=%25', () => []],
  ['app and action', 'app=letters&action=write_letter', () => [formula, boat, party]],
  ['another action', 'app=letters&action=list_letters', () => []],
  ['an action without its app, which says nothing', 'action=list_letters', () => [formula, boat, party]],
  ['a key', () => `key=${owner.keyId}`, () => [formula, boat, party]],
  ['a key and the words', () => `key=${owner.keyId}&q=boat`, () => [boat]],
  ['a key of another owner, which is none', () => `key=${other.keyId}&q=boat`, () => [boat]],
  ['status and kind', 'status=awaiting_confirmation&access=write', () => [formula, boat, party]],
  ['another status', 'status=expired', () => []],
  ['days', () => `from=${day(0)}&until=${day(0)}`, () => [formula, boat, party]],
  ['days of before', () => `until=${day(-2)}`, () => []],
  ['days to come', () => `from=${day(2)}`, () => []],
  ['no days', 'from=2026-02-31&until=yesterday', () => [formula, boat, party]],
  ['a search without end', () => `q=${'x'.repeat(5_000)}`, () => []],
  ['a null character', 'q=boat%00', () => []],
] as const)('calls are found by %s', async ([, query, ids]) => {
  expect(await listed(typeof query === 'string' ? query : query())).toEqual(ids())
})

/** The tests may run over midnight: the day of now counts with those around it. */
function day(away: number): string {
  return new Date(Date.now() + away * dayMs).toISOString().slice(0, 10)
}

test('a key and those that it replaced are one choice', async () => {
  const who = await makeOwner(site.ctx)
  const [before, place] = [await askFor(site.ctx, who), { line: who.keyId, turn: 1 }]
  const later = await createKey(site.ctx, { owner: who.id, name: 'Its successor', apps: null, place })
  const after = await askFor(site.ctx, { ...who, keyId: later.id }, { subject: 'From the new key' })
  const theirs = await visitorOf(site, who)
  const { text } = await theirs.get('/calls')
  expect([...text.matchAll(/<option value="(key_\w+)">([^<]*)/g)].map(([, ...one]) => one)).toEqual([
    [who.keyId, 'Its successor'],
  ])
  expect(await listed(`key=${who.keyId}`, theirs)).toEqual([after, before])
})

test('what changes answered and why they were asked is found, what look-ups answered is not', async () => {
  const row = await findCall(site.ctx.db, owner.id, boat)
  const place = {
    callId: boat,
    owner: owner.id,
    account: row?.account ?? '',
    dataKey: row?.data_key ?? Buffer.alloc(0),
  }
  const set = (column: 'output' | 'why', value: unknown) =>
    site.ctx.db.query(`UPDATE calls SET ${column} = $2 WHERE id = $1`, [
      boat,
      sealPayload(site.ctx.secrets, place, column, value),
    ])
  await set('output', { letter_id: 'letter_4711', sent: 1 })
  await set('why', 'The regatta needs crews.')
  expect(await listed('q=letter_4711')).toEqual([boat])
  expect(await listed('q=regatta')).toEqual([boat])
  await site.ctx.db.query(`UPDATE calls SET access = 'read' WHERE id = $1`, [boat])
  expect(await listed('q=letter_4711')).toEqual([])
  await site.ctx.db.query(`UPDATE calls SET access = 'write', output = '\\x00' WHERE id = $1`, [boat])
  // One that cannot be opened hides nothing.
  expect(await listed('q=boat')).toEqual([boat])
  await site.ctx.db.query(`UPDATE calls SET output = NULL WHERE id = $1`, [boat])
})

test('a file has every call of the filter, harmless for spreadsheets, and nobody else’s', async () => {
  const { headers, text } = await visitor.get('/calls.csv?app=letters')
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="callgate-calls-\d{4}-\d\d-\d\d\.csv"$/)
  const lines = text.trim().split('\r\n')
  expect(lines[0]).toMatch(/^call_id,asked_at,/)
  expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual([formula, boat, party])
  expect(lines[1]).toContain(`,"'=HYPERLINK(""http://example.com"",""x"")`)
  expect((await visitor.get('/calls.csv?q=boat')).text.trim().split('\r\n')).toHaveLength(2)
  expect(text).not.toContain('somebody else')
})

/** Calls of long ago, without content: `most` of them, of which each hundredth failed. */
async function manyCalls(who: Owner, most: number): Promise<void> {
  const start = Date.now() - 90 * dayMs
  const times = Array.from({ length: most }, (_, n) => start + n * 1_000)
  await site.ctx.db.query(
    `INSERT INTO calls (id, owner, key_id, app, endpoint, account, access, confirm, status, created_at, content_hash, credits, check_at)
     SELECT t.id || 'X' || lpad(t.n::text, 15, '0'), $1, $2, CASE WHEN t.n % 500 = 0 THEN 'letters' ELSE 'gone' END, 'list_letters', $3, 'read',
       false, CASE WHEN t.n % 100 = 0 THEN 'failed' ELSE 'executed' END, t.at, '\\x00', 1, NULL
     FROM unnest($4::text[], $5::timestamptz[]) WITH ORDINALITY AS t(id, at, n)`,
    [who.id, who.keyId, who.account, times.map(callIdFrom), times.map((at) => new Date(at))],
  )
  await site.ctx.db.query('ANALYZE calls')
}

interface Plan {
  readonly 'Node Type': string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

test('a step reads no more rows than it says, by an index, whatever is looked for', async () => {
  const busy = await makeOwner(site.ctx)
  await manyCalls(busy, 20_000)
  const all = { owner: busy.id }
  const cases: readonly (readonly [CallFilter, string])[] = [
    [all, 'calls_owner'],
    [{ ...all, access: 'write' }, 'calls_owner'],
    [{ ...all, app: 'letters', endpoint: 'write_letter' }, 'calls_app'],
    [{ ...all, status: 'failed', app: 'letters' }, 'calls_not_done'],
    [{ ...all, status: 'running' }, 'calls_open'],
    [{ ...all, keys: [busy.keyId], endpoint: 'write_letter' }, 'calls_key'],
    [{ ...all, before: callIdFrom(Date.now() - 89.9 * dayMs), status: 'executed' }, 'calls_owner'],
  ]
  for (const [filter, index] of cases) {
    const { text, values } = statementOf(filter, 51, 1_000)
    const { rows } = await site.ctx.db.query<{ 'QUERY PLAN': readonly { Plan: Plan }[] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      values,
    )
    const nodes = (plan: Plan): readonly Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)]
    const scans = rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan: plan }) => nodes(plan)))
    const read = scans.filter((node) => node['Index Name'] !== undefined)
    expect(read.map((node) => node['Index Name'])).toEqual([index])
    for (const node of read) {
      expect(node['Actual Rows'], index).toBeLessThanOrEqual(1_000)
      expect(node['Rows Removed by Filter'] ?? 0, index).toBe(0)
    }
    expect(scans.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
  }
})

test('a search among very many goes as far as it can, says how far, and goes on from there', async () => {
  const busy = await makeOwner(site.ctx)
  await manyCalls(busy, 4_100)
  await askFor(site.ctx, busy, { subject: 'The needle' })
  const who = await visitorOf(site, busy)
  const oldest = `call_${callIdFrom(Date.now() - 90 * dayMs).slice(5, 12)}`
  let address = '/calls?q=x000000000000001'
  const seen: string[] = []
  let pages = 0
  for (; address !== '' && pages < 10; pages += 1) {
    const { text } = await who.get(address)
    seen.push(...[...text.matchAll(/href="\/calls\/(call_\w+)"/g)].map((match) => match[1] ?? ''))
    const [, next = ''] = /href="([^"]+)">Search on/.exec(text) ?? []
    if (next !== '') expect(text).toMatch(/Looked through [\d,]+ calls, back to/)
    address = next.replaceAll('&amp;', '&')
  }
  expect(pages).toBeGreaterThan(1)
  expect(seen).toHaveLength(1)
  expect(seen[0]).toMatch(new RegExp(`^${oldest.slice(0, 9)}`))
  expect((await who.get('/calls.csv?q=x000000000000001')).text.trim().split('\r\n')).toHaveLength(2)
})

test('words are compared as people write them', () => {
  expect(wordsOf('  Ärger  ärger MÜLLER ')).toEqual(['arger', 'muller'])
  expect(hasWords('Mueller, Müller und Sohn', wordsOf('sohn müller'))).toBe(true)
  expect(hasWords('Müller', wordsOf('müller sohn'))).toBe(false)
  expect(wordsOf(Array.from({ length: 50 }, (_, n) => `w${n}`).join(' '))).toHaveLength(10)
})

test('on a phone and a desk, with and without scripts, calls are found and narrowed down', async () => {
  const running = await startBrowser()
  for (const [name, where] of [
    ['phone', phone],
    ['phone-dark', { ...phone, colorScheme: 'dark' }],
    ['desk', desk],
    ['no-script', { ...phone, javaScriptEnabled: false }],
  ] as const) {
    const { page, problems } = await openPage(running.browser, where)
    await page.goto(`${site.url}/calls`)
    await page.getByLabel('Email').fill(owner.email)
    await page.getByLabel('Password').fill(owner.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('searchbox', { name: 'Search' }).fill('boat')
    await shoot(page, `calls-${name}`)
    await page.getByRole('button', { name: 'Search' }).click()
    await expect.poll(() => page.locator('#calls li').count()).toBe(1)
    await page.getByText('Filter', { exact: true }).click()
    await page.locator('select[name=app]').selectOption('letters')
    if (name === 'no-script') await page.getByRole('button', { name: 'Show' }).click()
    await page.locator('option[value=list_letters]').waitFor({ state: 'attached' })
    await page.locator('select[name=action]').selectOption('list_letters')
    if (name === 'no-script') await page.getByRole('button', { name: 'Show' }).click()
    await page.getByText('No matching calls').waitFor()
    expect(new URL(page.url()).searchParams.get('q')).toBe('boat')
    if (name !== 'no-script') await expectTidy(page, name, where.viewport.width)
    await shoot(page, `calls-narrowed-${name}`)
    expect(problems).toEqual([])
    await page.context().close()
  }
  await running.close()
})
