import { afterAll, beforeAll, expect, test } from 'vitest'
import { findCall } from '../../core/calls/rows.ts'
import { sealPayload } from '../../core/calls/payload.ts'
import { createApp } from '../../server/server.ts'
import { storedError } from '../../schemas/errors.ts'
import { portOf } from '../support/listen.ts'
import { askFor, makeOwner, startTestSite } from './site.ts'
import type { Owner, TestSite } from './site.ts'
import { visitorOf } from './visitor.ts'
import type { Visitor } from './visitor.ts'

let site: TestSite
let owner: Owner
let visitor: Visitor

const hostile = `"'></title><script>alert(1)</script><img src=x onerror=alert(2)>`

beforeAll(async () => {
  site = await startTestSite()
  owner = await makeOwner(site.ctx, { label: `label ${hostile}`, keyName: `key ${hostile}` })
  visitor = await visitorOf(site, owner)
})
afterAll(() => site.stop())

async function pageOf(input: Readonly<Record<string, unknown>>): Promise<string> {
  return (await visitor.get(`/confirm/${await askFor(site.ctx, owner, input)}`)).text
}

/** The text of a page as a reader without scripts has it. */
function readable(page: string): string {
  return page
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}

test('who asks, which account, what, until when and for how much stand on the page', async () => {
  const text = readable(await pageOf({ subject: 'The basics' }))
  for (const words of [
    'Send a letter to some of your members.',
    `API key key ${hostile}`,
    `label ${hostile} of Letters`,
    'UTC',
    '2 days 23 hours left',
    '3 credits if it is done',
    'Nothing has been sent yet.',
  ])
    expect(text).toContain(words)
})

test('markup in a field, a label or a key name is only text', async () => {
  const page = await pageOf({ subject: hostile, body: `${hostile}\n</textarea></pre>`, recipients: [hostile] })
  expect(page).not.toContain('<script>alert')
  expect(page).not.toContain('<img')
  expect(page.match(/<title>/g)).toHaveLength(1)
  expect(page.match(/<script/g)).toHaveLength(4)
  // Before there is a button to press.
  expect(page).toMatch(/<script src="\/assets\/approve\.js\?v=\w+"><\/script>/)
  expect(page.match(/<script src="\/assets\/[\w.-]+\?v=\w+" defer>/g)).toHaveLength(3)
  expect(readable(page)).toContain(hostile)
})

test('every field is shown in full, down to the last level', async () => {
  const body = `First line\n\n${'A long text. '.repeat(300)}\nthe very end`
  const text = readable(
    await pageOf({
      subject: 'Everything',
      body,
      recipients: ['m_1', 'm_2', 'm_2'],
      send_at: '2026-12-01T09:30:00+01:00',
      options: { urgent: false, price: null, attachments: [{ name: 'agenda.pdf', pages: 3 }] },
    }),
  )
  for (const words of [
    body,
    '3 recipients, 2 different',
    '2026-12-01T09:30:00+01:00',
    '1 Dec 2026, 08:30 UTC',
    'Urgent',
    'nothing (null)',
    'agenda.pdf',
    'Rings the bell on their phones.',
  ])
    expect(text).toContain(words)
})

test('characters that cannot be seen or that reorder the line are shown by their code', async () => {
  const page = await pageOf({
    subject: 'pay \u202Eeef\u202C now\u200B',
    body: `a\u0007b\u00ADc\uFEFFd\u{E0041}e\u3164f\u2800g${'\n'.repeat(60)}hidden`,
  })
  for (const code of ['202E', '202C', '200B', '0007', '00AD', 'FEFF', 'E0041', '3164', '2800'])
    expect(page).toContain(`U+${code}`)
  for (const hidden of '\u202E\u202C\u200B\u0007\u00AD\uFEFF\u3164\u2800') expect(page).not.toContain(hidden)
  expect(page).toContain('60 line breaks')
  expect(page).toContain('characters that cannot be seen or that look like others')
})

test('words of mixed scripts are marked, honest ones and emoji are not', async () => {
  const mixed = await pageOf({ subject: 'Your p\u0430yment', body: '\u{1D429}aypal' })
  expect(mixed).toContain('mixes Latin and Cyrillic letters')
  expect(mixed).toContain('not the plain letters it looks like')
  const honest = await pageOf({ subject: 'Привет, Zoë! 👨‍👩‍👧 ✅ 1º m² Ελλάδα', body: 'שלום\tund 120\u00A0€' })
  expect(honest).not.toContain('<mark')
  expect(honest).not.toContain('that look like others')
})

/** Without what is folded: the request as it leaves says the same once more. */
const withoutRequest = (text: string): string => text.replace(/<details id="request">.*?<\/details>/s, '')

test('a word wholly in letters that pass for others is marked, unless the text is in that script', async () => {
  const disguised = await pageOf({
    subject: 'Pay at \u0440\u0430\u0443\u0440\u0430.com',
    body: 'To \u0391\u039D\u039D\u0391',
  })
  expect(disguised).toContain('Cyrillic letters that look like Latin ones')
  expect(disguised).toContain('Greek letters that look like Latin ones')
  expect(disguised).toContain('that look like others')
  const honest = withoutRequest(await pageOf({ subject: 'оса и роса, это река', body: 'Η ΑΝΝΑ είναι εδώ' }))
  expect(honest).not.toContain('<mark')
})

test('many of the same hidden character are one mark that counts them', async () => {
  const page = readable(await pageOf({ subject: 'Hidden', body: `a${'\u200b'.repeat(1_000)}b\u200bc` }))
  expect(page).toContain('aU+200B zero-width space, 1000 timesb')
  expect(page).toContain('bU+200B zero-width spacec')
})

test('what is very long is shown in full and once, on a page that can still be opened', async () => {
  const body = 'аbc '.repeat(50_000)
  const id = await askFor(site.ctx, owner, { subject: 'Long', body })
  const text = withoutRequest((await visitor.get(`/confirm/${id}`)).text)
  expect(text.match(/<mark/g)).toHaveLength(50_000)
  expect(text).toContain('mixes Latin and Cyrillic letters')
  expect(text.length).toBeLessThan(6 * body.length)
  expect(text).not.toContain('The same as JSON')
  expect(text).toContain('value="approve"')

  const list = (await visitor.get('/waiting')).text
  expect(list).toContain('too long for this list')
  expect(list).not.toContain(`type="checkbox" name="call" value="${id} `)
  expect(list).toContain(`href="/confirm/${id}"`)
  expect(list.length).toBeLessThan(body.length)
})

interface End {
  readonly set: string
  readonly output?: unknown
  readonly error?: unknown
  readonly says: readonly string[]
}

const approved = `decision = 'approved', decided_by = owner, decided_at = now()`
const ends: readonly End[] = [
  {
    set: `status = 'executed', credits_used = 3, ${approved}`,
    output: { letter_id: 'l_77', sent: 2 },
    says: ['Done', 'l_77', 'It used 3 credits', 'Approved by you'],
  },
  {
    set: `status = 'failed', ${approved}`,
    error: storedError('app_rejected', 'no', { app_message: 'm_2 has <left>' }),
    says: ['It failed', 'The app says: m_2 has <left>', 'app_rejected', 'no credits were used'],
  },
  {
    set: `status = 'failed', ${approved}`,
    error: storedError('definition_changed'),
    says: ['It failed', 'definition_changed'],
  },
  {
    set: `status = 'unknown', ${approved}`,
    says: ['It may or may not have happened', 'will not send it again on its own'],
  },
  {
    set: `status = 'rejected', decision = 'rejected', decided_by = owner, decided_at = now()`,
    says: ['Rejected by you'],
  },
  {
    set: `status = 'expired', decision = 'expired', decided_by = 'timer', decided_at = now()`,
    says: ['Nobody decided in time'],
  },
  {
    set: `status = 'cancelled', decision = 'cancelled', decided_by = owner, decided_at = now()`,
    says: ['taken back before it was sent', 'Cancelled by you'],
  },
  {
    set: `status = 'cancelled', decision = 'cancelled', decided_by = key_id, decided_at = now()`,
    says: ['taken back before it was sent', 'Cancelled with one of your API keys'],
  },
  {
    set: `status = 'cancelled', decision = 'cancelled', decided_by = 'operator', decided_at = now()`,
    says: ['taken back before it was sent', 'Cancelled by the operator'],
  },
  {
    set: `status = 'running', waiting_for = 'reconnect', ${approved}`,
    says: ['Your sign-in is needed', 'Sign in to Letters again'],
  },
  {
    set: `status = 'running', waiting_for = 'blocked', retry_at = '2026-12-01T10:00:00Z', ${approved}`,
    says: ['is refusing access', 'Next try: 1 Dec 2026, 10:00 UTC'],
  },
  { set: `status = 'running', send = 'sending', ${approved}`, says: ['On its way'] },
  { set: `status = 'unknown', input = NULL, ${approved}`, says: ['The content was deleted'] },
]

test.for(ends)('a call with $set is explained in plain words', async ({ set, output, error, says }) => {
  const id = await askFor(site.ctx, owner, { subject: set })
  const row = await findCall(site.ctx.db, owner.id, id)
  if (row === undefined) throw new Error('no call')
  const place = { callId: id, owner: owner.id, account: row.account, dataKey: row.data_key }
  const sealed = (column: 'output' | 'error', value: unknown) =>
    value === undefined ? null : sealPayload(site.ctx.secrets, place, column, value)
  await site.ctx.db.query(`UPDATE calls SET ${set}, output = $2, error = $3 WHERE id = $1`, [
    id,
    sealed('output', output),
    sealed('error', error),
  ])
  const page = await visitor.get(`/confirm/${id}`)
  expect(page.status).toBe(200)
  for (const words of says) expect(readable(page.text)).toContain(words)
  expect(page.text).not.toContain('name="decision"')
})

test('content that is gone is said to be kept for as long as the operator has set', async () => {
  const id = await askFor(site.ctx, owner)
  await site.ctx.db.query(`UPDATE calls SET status = 'executed', input = NULL, ${approved} WHERE id = $1`, [id])
  const ctx = { ...site.ctx, config: { ...site.ctx.config, retentionDays: 7 } }
  const server = createApp(ctx).listen(0, '127.0.0.1')
  try {
    const reader = await visitorOf({ ...site, url: `http://127.0.0.1:${await portOf(server)}` }, owner)
    for (const path of [`/confirm/${id}`, `/calls/${id}`])
      expect(readable((await reader.get(path)).text)).toContain('it is kept for 7 days.')
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
