import { renderToString } from 'preact-render-to-string'
import { Type } from 'typebox'
import type { TSchema } from 'typebox'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findCall } from '../../core/calls/rows.ts'
import { sealPayload } from '../../core/calls/payload.ts'
import { setConfirm } from '../../core/accounts/settings.ts'
import { audit } from '../../core/audit.ts'
import { connect } from '../../core/accounts/sessions.ts'
import { labelled, money, recipients } from '../../connectors/kit/declared.ts'
import { id, oneOf } from '../../connectors/kit/inputs.ts'
import type { Money } from '../../connectors/kit/declared.ts'
import { inOneLine } from '../../web/parts/in-short.ts'
import { inWords } from '../../web/parts/time.tsx'
import { placeIn } from '../../web/parts/things.ts'
import { Fields } from '../../web/parts/value.tsx'
import { storedError } from '../../schemas/errors.ts'
import { hidden } from '../../scripts/browsing.ts'
import { lengths } from './lengths.ts'
import { letters } from './letters.ts'
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
  await end(id, set, content, who)
  return id
}

async function end(id: string, set: string, content: { output?: unknown; error?: unknown }, who: Owner): Promise<void> {
  await site.ctx.db.query(
    `UPDATE calls SET ${set}, decision = 'approved', decided_by = owner, decided_at = now() WHERE id = $1`,
    [id],
  )
  const row = await findCall(site.ctx.db, who.id, id)
  if (row === undefined) throw new Error('no call')
  const place = { callId: id, owner: who.id, account: row.account, dataKey: row.data_key }
  const sealed = (column: 'output' | 'error') =>
    content[column] === undefined ? null : sealPayload(site.ctx.secrets, place, column, content[column])
  await site.ctx.db.query(`UPDATE calls SET output = $2, error = $3 WHERE id = $1`, [
    id,
    sealed('output'),
    sealed('error'),
  ])
}

const anna = { member_id: 'm_1', name: 'Anna <Maier>', email: 'anna@example.test', dues: 1250, currency: 'EUR' }
const list = `status = 'executed', access = 'read', endpoint = 'list_members'`
const single = `status = 'executed', access = 'read', endpoint = 'get_member'`
const members = {
  members: [anna, { ...anna, member_id: 'm_10', name: 'Somebody else' }, { letter_id: 'm_2', name: 'No member' }],
}
const one = (name: string | null) => ({ member: { ...anna, name } })

describe('an id', () => {
  test('is told with what a list of the app says that it stands for, wherever the call is read', async () => {
    await ended(list, { output: members })
    await ended(`status = 'executed', access = 'read', endpoint = 'list_letters'`, {
      output: { letters: [{ letter_id: 'm_2', title: 'A letter' }] },
    })
    const id = await askFor(site.ctx, owner, { recipients: ['m_1', 'm_2'] })
    for (const path of [`/confirm/${id}`, '/waiting', `/calls/${id}`]) {
      const text = await read(path)
      expect(text).toContain('Anna <Maier> · Email address: anna@example.test · Dues: 12.50 EUR')
      expect(text).toContain('m_1 · as the app told it on')
      // Of another kind, or another's.
      for (const other of ['No member', 'A letter', 'Somebody else']) expect(text).not.toContain(other)
    }
    for (const path of ['/waiting', '/calls', '/'])
      expect(await read(path)).toMatch(/Summer party(” to “Anna <Maier>” and 1 more| · Recipients: Anna <Maier>, m_2)/)
  })

  test('is told by the newest answer that names it', async () => {
    await ended(single, { output: one('Anna Maier') })
    await ended(single, { output: one('Anna Berg') })
    await ended(single, { output: one(null) })
    const id = await askFor(site.ctx, owner, { recipients: ['m_1'] })
    const text = await read(`/confirm/${id}`)
    expect(text).toContain('Anna Berg')
    expect(text).not.toContain('Maier')
  })

  const elsewhere = ['Not told there', 'A write', 'Failed', 'Broken', 'Of another account']
  test('is told by nothing else: no other place, no write, no failure, no other account, no other owner', async () => {
    await ended(list, { output: { ...one('Not told there'), others: members.members } })
    await ended(`status = 'executed', endpoint = 'get_member'`, { output: one('A write') })
    await ended(single.replace('executed', 'failed'), { output: one('Failed') })
    const broken = await ended(single, { output: one('Broken') })
    await site.ctx.db.query(`UPDATE calls SET output = input WHERE id = $1`, [broken])
    const other = await askFor(site.ctx, owner, { subject: 'To be of another account' })
    const id = await askFor(site.ctx, owner, { recipients: ['m_1'] })
    const session = { cookies: [], user_agent: null }
    const account = { owner: owner.id, app: 'letters', externalId: 'second', label: 'second@club.example', session }
    const second = await connect(site.ctx, account)
    await end(other, `${single}, account = '${second}'`, { output: one('Of another account') }, owner)
    const text = await read(`/confirm/${id}`)
    expect(text).not.toContain('as the app told it')
    for (const wrong of elsewhere) expect(text).not.toContain(wrong)

    await ended(single, { output: one('Of another owner') }, await makeOwner(site.ctx))
    expect(await read(`/confirm/${id}`)).not.toContain('as the app told it')
  })
})

test('a day is told with its name, also where there may be none', () => {
  const day = labelled('Due', Type.Union([Type.String({ format: 'date' }), Type.Null()]))
  expect(shown({ day: '2026-12-01' }, { day }).trim()).toBe('Due Tuesday, 1 December 2026 sent as 2026-12-01')
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
  const id = await askFor(site.ctx, owner, { options: { copies: 1250000.5 } })
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
      expect(text).toContain('Write a letter')
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
    for (let n = 0; n < 11; n++) await ended(`status = 'executed', access = 'read'`, { output: {} })
    const { text } = await visitor.get('/')
    expect(text).toContain('Only looked up, nothing changed')
    expect(
      text.match(
        /<li><div class="row"><a href="\/calls\/[^>]*>Write a letter<\/a><span class="tag good"><span class="icon icon-check-circle" aria-hidden="true"><\/span>done/g,
      ),
    ).toHaveLength(10)
    expect(await read('/')).toContain('13 calls in the last 7 days: 12 done, 0 failed, 0 uncertain.')
    expect(await read('/')).toContain('Your account is connected.')
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
    expect(await read('/calls')).toMatch(/Write a letter ?uncertain/)
    await site.ctx.db.query(
      `UPDATE calls SET resolution = '{"happened": true, "by": "owner", "at": "2026-12-01T00:00:00Z"}' WHERE owner = $1`,
      [owner.id],
    )
    expect(await read('/calls')).toMatch(/Write a letter ?it happened/)
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

/** Fields as their reader has them. */
function shown(value: object, schema: Record<string, TSchema>): string {
  return renderToString(Fields({ value, schema: { ...Type.Object(schema) } }))
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
}

const amounts: readonly (readonly [string, Money, Readonly<Record<string, unknown>>, string])[] = [
  ['whole units', { unit: 'major', currency: 'USD' }, { price: 1250 }, 'Price 1,250.00 USD'],
  ['a decimal text', { unit: 'major', currency: 'USD' }, { price: '1250.5' }, 'Price 1,250.50 USD'],
  ['more decimals than the currency has', { unit: 'major', currency: 'USD' }, { price: 0.12345 }, 'Price 0.12345 USD'],
  ['the smallest part', { unit: 'minor', currency: 'EUR' }, { price: 125000 }, 'Price 1,250.00 EUR sent as 125000'],
  ['less than one', { unit: 'minor', currency: 'EUR' }, { price: -5 }, 'Price -0.05 EUR sent as -5'],
  ['a currency without parts', { unit: 'minor', currency: 'JPY' }, { price: 1250 }, 'Price 1,250 JPY'],
  [
    'a currency of a thousand parts',
    { unit: 'minor', currency: 'KWD' },
    { price: 1250 },
    'Price 1.250 KWD sent as 1250',
  ],
  [
    'the currency beside it',
    { unit: 'minor', currency: { field: 'currency' } },
    { price: 1999, currency: 'gbp' },
    'Price 19.99 GBP sent as 1999 Currency gbp',
  ],
  [
    'a currency that is left out',
    { unit: 'minor', currency: { field: 'currency' } },
    { price: 1999 },
    'Price 1,999 in the smallest part of a currency that is not said here',
  ],
  [
    'a currency that there is not',
    { unit: 'major', currency: { field: 'currency' } },
    { price: 1999, currency: '<b>' },
    'Price 1,999 in a currency that is not said here Currency &lt;b>',
  ],
  [
    'the account’s own currency',
    { unit: 'major', currency: null },
    { price: 12.5 },
    'Price 12.5 in the account’s own currency',
  ],
  ['no number', { unit: 'minor', currency: 'USD' }, { price: 'about 5' }, 'Price about 5'],
  ['nothing', { unit: 'minor', currency: 'USD' }, { price: null }, 'Price nothing (null)'],
]

test.for(amounts)('an amount is told as people write it: %s', ([, of, value, words]) => {
  const price = labelled('Price', money(of, Type.Union([Type.Number(), Type.Null()], { description: 'In US cents.' })))
  expect(shown(value, { price, currency: labelled('Currency', Type.String()) }).trim()).toBe(words)
})

test('only what is declared as money is told as money', () => {
  const price = Type.Integer({ description: 'The price in US cents.' })
  expect(shown({ price: 1999 }, { price })).toContain('price 1999 The price in US cents.')
})

test('an amount with its currency is read as one', () => {
  const sum = {
    amount: money({ unit: 'major', currency: { field: 'currency' } }, Type.Number()),
    currency: Type.String(),
  }
  const total = labelled('Total', Type.Union([Type.Object({ ...sum }), Type.Object({ ...sum, note: Type.String() })]))
  expect(shown({ total: { amount: 125.02, currency: 'EUR' } }, { total }).trim()).toBe('Total 125.02 EUR')
  expect(shown({ total: { amount: 1, currency: 'EUR', note: 'and more' } }, { total })).toContain('and more')
})

test('a long list is shown in full, in a box that the keyboard reaches', () => {
  const schema = {
    ...Type.Object({ guests: recipients(Type.Array(Type.String())), labels: Type.Array(Type.String()) }),
  }
  const long = (count: number): string => {
    const guests = Array.from({ length: count }, (_, n) => `Guest ${n + 1}`)
    return renderToString(Fields({ value: { guests, labels: ['a', 'b'] }, schema }))
  }
  const all = long(500)
  for (const words of ['500 recipients', '2 entries', 'Guest 500<']) expect(all).toContain(words)
  expect(all).toMatch(/tabindex="0" role="region" aria-label="All 500"/)
  expect(long(30)).not.toContain('role="region"')
})

const write = letters.endpoints.get('write_letter')
const known = new Map([[placeIn('member', 'm_1'), { name: 'Anna', facts: [], at: new Date() }]])
const lines: readonly (readonly [string, Readonly<Record<string, unknown>>, string | undefined])[] = [
  [
    'a text as it is, and ids as what they stand for',
    { subject: 'Party', recipients: ['m_1'], body: 'No' },
    'Party · Anna',
  ],
  ['ids of which nothing is known', { recipients: ['m_1', 'm_2'] }, 'Recipients: Anna, m_2'],
  ['the first of many', { recipients: ['m_1', 'm_1', 'm_1', 'm_1', 'm_1'] }, 'Anna, Anna, Anna and 2 more'],
  ['a moment', { send_at: '2026-12-01T09:30:00Z' }, 'Goes out: Tue, 1 Dec 2026, 09:30 (UTC)'],
  [
    'amounts, numbers and choices',
    { options: { price: 1250, copies: 20000, urgent: true } },
    'Options: Postage: 12.50 EUR, Copies: 20,000, Urgent: yes',
  ],
  ['a list of things', { options: { attachments: [{ name: 'a.pdf', pages: 1 }] } }, 'Options: Attachments: 1 entry'],
  ['no line breaks', { subject: 'One\r\n\ttwo' }, 'One two'],
  ['a long text in part', { subject: 'x'.repeat(100) }, `${'x'.repeat(59)}…`],
  ['nothing of what is not said', { subject: ' ', recipients: [] }, undefined],
]

test.for(lines)('one line of a call has %s', ([, input, line]) => {
  const told = write && { ...write, brief: [...write.brief, 'options'] }
  expect(inOneLine(told, input, known)).toBe(line)
  expect(inOneLine(undefined, input, known)).toBeUndefined()
})

test('one line of a call says choices as people do, and leaves out ids that are riddles', () => {
  const input = Type.Object({
    invoice: labelled('Invoice', id('member', 'Its id.')),
    method: labelled('Method', oneOf(['bank_transfer', 'cash'], 'How.')),
  })
  const told = write && { ...write, inputSchema: { ...input }, brief: ['invoice', 'method'] }
  const say = (invoice: string): string | undefined => inOneLine(told, { invoice, method: 'bank_transfer' }, known)
  expect(say('QmlsbDoxMDE4MQ==')).toBe('Method: bank transfer')
  expect(say('3f2504e0-4f89-41d3-9a0c-0305e82c3301')).toBe('Method: bank transfer')
  expect(say('CV-10071')).toBe('Invoice: CV-10071 · Method: bank transfer')
  expect(say('m_1')).toBe('Anna · Method: bank transfer')
  expect(renderToString(Fields({ value: { method: 'bank_transfer' }, schema: { ...input } }))).toMatch(
    /bank transfer.*sent as bank_transfer/,
  )
})

test('a length of time is told in the unit that fits', () => {
  expect(lengths.map(([seconds]) => inWords(seconds * 1_000))).toEqual(lengths.map(([, words]) => words))
})

describe('a flood', () => {
  test('is rejected at once, with what is shown and nothing else', async () => {
    const ids: string[] = []
    for (let n = 0; n < 52; n++) ids.push(await askFor(site.ctx, owner, { subject: `Flood ${n}` }))
    const { text } = await visitor.get('/waiting')
    // What expires first is on top, though the flood came later, and the others are a page further.
    expect(/id="head-(\w+)"/.exec(text)?.[1]).toBe(ids[0])
    const further = /href="(\/waiting\?after=\w+)"/.exec(text)?.[1] ?? ''
    const shown = (page: string) => [...page.matchAll(/id="head-(\w+)"/g)].map(([, id]) => id)
    expect(shown((await visitor.get(further)).text)).toEqual(ids.slice(50))
    const form = /<form[^>]*aria-label="Reject all that are shown">(.*?)<\/form>/s.exec(text)?.[1] ?? ''
    expect(form.replaceAll(/<[^>]*>/g, '')).toContain('Club assistant (50 calls)')
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
    expect(answer.headers.get('location')).toBe('/waiting?decided=50&stale=0')
    const statuses = await Promise.all(ids.map((id) => statusOf(site.ctx, id)))
    expect(statuses.filter((status) => status === 'rejected')).toHaveLength(50)
    expect(statuses.slice(50)).toEqual(['awaiting_confirmation', 'awaiting_confirmation'])
  })

  test('of calls that cannot be sent any more is rejected as well, though none can be ticked', async () => {
    for (let n = 0; n < 3; n++) await askFor(site.ctx, owner, { subject: `Stale ${n}` })
    await site.ctx.db.query(`UPDATE calls SET endpoint = 'fax_letter' WHERE owner = $1`, [owner.id])
    const { text } = await visitor.get('/waiting')
    expect(text).not.toContain('type="checkbox" name="call"')
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
  expect(/<a href="([^"]*)">[^<]*<\/a>, then have your agent ask again/.exec(text)?.[1]).toMatch(
    new RegExp(`^${page.replace('?', '\\?')}`),
  )
})

test('the page of an app tells what its operator has paused', async () => {
  expect(await read('/apps/letters')).not.toContain('has paused')
  await site.ctx.db.query(
    `INSERT INTO endpoint_controls (app, endpoint, paused) VALUES ('letters', 'write_letter', true)`,
  )
  expect(await read('/apps/letters')).toContain('has paused Write a letter for a while')
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
  expect(text.split(`/calls/${ids[0]}"`)).toHaveLength(2)
  expect(text).not.toContain(ids[6])
  expect(text).toContain(done)
})

test('an account that needs its owner is told on the overview, with the app’s name', async () => {
  await site.ctx.db.query(`UPDATE accounts SET state = 'expired', reason = 'AUTH_EXPIRED' WHERE owner = $1`, [owner.id])
  expect(await read('/')).toMatch(/Sign in again ?secretary@club.example ?Letters/)
})

test('a log entry has names instead of ids, labels instead of fields, and lengths of time in words', async () => {
  await setConfirm(site.ctx, owner.id, 'letters', 'write_letter', { confirm: true, expirySeconds: 20 })
  await audit(site.ctx.db, owner.id, 'key.rotated', { key: owner.keyId, new_key: 'key_x', overlap_hours: 1 })
  const id = await askFor(site.ctx, owner)
  await audit(site.ctx.db, owner.id, 'call.changed', { call: id, changed: ['$.subject'] })
  const text = await read('/account')
  for (const words of [
    'Changed what asks first App: Letters, Asks first: yes, Action: Write a letter, Time to decide: 20 seconds',
    'Replaced a key Key: Club assistant, The old one works for: 1 hour',
    'Changed what a call says Call: its page, Places: $.subject',
    'Connected an account App: Letters, Account: secretary@club.example',
  ])
    expect(text).toContain(words)
  for (const id of ['key_', 'acct_', 'call_', 'expirySeconds']) expect(text).not.toContain(id)
  expect((await visitor.get('/account')).text).toContain(`<a href="/calls/${id}">its page</a>`)
})

test('a log entry that names its key does without the id', async () => {
  await visitor.post('/keys', { csrf: await visitor.csrf('/keys'), name: 'For the till', days: '30', all: 'yes' })
  const text = await read('/account')
  expect(text).toContain('Made a key Valid for: 30 days, Name: For the till')
  expect(text).not.toContain('key_')
})

test('whoever cannot sign in is told whom to ask', async () => {
  expect(await read('/login', new Visitor(site))).toContain('Ask the operator of this Callgate.')
})

test('who is not signed in finds the sign-in on every page that anyone may read', async () => {
  const anyone = new Visitor(site)
  for (const page of ['/docs', '/docs/letters', '/nowhere'])
    expect((await anyone.get(page)).text).toContain('<a href="/login">Sign in</a>')
  expect((await anyone.get('/login')).status).toBe(200)
})
