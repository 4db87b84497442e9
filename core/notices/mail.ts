import { createTransport } from 'nodemailer'
import type { Config } from '../../config.ts'
import { isPlainAddress } from '../users/email-address.ts'
import { confirmUrl } from '../calls/record.ts'

/** A call that waits, in words of ours and of the owner: nothing that the agent wrote. */
export interface WaitingLine {
  readonly call_id: string
  readonly app: string
  readonly action: string
  readonly key: string
  /** When the time to decide is over. */
  readonly until: Date
}

export interface Mailer {
  /** Throws when the server did not take it. */
  send(mail: { readonly to: string; readonly id: string; readonly lines: readonly WaitingLine[] }): Promise<void>
}

const linesAtMost = 50
const clock = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

export function createMailer(mail: NonNullable<Config['mail']>, publicUrl: string): Mailer {
  const url = mail.url()
  const { protocol, password, searchParams } = new URL(url)
  const transport = createTransport(
    {
      url,
      // A password does not go out in the clear because somebody on the way took STARTTLS away.
      requireTLS: protocol === 'smtp:' && password !== '' && !searchParams.has('ignoreTLS'),
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 20_000,
      logger: false,
    },
    { from: mail.from, disableFileAccess: true, disableUrlAccess: true },
  )
  return {
    async send({ to, id, lines }) {
      if (!isPlainAddress(to)) throw new Error('the address of an account is not a plain one')
      await transport.sendMail({
        to: { name: '', address: to },
        messageId: `<${id}@${new URL(publicUrl).hostname}>`,
        subject: headline(lines.length),
        headers: { 'Auto-Submitted': 'auto-generated' },
        text: textOf(lines, publicUrl),
        html: htmlOf(lines, publicUrl),
      })
    },
  }
}

function headline(count: number): string {
  return count === 1 ? '1 call waits for your approval' : `${count} calls wait for your approval`
}

function textOf(lines: readonly WaitingLine[], publicUrl: string): string {
  return [
    `${headline(lines.length)}. Nothing of this has been sent yet.`,
    ...lines
      .slice(0, linesAtMost)
      .map(
        ({ call_id: callId, app, action, key, until }) =>
          `${oneLine(app)}: ${oneLine(action)}\nAsked for with the key “${oneLine(key)}”. ${waits(until)}\n${confirmUrl(publicUrl, callId)}`,
      ),
    `All that wait: ${publicUrl}/waiting`,
    `These mails are switched off at ${publicUrl}/notices`,
  ].join('\n\n')
}

function htmlOf(lines: readonly WaitingLine[], publicUrl: string): string {
  const items = lines
    .slice(0, linesAtMost)
    .map(
      ({ call_id: callId, app, action, key, until }) =>
        `<li><strong>${escaped(app)}</strong>: ${escaped(action)}<br>Asked for with the key “${escaped(key)}”. ${waits(until)} ` +
        `<a href="${escaped(confirmUrl(publicUrl, callId))}">Read and decide</a></li>`,
    )
  return (
    `<p>${headline(lines.length)}. Nothing of this has been sent yet.</p><ul>${items.join('')}</ul>` +
    `<p><a href="${escaped(`${publicUrl}/waiting`)}">All that wait</a> · ` +
    `<a href="${escaped(`${publicUrl}/notices`)}">Switch these mails off</a></p>`
  )
}

function waits(until: Date): string {
  return `It waits until ${clock.format(until)} UTC.`
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{C}\s]+/gu, ' ').trim()
}

function escaped(text: string): string {
  return oneLine(text).replaceAll(/[&<>"']/g, (char) => `&#${char.codePointAt(0)};`)
}
