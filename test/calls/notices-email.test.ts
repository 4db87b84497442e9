import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listNotices, listTargets } from '../../core/notices/list.ts'
import { createMailer } from '../../core/notices/mail.ts'
import { subjectOf } from '../../core/notices/message.ts'
import type { ToldCall } from '../../core/notices/message.ts'
import { askForTest, changeTarget, setEmailNotices } from '../../core/notices/targets.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import { startMailbox, textOf } from '../support/mailbox.ts'
import type { Mail, Mailbox } from '../support/mailbox.ts'
import type { TestUser } from '../support/user.ts'

const marker = 'marker-of-an-input'
const soon = { timeout: 120_000, interval: 50 }

const password = 'word-of-the-mail-server'
const waiting: ToldCall = {
  callId: 'call_1',
  kind: 'call.waiting',
  status: 'awaiting_confirmation',
  app: 'App',
  action: 'Do it',
  gist: undefined,
  key: 'Agent',
  until: new Date(0),
}

let stack: Stack
let log = ''
let mailbox: Mailbox
let user: TestUser
let contact: string
beforeAll(async () => {
  mailbox = await startMailbox()
  const url = mailbox.url.replace('//', `//gate:${password}@`)
  stack = await startStack({
    settings: { SMTP_URL: `${url}?ignoreTLS=true`, SMTP_FROM: 'Callgate <gate@example.com>' },
    logTo: { write: (line) => (log += line) },
  })
})
afterAll(async () => {
  await stack.stop()
  await mailbox.close()
})
beforeEach(async () => {
  mailbox.mails.length = 0
  user = await stack.user()
  contact = await firstContact(user)
})

const ask = async (message: string): Promise<string> =>
  String(
    (await user.call('reply_to_contact', { contact_id: contact, message: `${marker} ${message}` })).body['call_id'],
  )
const states = async () => (await listNotices(stack.ctx.db, user.id, 50)).map(({ state }) => state)
/** As if the time that emails are gathered, or the pause between two of them, were over. */
const gathered = () =>
  stack.ctx.db.query(`UPDATE notices SET check_at = clock_timestamp() WHERE owner = $1 AND state = 'pending'`, [
    user.id,
  ])
const paused = () =>
  stack.ctx.db.query('UPDATE notice_targets SET mail_at = clock_timestamp() WHERE owner = $1', [user.id])

/** Of its header, unfolded and decoded. */
function subjectIn({ raw }: Mail): string {
  const line = /^Subject: ([^]*?)\r\n(?! )/m.exec(raw)?.[1] ?? ''
  return line
    .replaceAll(/\r\n /g, ' ')
    .replaceAll(/\?= =\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?Q\?(.*?)\?=/g, (_, coded: string) =>
      decodeURIComponent(
        coded
          .replaceAll('_', ' ')
          .replaceAll('%', '%25')
          .replaceAll(/=([0-9A-F]{2})/g, '%$1'),
      ),
    )
}

test('the first email leaves at once, the next tells of all that came meanwhile, to the account only', async () => {
  await setEmailNotices(stack.ctx, user.id, true)
  const first = await ask('one')
  await expect.poll(() => mailbox.mails.length).toBe(1)
  await expect.poll(states, soon).toEqual(['delivered'])
  const [mail] = mailbox.mails
  if (mail === undefined) throw new Error('no mail')
  expect(mail.to).toEqual([user.email])
  expect(subjectIn(mail)).toBe('Property advertising: Send a message to a contact (Test agent asks)')
  expect(mail.raw).toMatch(/^From: Callgate <gate@example.com>\r$/m)
  const text = textOf(mail)
  expect(text).toContain(`${stack.publicUrl}/confirm/${first}`)
  expect(text).toContain('Test agent')
  expect(text).toContain('Nothing of what waits has been sent yet')
  const [day = '', time = ''] = String((await user.record(first))['expires_at']).split('T')
  const until = new RegExp(
    `It waits until ${Number(day.slice(8))} [A-Z]\\w+ ${day.slice(0, 4)}, ${time.slice(0, 5)} UTC\\.`,
  )
  expect(text).toMatch(until)
  expect(mail.raw).not.toContain(marker)
  expect(mail.raw).not.toContain(Buffer.from(marker).toString('base64').slice(0, 20))

  // The next one has to wait, however many calls come.
  const next = [await ask('two'), await ask('three')]
  await gathered()
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  expect(mailbox.mails).toHaveLength(1)
  expect((await states()).toSorted()).toEqual(['delivered', 'pending', 'pending'])
  const { rows } = await stack.ctx.db.query<{ left: number }>(
    'SELECT extract(epoch FROM mail_at - clock_timestamp())::float8 / 60 AS left FROM notice_targets WHERE owner = $1',
    [user.id],
  )
  expect(rows[0]?.left).toBeGreaterThan(14)
  const id = (await listTargets(stack.ctx.db, user.id))[0]?.id ?? ''
  await changeTarget(stack.ctx, user.id, id, { kinds: ['call.waiting'], muted: [], shows: 'all' })
  await paused()
  await expect.poll(() => mailbox.mails.length, soon).toBe(2)
  const second = mailbox.mails[1]
  if (second === undefined) throw new Error('no second mail')
  expect(subjectIn(second)).toMatch(
    /^2 calls wait for your approval: Property advertising: Send a message to a contact: .* and 1 more$/,
  )
  for (const callId of next) expect(textOf(second)).toContain(callId)
  expect(textOf(second)).not.toContain(first)
  expect(textOf(second)).toContain(marker)

  expect(await askForTest(stack.ctx, user.id, id)).toBe('asked')
  await expect.poll(() => mailbox.mails.length, soon).toBe(3)
  expect(mailbox.mails[2] && subjectIn(mailbox.mails[2])).toBe('A test from Callgate')
})

test('nothing is told of calls that were decided meanwhile, and nothing at all once it is switched off', async () => {
  await setEmailNotices(stack.ctx, user.id, true)
  const rejected = await ask('one')
  await user.reject(rejected)
  await gathered()
  await expect.poll(states, soon).toEqual(['dropped'])
  const [decided, open] = [await ask('two'), await ask('three')]
  await user.cancel(decided)
  await gathered()
  await expect.poll(() => mailbox.mails.length, soon).toBe(1)
  expect(mailbox.mails[0] && textOf(mailbox.mails[0])).toContain(open)
  expect(mailbox.mails[0] && textOf(mailbox.mails[0])).not.toContain(decided)

  await ask('four')
  await setEmailNotices(stack.ctx, user.id, false)
  await ask('five')
  await gathered()
  await paused()
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  expect(mailbox.mails).toHaveLength(1)
  expect((await states()).toSorted()).toEqual(['delivered', 'dropped', 'dropped', 'dropped'])
})

test('a mail server that was away gets it later, in one email with what came meanwhile', async () => {
  const { port } = mailbox
  await mailbox.close()
  await setEmailNotices(stack.ctx, user.id, true)
  await ask('one')
  await gathered()
  const last = async () => (await listNotices(stack.ctx.db, user.id, 1))[0]
  await expect.poll(last, soon).toMatchObject({ state: 'pending', tries: 1, last_result: 'not_taken' })
  await ask('two')
  mailbox = await startMailbox(port)
  await expect.poll(() => mailbox.mails.length).toBe(1)
  expect(mailbox.mails[0]?.raw).toMatch(/^Subject: 2 calls wait for your approval:/m)
  await expect.poll(states, soon).toEqual(['delivered', 'delivered'])
  expect(log).toContain('an email was not taken')
  for (const hidden of [password, Buffer.from(password).toString('base64'), user.email, marker])
    expect(log).not.toContain(hidden)
})

test('of what a mail server did not take only that is given up which it had three days for', async () => {
  const { port } = mailbox
  await mailbox.close()
  await setEmailNotices(stack.ctx, user.id, true)
  const [old, young] = [await ask('one'), await ask('two')]
  await stack.ctx.db.query(
    `UPDATE notices SET tries = 9,
       first_try_at = clock_timestamp() - CASE call_id WHEN $2 THEN interval '73 hours' ELSE interval '1 hour' END
     WHERE owner = $1`,
    [user.id, old],
  )
  await gathered()
  const tried = async () =>
    (await listNotices(stack.ctx.db, user.id, 50)).map(({ call_id: callId, state, tries }) => [callId, state, tries])
  await expect.poll(tried, soon).toEqual([
    [young, 'pending', 10],
    [old, 'failed', 10],
  ])
  mailbox = await startMailbox(port)
  await gathered()
  await expect.poll(() => mailbox.mails.length, soon).toBe(1)
  expect(mailbox.mails[0] && textOf(mailbox.mails[0])).toContain(young)
  expect(mailbox.mails[0] && textOf(mailbox.mails[0])).not.toContain(old)
  await expect.poll(states, soon).toEqual(['delivered', 'failed'])
})

test('no word of an owner or of an app becomes a header, a link or another recipient', async () => {
  const mailer = createMailer({ url: () => mailbox.url, from: 'gate@example.com' }, 'http://127.0.0.1:8080')
  const nasty = 'x\r\nBcc: eve@example.com\r\n\r\n<a href="https://evil.example">click</a>'
  const call = { ...waiting, app: nasty, action: nasty, gist: nasty, key: nasty }
  const subject = subjectOf([call], 'all')
  const mailTo = (to: string) => mailer.send({ to, id: 'ntc_1', subject, calls: [call], shows: 'all' })
  await mailTo('ann@example.com')
  const [mail] = mailbox.mails
  expect(mail?.to).toEqual(['ann@example.com'])
  expect(mail?.raw).not.toMatch(/^Bcc:/m)
  expect(mail?.raw).not.toContain('<a href="https://evil')
  for (const to of [
    'ann@example.com\r\nBcc: eve@example.com',
    'ann@example.com, eve@example.com',
    'a <b@c.example>',
    '',
  ])
    await expect(mailTo(to)).rejects.toThrow()
  expect(mailbox.mails).toHaveLength(1)
})

test('a password does not go out over a line that is not encrypted, unless the operator says so', async () => {
  const mailer = (query: string) =>
    createMailer(
      { url: () => `smtp://gate:very-secret@127.0.0.1:${mailbox.port}${query}`, from: 'gate@example.com' },
      'http://127.0.0.1:8080',
    )
  const mail = { to: 'ann@example.com', id: 'ntc_1', subject: 'One waits', calls: [waiting], shows: 'action' } as const
  await expect(mailer('').send(mail)).rejects.toThrow()
  expect(mailbox.mails).toHaveLength(0)
  await mailer('?ignoreTLS=true').send(mail)
  expect(mailbox.mails).toHaveLength(1)
})
