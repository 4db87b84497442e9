import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listAudit } from '../../core/audit.ts'
import { listStanding } from '../../core/approvals/standing-rows.ts'
import { createKey, revokeKey } from '../../core/keys/rows.ts'
import { openList } from '../../core/approvals/standing.ts'
import { hidden } from '../../scripts/browsing.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import { letters, lettersAs } from './letters.ts'
import { askFor, makeOwner, startTestSite, statusOf } from './site.ts'
import type { Owner, TestSite } from './site.ts'
import { Visitor, visitorOf } from './visitor.ts'
import type { Page } from './visitor.ts'
import { withinOneDay } from '../support/one-day.ts'

let site: TestSite
let owner: Owner
let visitor: Visitor
let stranger: Visitor

const formPath = '/standing/new?app=letters&endpoint=write_letter'

beforeAll(async () => {
  site = await startTestSite()
  stranger = await visitorOf(site, await makeOwner(site.ctx))
})
beforeEach(async () => {
  await withinOneDay()
  owner = await makeOwner(site.ctx)
  visitor = await visitorOf(site, owner)
})
afterAll(() => site.stop())

type Fields = Readonly<Record<string, string>>

/** Fills in the form as the page has it, and posts it. */
async function approve(fields: Fields, who = visitor): Promise<Page> {
  const page = await who.get(formPath)
  const account = /<option[^>]*value="(acct_\w+)"/.exec(page.text)?.[1] ?? ''
  return who.post('/standing/new', {
    csrf: hidden(page.text, 'csrf'),
    app: 'letters',
    endpoint: 'write_letter',
    account,
    per_day: '',
    field: '',
    values: '',
    until: '',
    ...fields,
  })
}

async function made(fields: Fields): Promise<string> {
  const answer = await approve(fields)
  const id = /^\/standing\/(sta_\w{26})\?said=made$/.exec(answer.headers.get('location') ?? '')?.[1]
  if (id === undefined) throw new Error(`${answer.status} ${read(answer)}`)
  return id
}

const decodeEntities = (html: string): string =>
  html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')

/** What a page says, without its markup. */
const read = (page: Page): string => decodeEntities(page.text.replaceAll(/<[^>]+>/g, '')).replaceAll(/\s+/g, ' ')

const mine = () => listStanding(site.ctx.db, owner.id)

describe('the form', () => {
  test('names the action, its fields with their descriptions, and the accounts', async () => {
    const page = await visitor.get(`${formPath}&account=${owner.account}`)
    expect(page.status).toBe(200)
    const text = read(page)
    for (const words of [
      'Approve in advance: Write a letter',
      'Send a letter to some of your members.',
      'Who gets it: each a member_id. Every value must be on your list.',
      'The line they see first.',
      'secretary@club.example',
    ])
      expect(text).toContain(words)
    expect(page.text).toMatch(
      new RegExp(`<option[^>]*selected[^>]*value="${owner.account}"|value="${owner.account}"[^>]*selected`),
    )
    // Neither an object nor a number can be bound to a list of texts.
    expect(page.text).not.toContain('value="options"')
    expect(await mine()).toEqual([])
  })

  test('makes exactly what was filled in, and tells it in one sentence', async () => {
    const id = await made({
      per_day: '5',
      field: 'recipients',
      values: ' m_1 \r\nm_2\r\n\r\nm_1\r\n',
      until: '2099-12-24',
    })
    const [row] = await mine()
    expect(row).toMatchObject({
      id,
      account: owner.account,
      app: 'letters',
      endpoint: 'write_letter',
      per_day: 5,
      field: 'recipients',
      until: new Date('2099-12-25T00:00:00Z'),
    })
    expect(row && openList(site.ctx, row)).toEqual(['m_1', 'm_2'])
    const page = await visitor.get(`/standing/${id}?said=made`)
    const text = read(page)
    expect(text).toContain(
      'Every call of “Write a letter” with the account secretary@club.example of Letters, asked for by any of your keys, is approved in advance, at most 5 a day, only if “Recipients” is one of 2 listed values, until 24 December 2099 (UTC), that day included.',
    )
    expect(text).toContain('The other fields can say anything: Subject, Text, Goes out, Options.')
    expect(text).toContain('m_1m_2')
    expect(text).toContain('Not used yet')
  })

  test('without any bound asks for that in so many words', async () => {
    const refused = await approve({})
    expect([refused.status, read(refused)]).toEqual([422, expect.stringContaining('say here that you want none')])
    const both = await approve({ per_day: '5', unbounded: 'yes' })
    expect([both.status, read(both)]).toEqual([422, expect.stringContaining('either these, or none')])
    expect(await mine()).toEqual([])
    const id = await made({ unbounded: 'yes' })
    expect(read(await visitor.get(`/standing/${id}`))).toContain('with no limits, until you revoke this.')
  })

  const wrong: readonly (readonly [what: string, fields: Fields, said: string])[] = [
    ['no whole number', { per_day: '1.5' }, 'Write a whole number, 1 to 10000.'],
    ['none a day', { per_day: '0' }, 'Write a whole number, 1 to 10000.'],
    ['too many a day', { per_day: '10001' }, 'Write a whole number, 1 to 10000.'],
    ['values without a field', { field: '' }, 'choose which field they are for'],
    ['a field without values', { field: 'recipients', values: ' \n ' }, 'Write the values that the field may have'],
    ['a field that there is not', { field: 'options', values: 'x' }, 'This action has no such field.'],
    [
      'a value that no call can have',
      { field: 'subject', values: 'y'.repeat(201) },
      'can never be a value of “Subject”',
    ],
    ['too long a value', { field: 'body', values: 'z'.repeat(501) }, 'is too long: 500 characters at most'],
    [
      'too many values',
      { field: 'recipients', values: Array.from({ length: 201 }, (_, n) => `m_${n}`).join('\n') },
      'These are 201 values; 200 at most.',
    ],
    ['a day that is over', { until: '2020-01-01' }, 'This day is over.'],
    ['no day', { until: '2099-02-30' }, 'Write a day as YYYY-MM-DD.'],
    ['somebody else’s account', { account: 'acct_00000000000000000000000000', per_day: '1' }, 'Choose one of your'],
  ]
  test.for(wrong)('says what is wrong with %s, and keeps what was typed', async ([, fields, said]) => {
    const typed = { per_day: '7', field: 'recipients', values: 'm_7', until: '2099-01-31', ...fields }
    const answer = await approve(typed)
    expect(answer.status).toBe(422)
    expect(read(answer)).toContain(said)
    expect(answer.text).toContain('aria-invalid="true"')
    expect(answer.text).toContain(`name="per_day"`)
    for (const value of [typed.per_day, typed.until]) expect(answer.text).toContain(`value="${value}"`)
    expect(read(answer)).toContain(typed.values.trim().replaceAll(/\s+/g, ' '))
    expect(await mine()).toEqual([])
  })

  test('is there for what can ask first only', async () => {
    for (const query of ['app=letters&endpoint=list_letters', 'app=letters&endpoint=none', 'app=none&endpoint=x', ''])
      expect((await visitor.get(`/standing/new?${query}`)).status).toBe(404)
    const fields = { csrf: await visitor.csrf('/keys'), app: 'letters', endpoint: 'list_letters' }
    expect((await visitor.post('/standing/new', fields)).status).toBe(404)
  })
})

test('is for the key that is chosen; who says nothing of it means all, as before there was the choice', async () => {
  const words = async (id: string): Promise<string> => read(await visitor.get(`/standing/${id}`))
  expect(await words(await made({ unbounded: 'yes' }))).toContain('any of your keys')
  expect(await words(await made({ unbounded: 'yes', key: 'all', per_day: '' }))).toContain('any of your keys')
  // With one key alone the form has it chosen; what a call's page leads to has that call's.
  expect((await visitor.get(formPath)).text).toMatch(new RegExp(`<option value="${owner.keyId}" selected`))
  expect(await words(await made({ unbounded: 'yes', key: owner.keyId }))).toContain('the key “Club assistant”')
  const second = await createKey(site.ctx, { owner: owner.id, name: 'Second <agent>', apps: null })
  expect((await visitor.get(formPath)).text).toContain('Choose a key you trust')
  expect((await visitor.get(`${formPath}&key=${second.id}`)).text).toMatch(
    new RegExp(`<option value="${second.id}" selected`),
  )
  const other = await makeOwner(site.ctx)
  for (const key of ['', 'nobody', other.keyId]) {
    const answer = await approve({ unbounded: 'yes', key })
    expect([answer.status, read(answer)]).toEqual([
      422,
      expect.stringContaining('Choose one of your keys, or all of them.'),
    ])
  }
  await revokeKey(site.ctx, owner.id, second.id)
  expect((await approve({ unbounded: 'yes', key: second.id })).status).toBe(422)
})

test('who is not signed in comes back after signing in; forms need the session and its token', async () => {
  const id = await made({ per_day: '5' })
  const anyone = new Visitor(site)
  for (const path of ['/standing', formPath, `/standing/${id}`]) {
    const answer = await anyone.get(path)
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      `/login?return_to=${encodeURIComponent(path)}`,
    ])
  }
  for (const path of ['/standing/new', `/standing/${id}`]) {
    expect((await anyone.post(path, { action: 'revoke' })).status).toBe(403)
    expect((await visitor.post(path, { action: 'revoke' })).status).toBe(403)
    expect((await visitor.post(path, { action: 'revoke', csrf: 'made up' })).status).toBe(403)
    const bearer = await new Visitor(site).post(path, { action: 'revoke' }, { Authorization: `Bearer ${owner.key}` })
    expect(bearer.status).toBe(403)
    const elsewhere = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
    const csrf = await visitor.csrf('/keys')
    expect((await visitor.post(path, { action: 'revoke', csrf }, elsewhere)).status).toBe(403)
  }
  expect(await mine()).toMatchObject([{ id, revoked_at: null }])
})

test('a standing approval of somebody else is as one that never was', async () => {
  const id = await made({ field: 'recipients', values: 'm_secret' })
  const csrf = await stranger.csrf('/keys')
  for (const one of [id, 'sta_0123456789ABCDEFGHJKMNPQRS', 'nonsense']) {
    expect((await stranger.get(`/standing/${one}`)).status).toBe(404)
    expect((await stranger.post(`/standing/${one}`, { csrf, action: 'revoke' })).status).toBe(404)
  }
  for (const path of ['/standing', '/apps/letters', formPath]) {
    const { text } = await stranger.get(path)
    for (const secret of [id, 'm_secret', owner.account]) expect(text).not.toContain(secret)
  }
  expect((await approve({ account: owner.account, per_day: '1' }, stranger)).status).toBe(422)
  expect(await mine()).toMatchObject([{ id, revoked_at: null }])
})

test('every use is listed, and counted for today', async () => {
  const id = await made({ per_day: '3', field: 'recipients', values: 'm_1\nm_2' })
  const covered = await askFor(site.ctx, owner, { subject: 'Covered' })
  const waits = await askFor(site.ctx, owner, { recipients: ['m_1', 'm_9'] })
  expect([await statusOf(site.ctx, covered), await statusOf(site.ctx, waits)]).toEqual([
    'running',
    'awaiting_confirmation',
  ])
  for (const path of ['/standing', `/standing/${id}`, '/apps/letters'])
    expect(read(await visitor.get(path))).toContain('1 of 3 used today, 1 in all')
  const page = await visitor.get(`/standing/${id}`)
  expect(page.text).toContain(`href="/calls/${covered}"`)
  expect(page.text).not.toContain(waits)
  for (const path of [`/confirm/${covered}`, `/calls/${covered}`]) {
    const call = await visitor.get(path)
    expect(call.text).toContain(`href="/standing/${id}"`)
    expect(read(call)).toContain('Approved by your standing approval of')
  }
  expect(read(await visitor.get(`/confirm/${waits}`))).toContain(
    'Not covered by your standing approval: “Recipients” has a value that is not on its list.',
  )
})

test('more uses than fit are on further pages', async () => {
  const id = await made({ unbounded: 'yes' })
  const first = await askFor(site.ctx, owner)
  await site.ctx.db.query(
    `INSERT INTO calls (id, owner, key_id, app, endpoint, account, access, confirm, status, expires_at, content_hash, credits,
       decision, decided_by, decided_at, check_at)
     SELECT 'call_' || lpad(n::text, 26, '0'), owner, key_id, app, endpoint, account, access, confirm, 'failed', expires_at, content_hash,
       credits, decision, decided_by, decided_at, NULL FROM calls, generate_series(1, 60) n WHERE id = $1`,
    [first],
  )
  const page = await visitor.get(`/standing/${id}`)
  expect(read(page)).toContain('61 calls approved by it')
  expect(page.text.match(/href="\/calls\/call_/g)).toHaveLength(50)
  const older = await visitor.get(/href="(\/standing\/[^"]+before=[^"]+)"/.exec(page.text)?.[1] ?? '')
  expect(older.text.match(/href="\/calls\/call_/g)).toHaveLength(11)
})

test('a call that waits says why it is not covered: used up, one that came later, not valid any more', async () => {
  const id = await made({ per_day: '1' })
  await askFor(site.ctx, owner, { subject: 'One' })
  const waits = await askFor(site.ctx, owner, { subject: 'Two' })
  const why = async (callId: string) => read(await visitor.get(`/confirm/${callId}`))
  expect(await why(waits)).toContain('its one call of today is used up.')
  await made({ unbounded: 'yes' })
  expect(await why(waits)).toContain('the call was made before it')
  await site.ctx.db.query(`UPDATE standing_approvals SET definition_version = 'v0' WHERE id = $1`, [id])
  expect(await why(waits)).toContain('it is not valid any more.')
})

test('after an approval the page leads to the form, filled in as far as it goes', async () => {
  const callId = await askFor(site.ctx, owner, { subject: 'Once more' })
  const path = `/confirm/${callId}`
  const page = await visitor.get(path)
  expect(page.text).not.toContain('/standing/new')
  const form = { csrf: hidden(page.text, 'csrf'), approval_hash: hidden(page.text, 'approval_hash') }
  await visitor.post(path, { ...form, decision: 'approve' })
  const link = /href="(\/standing\/new[^"]*)"/.exec((await visitor.get(path)).text)?.[1] ?? ''
  expect(decodeEntities(link)).toBe(`${formPath}&account=${owner.account}&key=${owner.keyId}`)
  expect((await visitor.get(decodeEntities(link))).status).toBe(200)
})

describe('revoking', () => {
  test('takes back what was not sent, and cannot be done twice', async () => {
    const id = await made({ unbounded: 'yes' })
    const callId = await askFor(site.ctx, owner)
    const csrf = await visitor.csrf(`/standing/${id}`)
    const answer = await visitor.post(`/standing/${id}`, { csrf, action: 'revoke' })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/standing/${id}?said=revoked`])
    expect(await statusOf(site.ctx, callId)).toBe('cancelled')
    expect((await visitor.post(`/standing/${id}`, { csrf, action: 'revoke' })).status).toBe(409)
    expect((await visitor.post(`/standing/${id}`, { csrf, action: 'bless' })).status).toBe(422)
    expect(read(await visitor.get(`/standing/${id}`))).toContain('You revoked this.')
    expect(read(await visitor.get('/standing'))).toContain('Ended')
    expect(await statusOf(site.ctx, await askFor(site.ctx, owner))).toBe('awaiting_confirmation')
    const entries = await listAudit(site.ctx.db, { owner: owner.id, before: null, limit: 5 })
    expect(entries.slice(0, 2)).toMatchObject([
      { action: 'standing.revoked', detail: { standing: id, taken_back: 1 } },
      { action: 'standing.made', detail: { standing: id, app: 'letters', endpoint: 'write_letter' } },
    ])
  })
})

test('what is bound to a field that the action does not have any more approves nothing until it is there again', async () => {
  const bound = await made({ field: 'subject', values: 'Summer party' })
  expect(await statusOf(site.ctx, await askFor(site.ctx, owner))).toBe('running')
  const newer = await site.another('http://127.0.0.1:8080')
  const endpoints = new Map(letters.endpoints)
  const writing = endpoints.get('write_letter')
  if (writing === undefined) throw new Error('no write_letter')
  const { subject: _gone, ...properties } = writing.inputSchema['properties'] as Record<string, unknown>
  endpoints.set('write_letter', { ...writing, inputSchema: { ...writing.inputSchema, properties } })
  Object.assign(newer.ctx, { apps: lettersAs({ endpoints }) })
  const there = await visitorOf(newer, owner)
  expect(read(await there.get(`/standing/${bound}`))).toContain('It approves nothing until then')
  expect(read(await there.get('/standing'))).toContain('not in effect')
  const waits = await askFor(newer.ctx, owner, { body: 'In the newer release' })
  expect(await statusOf(site.ctx, waits)).toBe('awaiting_confirmation')
  expect(read(await there.get(`/confirm/${waits}`))).toContain('does not have the field that it is bound to any more.')
  expect(await statusOf(site.ctx, await askFor(site.ctx, owner, { body: 'Back again' }))).toBe('running')
})

test.each([
  ['is gone', () => new Map<string, Endpoint>()],
  [
    'is a read by now',
    () => new Map([...letters.endpoints].map(([name, one]) => [name, { ...one, access: 'read' as const }])),
  ],
])('what is for an action that %s approves nothing, and can be revoked', async (_what, endpoints) => {
  const id = await made({ unbounded: 'yes' })
  const newer = await site.another('http://127.0.0.1:8080')
  Object.assign(newer.ctx, { apps: lettersAs({ endpoints: endpoints() }) })
  const there = await visitorOf(newer, owner)
  const page = await there.get(`/standing/${id}`)
  expect(read(page)).toContain('It approves nothing until then')
  const answer = await there.post(`/standing/${id}`, { csrf: hidden(page.text, 'csrf'), action: 'revoke' })
  expect(answer.headers.get('location')).toBe(`/standing/${id}?said=revoked`)
})
