import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createWebSession, findWebSession, listWebSessions, pruneWebSessions } from '../../core/users/web-sessions.ts'
import { browserWords } from '../../web/account/browser-words.ts'
import { makeOwner, startTestSite } from './site.ts'
import type { Owner, TestSite } from './site.ts'
import { Visitor, visitorOf } from './visitor.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const from = { network: '192.0.2.7', browser: firefox }
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Mobile/15E1 Safari/604.1'

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

const sessions = () => listWebSessions(site.ctx.db, owner.id)
const works = async (who: Visitor) => (await who.get('/account')).status === 200
const unusedFor = (days: string) =>
  site.ctx.db.query(`UPDATE web_sessions SET seen_at = now() - $2::interval WHERE owner = $1`, [owner.id, days])

test('the account page lists each browser with its address and marks the one that looks', async () => {
  await createWebSession(site.ctx, owner.id, from)
  const { text } = await visitor.get('/account')
  expect(text).toContain('Firefox on Linux')
  expect(text).toContain('192.0.2.7')
  expect(text.match(/· this browser/g)).toHaveLength(1)
  expect(text.match(/value="sign-out-one"/g)).toHaveLength(1)
})

test('one browser is signed out, the others go on; a second time there is none', async () => {
  const [lost, kept] = [await visitorOf(site, owner), await visitorOf(site, owner)]
  const csrf = await visitor.csrf('/account')
  const [own] = (await visitor.get('/account')).text.match(/(?<=name="session" value=")[^"]+/g) ?? []
  const all = await sessions()
  const ended = all.find(({ id }) => id === own)?.id ?? ''
  const end = (session: string) => visitor.post('/account', { action: 'sign-out-one', session, csrf })
  const answer = await end(ended)
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/account?said=signed-out'])
  expect([await works(lost), await works(kept)].filter(Boolean)).toHaveLength(1)
  expect(await works(visitor)).toBe(true)
  expect((await end(ended)).headers.get('location')).toBe('/account?said=was-signed-out')
  expect((await end('none')).status).toBe(422)
  expect((await visitor.get('/account')).text).toContain('Signed out other browsers')
})

test('nobody signs out another person', async () => {
  const stranger = await visitorOf(site, await makeOwner(site.ctx))
  const csrf = await stranger.csrf('/account')
  for (const { id } of await sessions())
    expect(
      (await stranger.post('/account', { action: 'sign-out-one', session: id, csrf })).headers.get('location'),
    ).toBe('/account?said=was-signed-out')
  await stranger.post('/account', { action: 'sign-out-others', csrf })
  expect(await works(visitor)).toBe(true)
})

test('all others are signed out, also by another password', async () => {
  const other = await visitorOf(site, owner)
  const csrf = await visitor.csrf('/account')
  expect((await visitor.post('/account', { action: 'sign-out-others', csrf })).status).toBe(303)
  expect([await works(other), await works(visitor)]).toEqual([false, true])

  const again = await visitorOf(site, owner)
  const next = 'quite another long one'
  const form = { action: 'password', current: owner.password, new: next, again: next, csrf }
  expect((await visitor.post('/account', form)).status).toBe(303)
  expect([await works(again), await works(visitor)]).toEqual([false, true])
})

test.each([
  ['6 days 23 hours', true],
  ['7 days 1 second', false],
])('unused for %s, a session works: %s', async (days, lives) => {
  await unusedFor(days)
  expect((await sessions()).length).toBe(lives ? 1 : 0)
  expect(await works(visitor)).toBe(lives)
  await unusedFor(days)
  await pruneWebSessions(site.ctx.db)
  const { rowCount } = await site.ctx.db.query('SELECT FROM web_sessions WHERE owner = $1', [owner.id])
  expect(rowCount).toBe(lives ? 1 : 0)
})

test('use does not outlast the 30 days', async () => {
  await site.ctx.db.query(`UPDATE web_sessions SET expires_at = now() - interval '1 second' WHERE owner = $1`, [
    owner.id,
  ])
  expect(await works(visitor)).toBe(false)
})

test('a use is noted once in five minutes, and a stream that stays open is none', async () => {
  await unusedFor('4 minutes')
  const [before] = await sessions()
  await visitor.get('/account')
  expect((await sessions())[0]).toEqual(before)
  await unusedFor('6 minutes')
  const [stale] = await sessions()
  await findWebSession(site.ctx, visitor.cookies.get('callgate') ?? '', { used: false })
  expect((await sessions())[0]).toEqual(stale)
  await Promise.all([1, 2, 3].map(() => visitor.get('/account')))
  expect((await sessions())[0]?.seen_at.getTime()).toBeGreaterThan((stale?.seen_at.getTime() ?? 0) + 300_000)
})

test('of many that sign in at once 30 stay, and the one not used for longest goes', async () => {
  await unusedFor('1 day')
  await Promise.all(Array.from({ length: 34 }, () => createWebSession(site.ctx, owner.id, from)))
  expect(await sessions()).toHaveLength(30)
  expect(await works(visitor)).toBe(false)
})

test.each([
  [phone, 'Safari on iPhone'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0',
    'Edge on Windows',
  ],
  ['Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36', 'Chrome on Android'],
  [firefox, 'Firefox on Linux'],
  ['<b>your bank</b>', 'A browser'],
  ['', 'A browser'],
])('of %j is said: %s', (header, words) => {
  expect(browserWords(header)).toBe(words)
})

test('a sign-in with the password that is changed in that moment begins nothing', async () => {
  const change = await site.ctx.db.connect()
  try {
    await change.query('BEGIN')
    await change.query(`UPDATE users SET password_hash = 'another' WHERE id = $1`, [owner.id])
    const visitor = new Visitor(site)
    const late = visitor.signIn(owner)
    await expect
      .poll(async () => {
        const { rows } = await site.ctx.db.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        )
        return rows.length
      })
      .toBeGreaterThan(0)
    await change.query('DELETE FROM web_sessions WHERE owner = $1', [owner.id])
    await change.query('COMMIT')
    const { status, text } = await late
    expect([status, text]).toEqual([422, expect.stringContaining('changed in this moment')])
    expect([await works(visitor), await sessions()]).toEqual([false, []])
  } finally {
    change.release()
  }
})
