import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Seen, Told } from '../../core/approvals/look-ups.ts'
import { findCall } from '../../core/calls/rows.ts'
import { placeOf, sealPayload } from '../../core/calls/payload.ts'
import { hidden } from '../../scripts/browsing.ts'
import { changesSince } from '../../web/confirm/since.ts'
import { letters } from './letters.ts'
import { askFor, makeOwner, startTestSite, statusOf } from './site.ts'
import type { Owner, TestSite } from './site.ts'
import { visitorOf } from './visitor.ts'
import type { Visitor } from './visitor.ts'

let site: TestSite
let owner: Owner
let visitor: Visitor

beforeAll(async () => {
  site = await startTestSite()
})
beforeEach(async () => {
  owner = await makeOwner(site.ctx)
  visitor = await visitorOf(site, owner)
})
afterAll(() => site.stop())

const anna: Told = {
  of: 'recipients',
  read: 'get_member',
  at: 'member',
  id: 'm_1',
  values: { name: 'Anna <Maier>', email: 'anna@example.test', dues: 1250, currency: 'EUR' },
}
const missed: Told = { of: 'recipients', read: 'list_members', at: 'members', id: 'm_1', problem: 'not_found' }

const seen = (...things: readonly Told[]): Seen => ({ things, omitted: 0 })

async function told(id: string, what: Seen, set = ''): Promise<void> {
  const row = await findCall(site.ctx.db, owner.id, id)
  if (row === undefined) throw new Error('no call')
  const preview = sealPayload(site.ctx.secrets, placeOf(row), 'preview', what)
  await site.ctx.db.query(
    `UPDATE calls SET preview = $2, previewed_at = now(), revision = revision + 1 ${set} WHERE id = $1`,
    [id, preview],
  )
}

function readable(page: string): string {
  return page
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
    .replaceAll(/\s+/g, ' ')
}
const read = async (path: string): Promise<string> => readable((await visitor.get(path)).text)

test('a thing stands above what will be sent, as the app told it, and its name beside its id', async () => {
  const id = await askFor(site.ctx, owner, { recipients: ['m_1'] })
  await told(id, seen(missed, anna))
  const text = await read(`/confirm/${id}`)
  expect(text).toMatch(/Member Anna <Maier> Email address anna@example\.test Dues 12\.50 EUR As Letters told it at/)
  expect(text.indexOf('Dues 12.50 EUR')).toBeLessThan(text.indexOf('What will be sent'))
  expect(text).toMatch(/What will be sent .* Anna <Maier> m_1 · as the app told it on/)
  for (const wrong of ['What its ids stand for', 'Not found where', 'sent as 1250', 'Currency'])
    expect(text).not.toContain(wrong)
  expect(await read('/waiting')).toContain('Write a letter: “Summer party” to “Anna <Maier>”')
  expect(await read(`/calls/${id}`)).toMatch(/What it was about Member Anna <Maier>/)
})

test.for([
  ['absent', 'Letters says that it has no such thing.'],
  ['not_found', 'Not found where Callgate looked in Letters'],
  ['blocked', 'Letters refuses Callgate for now'],
  ['reconnect', 'you are signed out of Letters. Sign in to Letters again'],
  ['failed', 'Letters did not answer as it should'],
] as const)('what could not be looked up says why: %s', async ([problem, words]) => {
  const id = await askFor(site.ctx, owner, { recipients: ['m_1'] })
  await told(id, { ...seen({ ...missed, problem }), omitted: 3 })
  const text = await read(`/confirm/${id}`)
  expect(text).toContain(words)
  expect(text).toContain('3 more things that this names were not looked up.')
  expect(text).toContain('Callgate can look it up in Letters')
  expect(text).toContain('Reject Write a letter')
})

test('markup, hidden characters and very long values of an app are only text', async () => {
  const hostile = `</dd><script>alert(1)</script>\u202Etxt`
  const long = 'word '.repeat(700)
  const rows = Array.from({ length: 40 }, (_, at) => ({ name: `Row ${at} <b>`, dues: 100, currency: 'EUR' }))
  const id = await askFor(site.ctx, owner, { recipients: ['m_1'] })
  await told(id, seen({ ...anna, values: { name: hostile, email: long, [hostile]: hostile, rows } }))
  for (const path of [`/confirm/${id}`, '/waiting', `/calls/${id}`]) {
    const page = (await visitor.get(path)).text
    expect(page).not.toContain('<script>alert')
    expect(page).not.toContain('\u202E')
    expect(page).toContain('U+202E')
    expect(page).toContain(long)
    expect(readable(page)).toContain('and 34 more')
    expect(readable(page)).toContain('Row 39 <b>')
  }
})

test('what is told by way of a thing stands under it', async () => {
  const id = await askFor(site.ctx, owner, { recipients: ['m_1'] })
  const by = { of: 'recipients → club.club_id', read: 'get_member', at: 'member', id: 'c_1', values: { name: 'Chess' } }
  await told(id, seen(by, anna))
  expect(await read(`/confirm/${id}`)).toMatch(/Member Anna <Maier> .* Dues 12\.50 EUR Club Chess As Letters/)
})

test('a call that is not rendered yet says so, carries no hash, and can be rejected', async () => {
  const id = await askFor(site.ctx, owner)
  await site.ctx.db.query(`UPDATE calls SET request = NULL, prepare_at = now(), prepare_tries = 1 WHERE id = $1`, [id])
  const { text } = await visitor.get(`/confirm/${id}`)
  expect(text).toContain('Callgate is still asking Letters what is needed to show exactly what will be sent')
  expect(text).toContain('No useful answer from Letters yet; next try at')
  expect(text).toContain('http-equiv="refresh"')
  for (const wrong of ['approval_hash', 'value="approve"', 'Change it first']) expect(text).not.toContain(wrong)
  const list = (await visitor.get('/waiting')).text
  expect(list).toContain('It cannot be approved yet: Callgate is still asking Letters')
  expect(list).not.toContain('type="checkbox" name="call"')

  await site.ctx.db.query(`UPDATE calls SET waiting_for = 'reconnect', prepare_at = NULL WHERE id = $1`, [id])
  const wants = (await visitor.get(`/confirm/${id}`)).text
  expect(wants).toContain('You are signed out of Letters')
  expect(wants).toContain(`href="/connect/letters?account=${owner.account}&amp;call=${id}"`)
  expect(await read('/waiting')).toContain('you are signed out of Letters. Sign in to Letters again')

  const csrf = hidden(wants, 'csrf')
  expect((await visitor.post(`/confirm/${id}`, { csrf, decision: 'approve' })).status).toBe(409)
  expect(await statusOf(site.ctx, id)).toBe('awaiting_confirmation')
  expect((await visitor.post(`/confirm/${id}`, { csrf, decision: 'reject' })).status).toBe(303)
  expect(await statusOf(site.ctx, id)).toBe('rejected')
})

test('what is shown cannot be opened: nobody decides about it', async () => {
  const id = await askFor(site.ctx, owner, { recipients: ['m_1'] })
  await told(id, seen(anna))
  await site.ctx.db.query(`UPDATE calls SET preview = '\\x00' WHERE id = $1`, [id])
  const page = await visitor.get(`/confirm/${id}`)
  expect([page.status, page.text]).toEqual([409, expect.stringContaining('It cannot be approved')])
  expect((await visitor.get('/waiting')).text).not.toContain('type="checkbox" name="call"')
})

test('a call that is asked again says first what has changed, from what to what', async () => {
  const id = await askFor(site.ctx, owner, { recipients: ['m_1', 'm_2'] })
  const paul = { ...anna, id: 'm_2', values: { ...anna.values, name: 'Paul' } }
  await told(id, seen(anna, paul))
  await site.ctx.db.query(
    `INSERT INTO rounds (call_id, round, decided_by, decided_at, request, preview)
     SELECT id, 1, owner, '2026-11-22T10:00:00Z', request, preview FROM calls WHERE id = $1`,
    [id],
  )
  await told(
    id,
    seen(
      { ...anna, values: { ...anna.values, dues: 99900 } },
      { of: 'recipients', read: 'get_member', at: 'member', id: 'm_2', problem: 'absent' },
    ),
    ', round = 2',
  )
  const text = await read(`/confirm/${id}`)
  expect(text).toContain(
    'You approved this on 22 Nov 2026, 10:00 UTC ; since then it has changed in Letters. Nothing was sent. This is time 2 of at most 3',
  )
  expect(text).toMatch(/Member Anna <Maier> Dues When you approved 12\.50 EUR Now 999\.00 EUR/)
  expect(text).toContain('Member Paul It is not there any more.')
  expect(text.indexOf('You approved this on')).toBeLessThan(text.indexOf('Requested with'))
  const list = await read('/waiting')
  expect(list).toContain('asked again, time 2')
  expect(list).toContain('When you approved 12.50 EUR Now 999.00 EUR')
})

test('of what has changed, that comes first which made Callgate ask again', () => {
  const write = letters.endpoints.get('write_letter')
  if (write === undefined) throw new Error('no such endpoint')
  const line = { of: 'recipients', read: 'get_member', by: 'member_id', at: 'member', shows: ['name', 'email', 'dues'] }
  const endpoint = { ...write, preview: [{ ...line, matters: ['dues'] }] }
  const now = { ...anna, values: { name: 'Anna Berg', email: 'anna@example.test', dues: 1, currency: 'EUR' } }
  const changes = changesSince({ app: letters, endpoint }, seen(anna), seen(now))
  expect(changes.map(({ fields }) => fields.map(({ after }) => after.path))).toEqual([['dues', 'name']])
  expect(changesSince({ app: letters, endpoint }, seen(anna), seen(anna))).toEqual([])
})

test('what was told when it was approved is still told afterwards', async () => {
  const id = await askFor(site.ctx, owner, { recipients: ['m_1'] })
  await told(id, seen(anna))
  const { text } = await visitor.get(`/confirm/${id}`)
  const form = { csrf: hidden(text, 'csrf'), approval_hash: hidden(text, 'approval_hash'), decision: 'approve' }
  expect((await visitor.post(`/confirm/${id}`, form)).status).toBe(303)
  for (const path of [`/confirm/${id}`, `/calls/${id}`]) expect(await read(path)).toContain('Dues 12.50 EUR')
})
