import { renderToString } from 'preact-render-to-string'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findCall } from '../../core/calls/rows.ts'
import { sealPayload } from '../../core/calls/payload.ts'
import { Fields } from '../../web/parts/value.tsx'
import { storedError } from '../../schemas/errors.ts'
import { hidden } from '../../scripts/browsing.ts'
import { askFor, makeOwner, startTestSite, statusOf } from './site.ts'
import type { Owner, TestSite } from './site.ts'
import { Visitor, visitorOf } from './visitor.ts'

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

/** A page as its reader has it. */
async function read(path: string, who = visitor): Promise<string> {
  return (await who.get(path)).text
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('&lt;', '<')
}

let asked = 0
/** A call that has ended, with what the app answered or why it failed. */
async function ended(set: string, content: { output?: unknown; error?: unknown }, who = owner): Promise<string> {
  const id = await askFor(site.ctx, who, { subject: `Ended ${++asked}` })
  const row = await findCall(site.ctx.db, who.id, id)
  if (row === undefined) throw new Error('no call')
  const place = { callId: id, owner: who.id, account: row.account, dataKey: row.data_key }
  const sealed = (column: 'output' | 'error') =>
    content[column] === undefined ? null : sealPayload(site.ctx.secrets, place, column, content[column])
  await site.ctx.db.query(
    `UPDATE calls SET ${set}, decision = 'approved', decided_by = owner, decided_at = now(), output = $2, error = $3 WHERE id = $1`,
    [id, sealed('output'), sealed('error')],
  )
  return id
}

const members = {
  members: [
    { member_id: 'm_1', name: 'Anna <Maier>', email: 'anna@example.test', phone: null },
    { member_id: 'm_10', name: 'Somebody else' },
    { letter_id: 'm_2', title: 'No member' },
  ],
}

describe('an id', () => {
  test('is told with what the app said it stands for, wherever the call is read', async () => {
    await ended(`status = 'executed'`, { output: members })
    const id = await askFor(site.ctx, owner, { recipients: ['m_1', 'm_2'] })
    for (const path of [`/confirm/${id}`, '/waiting', `/calls/${id}`]) {
      const text = await read(path)
      expect(text).toContain('Anna <Maier> · email: anna@example.test')
      expect(text).toContain('as the app told it')
      // Of another kind, or another's.
      for (const other of ['No member', 'Somebody else']) expect(text).not.toContain(other)
    }
  })

  test('is told by the newest answer, and by none of another owner, of a failed call, or that cannot be opened', async () => {
    await ended(`status = 'executed'`, { output: members })
    await ended(`status = 'executed'`, { output: { member: { member_id: 'm_1', name: 'Anna Berg' } } })
    const broken = await ended(`status = 'executed'`, { output: { member: { member_id: 'm_1', name: 'Broken' } } })
    await site.ctx.db.query(`UPDATE calls SET output = input WHERE id = $1`, [broken])
    await ended(`status = 'failed'`, { output: { member_id: 'm_1', name: 'Failed' } })
    const id = await askFor(site.ctx, owner, { recipients: ['m_1'] })
    const text = await read(`/confirm/${id}`)
    expect(text).toContain('Anna Berg')
    for (const wrong of ['Maier', 'Broken', 'Failed']) expect(text).not.toContain(wrong)
    const other = await makeOwner(site.ctx)
    const theirs = await askFor(site.ctx, other, { recipients: ['m_1'] })
    expect(await read(`/confirm/${theirs}`, await visitorOf(site, other))).not.toContain('as the app told it')
  })
})

describe('a moment', () => {
  test('is told with its weekday, as the clock shows it there, and in the zone of the reader', async () => {
    const id = await askFor(site.ctx, owner, { send_at: '2026-12-01T09:30:00+01:00' })
    const text = await read(`/confirm/${id}`)
    expect(text).toContain(
      'Tue, 1 Dec 2026, 09:30 (UTC+01:00)for you 1 Dec 2026, 08:30 UTC; sent as 2026-12-01T09:30:00+01:00',
    )
  })

  test('that is none stays as it is', async () => {
    const id = await askFor(site.ctx, owner, { subject: '2026-13-41T09:30:00+01:00' })
    expect(await read(`/confirm/${id}`)).not.toContain('sent as')
  })
})

test('a long number is told in groups as well', async () => {
  const id = await askFor(site.ctx, owner, { options: { price: 1250000.5 } })
  expect(await read(`/confirm/${id}`)).toContain('1250000.5 (1,250,000.5)')
})

describe('a list of calls', () => {
  test('tells what each is about, and what the app said when it refused', async () => {
    await askFor(site.ctx, owner, { subject: 'Summer party', send_at: '2026-12-01T09:30:00+01:00' })
    await ended(`status = 'failed', error_code = 'app_rejected'`, {
      error: storedError('app_rejected', undefined, { app_message: 'The hall is taken.' }),
    })
    for (const path of ['/', '/calls']) {
      const text = await read(path)
      expect(text).toContain('Write letter')
      expect(text).toContain('Summer party')
      expect(text).toContain('The app says: The hall is taken.')
    }
  })

  test('shows what can be shown when the content of one is gone or cannot be opened', async () => {
    await askFor(site.ctx, owner, { subject: 'Still here' })
    const gone = await askFor(site.ctx, owner, { subject: 'Gone' })
    const broken = await askFor(site.ctx, owner, { subject: 'Broken' })
    await site.ctx.db.query('UPDATE calls SET input = NULL WHERE id = $1', [gone])
    await site.ctx.db.query(`UPDATE calls SET input = '\\x00' WHERE id = $1`, [broken])
    const { status, text } = await visitor.get('/calls')
    expect(status).toBe(200)
    for (const shown of ['Still here', gone, broken]) expect(text).toContain(shown)
  })

  test('goes back to a day, and says so when nothing is found', async () => {
    const id = await askFor(site.ctx, owner, { subject: 'Today' })
    const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
    expect((await visitor.get(`/calls?until=${day(0)}`)).text).toContain(id)
    const before = await visitor.get(`/calls?until=${day(1)}`)
    expect(before.text).not.toContain(id)
    expect(before.text).toContain(`value="${day(1)}"`)
    expect(before.text).toContain('Show all calls')
    for (const wrong of ['2026-02-30', 'yesterday', '%00', '0001-01-01', '9999-12-31'])
      expect((await visitor.get(`/calls?until=${wrong}`)).status).toBe(200)
    expect((await visitor.get('/calls?until=2026-02-30')).text).toContain(id)
  })

  test('tells changes from look-ups', async () => {
    const write = await askFor(site.ctx, owner, { subject: 'A change' })
    const look = await ended(`status = 'executed', access = 'read'`, { output: {} })
    const found = async (access: string) => {
      const { text } = await visitor.get(`/calls?access=${access}`)
      return [text.includes(write), text.includes(look)]
    }
    expect(await found('write')).toEqual([true, false])
    expect(await found('read')).toEqual([false, true])
    expect(await found('other')).toEqual([true, true])
    expect((await visitor.get('/calls?access=read&status=failed')).text).toContain('Show all calls')
    const home = await read('/')
    expect(home.indexOf('Nothing was changed so far.')).toBeLessThan(home.indexOf('Looked up last'))
  })

  test('the page of one whose answer cannot be opened shows the rest', async () => {
    const id = await ended(`status = 'executed'`, { output: { letter_id: 'l_1' } })
    await site.ctx.db.query(`UPDATE calls SET output = input WHERE id = $1`, [id])
    for (const path of [`/calls/${id}`, `/confirm/${id}`]) {
      const { status, text } = await visitor.get(path)
      expect(status).toBe(200)
      for (const words of ['Come all!', 'what it cannot open is left out']) expect(text).toContain(words)
    }
  })

  test('tells of one that was not certain what its owner found', async () => {
    await ended(`status = 'unknown'`, {})
    expect(await read('/calls')).toMatch(/Write letter ?not certain/)
    await site.ctx.db.query(
      `UPDATE calls SET resolution = '{"happened": true, "by": "owner", "at": "2026-12-01T00:00:00Z"}' WHERE owner = $1`,
      [owner.id],
    )
    expect(await read('/calls')).toMatch(/Write letter ?it happened/)
  })
})

test('a failure is told to its owner in words for people, not in those for agents', async () => {
  const id = await ended(`status = 'failed', error_code = 'AUTH_EXPIRED'`, { error: storedError('AUTH_EXPIRED') })
  for (const path of ['/calls', `/calls/${id}`, `/confirm/${id}`]) {
    const text = await read(path)
    expect(text).toContain('The app had signed you out.')
    expect(text).not.toContain('Give connect_url to the person')
  }
})

test('an amount with its currency is read as one', () => {
  const html = renderToString(Fields({ value: { total: { amount: 125.02, currency: 'EUR' } }, schema: undefined }))
  expect(html).toContain('125.02 EUR')
  const more = { amount: 1, currency: 'EUR', note: 'and more' }
  expect(renderToString(Fields({ value: { total: more }, schema: undefined }))).toContain('and more')
})

test('a long list is shown in full, in a box that the keyboard reaches', () => {
  const shown = (count: number): string => {
    const guests = Array.from({ length: count }, (_, n) => `Guest ${n + 1}`)
    return renderToString(Fields({ value: { guests }, schema: undefined }))
  }
  const long = shown(500)
  expect(long).toContain('500 recipients')
  expect(long).toContain('Guest 500<')
  expect(long).toMatch(/tabindex="0" role="region" aria-label="All 500"/)
  expect(shown(30)).not.toContain('role="region"')
})

test('cents are told in the whole unit as well', () => {
  const schema = { properties: { price: { type: 'integer', description: 'The price in US cents.' } } }
  expect(renderToString(Fields({ value: { price: 1999 }, schema }))).toContain('(19.99 US dollars)')
})

describe('a flood', () => {
  test('is rejected at once, with what is shown and nothing else', async () => {
    const ids: string[] = []
    for (let n = 0; n < 22; n++) ids.push(await askFor(site.ctx, owner, { subject: `Flood ${n}` }))
    const { text } = await visitor.get('/waiting')
    // What ends first is in reach, though the flood came later.
    expect(/href="\/confirm\/(\w+)"[^>]*><time/.exec(text)?.[1]).toBe(ids[0])
    expect(text).toContain('href="/calls?status=awaiting_confirmation"')
    const form = /<form[^>]*aria-label="Reject all that are shown">(.*?)<\/form>/s.exec(text)?.[1] ?? ''
    expect(form.replaceAll(/<[^>]*>/g, '')).toContain('Club assistant (20 calls)')
    expect(form).not.toContain('value="approve"')
    const calls = [...form.matchAll(/name="call" value="([^"]+)"/g)].map(([, value]) => value ?? '')
    const body = new URLSearchParams([
      ['csrf', hidden(form, 'csrf')],
      ['decision', 'reject'],
      ...calls.map((call) => ['call', call]),
    ])
    const answer = await fetch(`${site.url}/waiting`, {
      method: 'POST',
      redirect: 'manual',
      body,
      headers: { cookie: visitor.cookies.header },
    })
    expect(answer.headers.get('location')).toBe('/waiting?decided=20&stale=0')
    const statuses = await Promise.all(ids.map((id) => statusOf(site.ctx, id)))
    expect(statuses.filter((status) => status === 'rejected')).toHaveLength(20)
    expect(statuses.slice(0, 2)).toEqual(['awaiting_confirmation', 'awaiting_confirmation'])
  })

  test('of calls that cannot be sent any more is rejected as well, though none can be ticked', async () => {
    for (let n = 0; n < 3; n++) await askFor(site.ctx, owner, { subject: `Stale ${n}` })
    await site.ctx.db.query(`UPDATE calls SET definition_version = 'old' WHERE owner = $1`, [owner.id])
    const { text } = await visitor.get('/waiting')
    expect(text).not.toContain('type="checkbox"')
    expect(text).not.toContain('value="approve"')
    expect(text).toContain('Reject 3 calls now')
    const [, call = ''] = /name="call" value="([^"]+)"/.exec(text) ?? []
    const answer = await visitor.post('/waiting', { csrf: hidden(text, 'csrf'), decision: 'reject', call })
    expect(answer.headers.get('location')).toBe('/waiting?decided=1&stale=0')
  })

  test('is not offered where a few wait', async () => {
    await askFor(site.ctx, owner)
    expect((await visitor.get('/waiting')).text).not.toContain('Reject all')
  })
})

test('after a decision the page leads on to what else waits', async () => {
  const id = await askFor(site.ctx, owner, { subject: 'First' })
  const page = (await visitor.get(`/confirm/${id}`)).text
  const form = { csrf: hidden(page, 'csrf'), approval_hash: hidden(page, 'approval_hash') }
  await visitor.post(`/confirm/${id}`, { ...form, decision: 'reject' })
  expect(await read(`/confirm/${id}`)).not.toContain('more call')
  await askFor(site.ctx, owner, { subject: 'Second' })
  expect(await read(`/confirm/${id}`)).toContain('1 more call waits for you')
})

test.for([
  ['AUTH_EXPIRED', '/connect/letters?account='],
  ['AUTH_REQUIRED', '/connect/letters'],
  ['insufficient_credits', '/credits'],
  ['api_key_invalid', '/keys'],
  ['SCOPE_DENIED', '/apps/letters'],
] as const)('a call that failed with %s leads to where its owner can do something: %s', async ([code, page]) => {
  const id = await ended(`status = 'failed', error_code = '${code}'`, { error: storedError(code) })
  const { text } = await visitor.get(`/calls/${id}`)
  expect(/<a href="([^"]*)">[^<]*<\/a>, then let your agent ask again/.exec(text)?.[1]).toMatch(
    new RegExp(`^${page.replace('?', '\\?')}`),
  )
})

test('the page of an app tells what its operator has paused', async () => {
  expect(await read('/apps/letters')).not.toContain('has paused')
  await site.ctx.db.query(
    `INSERT INTO endpoint_controls (app, endpoint, paused) VALUES ('letters', 'write_letter', true)`,
  )
  expect(await read('/apps/letters')).toContain('has paused Write letter for a while')
  await site.ctx.db.query(`INSERT INTO app_controls (app, paused) VALUES ('letters', true)`)
  expect(await read('/apps/letters')).toContain('has paused this app for a while')
  await site.ctx.db.query('DELETE FROM app_controls')
  await site.ctx.db.query('DELETE FROM endpoint_controls')
})

test('the overview counts all that wait, and lists them once', async () => {
  const ids: string[] = []
  for (let n = 0; n < 7; n++) ids.push(await askFor(site.ctx, owner, { subject: `Waits ${n}` }))
  const done = await ended(`status = 'executed'`, { output: {} })
  const { text } = await visitor.get('/')
  expect(await read('/')).toContain('7 calls wait for your approval')
  expect(text.split(`/calls/${ids[6]}"`)).toHaveLength(2)
  expect(text).not.toContain(ids[0])
  expect(text).toContain(done)
})

test('an account that needs its owner is told on the overview, with the app’s name', async () => {
  await site.ctx.db.query(`UPDATE accounts SET state = 'expired', reason = 'AUTH_EXPIRED' WHERE owner = $1`, [owner.id])
  expect(await read('/')).toMatch(/Sign in again ?secretary@club.example ?Letters/)
})

test('a log entry that names its key does without the id', async () => {
  await visitor.post('/keys', { csrf: await visitor.csrf('/keys'), name: 'For the till', days: '30', all: 'yes' })
  const text = await read('/account')
  expect(text).toContain('Made a key days: 30, name: For the till')
  expect(text).not.toContain('key_')
})

test('whoever cannot sign in is told whom to ask', async () => {
  expect(await read('/login', new Visitor(site))).toContain('Ask whoever runs this Callgate.')
})

test('who is not signed in finds the sign-in on every page that anyone may read', async () => {
  const anyone = new Visitor(site)
  for (const page of ['/docs', '/docs/letters', '/nowhere'])
    expect((await anyone.get(page)).text).toContain('<a href="/login">Sign in</a>')
  expect((await anyone.get('/login')).status).toBe(200)
})
