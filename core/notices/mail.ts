import type { Config } from '../../config.ts'
import { isPlainAddress } from '../users/email-address.ts'
import { headline, lineOf, oneLine, pageOf, testMessage } from './message.ts'
import type { ToldCall } from './message.ts'
import type { Shows } from './rows.ts'

/** An email about calls; without any, a test. */
interface Mail {
  readonly to: string
  readonly id: string
  readonly subject: string
  readonly calls: readonly ToldCall[]
  readonly shows: Shows
}

export interface Mailer {
  /** Throws when the server did not take it. */
  send(mail: Mail): Promise<void>
  /** The same for a plain text that is written already. */
  write(mail: Written): Promise<void>
  close(): void
}

interface Written {
  readonly to: string
  readonly id: string
  readonly subject: string
  readonly text: string
}

const linesAtMost = 50
const clock = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

export function createMailer(mail: NonNullable<Config['mail']>, publicUrl: string): Mailer {
  const url = mail.url()
  const { protocol, password, searchParams } = new URL(url)
  const open = async () => {
    const { createTransport } = await import('nodemailer')
    return createTransport(
      {
        url,
        // A password must not go out in the clear because an attacker stripped STARTTLS.
        requireTLS: protocol === 'smtp:' && password !== '' && !searchParams.has('ignoreTLS'),
        connectionTimeout: 10_000,
        greetingTimeout: 10_000,
        socketTimeout: 20_000,
        logger: false,
      },
      { from: mail.from, disableFileAccess: true, disableUrlAccess: true },
    )
  }
  let transport: ReturnType<typeof open> | undefined
  const send = async ({ to, id, subject, ...says }: Written & { readonly html?: string }): Promise<void> => {
    if (!isPlainAddress(to)) throw new Error('the address of an account is not a plain one')
    await (
      await (transport ??= open())
    ).sendMail({
      to: { name: '', address: to },
      messageId: `<${id}@${new URL(publicUrl).hostname}>`,
      subject,
      headers: { 'Auto-Submitted': 'auto-generated' },
      ...says,
    })
  }
  return {
    async send({ to, id, subject, calls, shows }) {
      const [text, html] = [textOf(calls, shows, publicUrl), htmlOf(calls, shows, publicUrl)]
      await send({ to, id, subject, text, html })
    },
    write: send,
    close: () => void transport?.then((opened) => opened.close()),
  }
}

function textOf(calls: readonly ToldCall[], shows: Shows, publicUrl: string): string {
  return [
    opening(calls),
    ...calls
      .slice(0, linesAtMost)
      .map((call) => [...wordsOf(call, shows), pageOf(publicUrl, call)].filter((line) => line !== '').join('\n')),
    `All that wait: ${publicUrl}/waiting`,
    `What these mails tell of, and when: ${publicUrl}/notices`,
  ].join('\n\n')
}

function htmlOf(calls: readonly ToldCall[], shows: Shows, publicUrl: string): string {
  const items = calls.slice(0, linesAtMost).map((call) => {
    const [what, who] = wordsOf(call, shows)
    const page = `<a href="${escaped(pageOf(publicUrl, call))}">${call.kind === 'call.waiting' ? 'Read and decide' : 'Read'}</a>`
    return `<li>${[what === '' ? '' : `<strong>${escaped(what)}</strong><br>`, escaped(who), page].join(' ')}</li>`
  })
  return (
    `<p>${escaped(opening(calls))}</p>${items.length === 0 ? '' : `<ul>${items.join('')}</ul>`}` +
    `<p><a href="${escaped(`${publicUrl}/waiting`)}">All that wait</a> · ` +
    `<a href="${escaped(`${publicUrl}/notices`)}">What these mails tell of</a></p>`
  )
}

function opening(calls: readonly ToldCall[]): string {
  if (calls.length === 0) return testMessage.body
  const waits = calls.some(({ kind }) => kind === 'call.waiting')
  return `${headline(calls)}.${waits ? ' Nothing of what waits has been sent yet.' : ''}`
}

/** The action, and who asked and until when: as much as the user's setting shows. */
function wordsOf(call: ToldCall, shows: Shows): readonly [what: string, who: string] {
  const { kind, until, app, key } = call
  const waits = kind === 'call.waiting' && until !== null ? ` It waits until ${clock.format(until)} UTC.` : ''
  return shows === 'count'
    ? ['', waits.trim()]
    : [`${oneLine(app)}: ${lineOf(call, shows)}`, `Asked for with the key “${oneLine(key)}”.${waits}`]
}

function escaped(text: string): string {
  return oneLine(text).replaceAll(/[&<>"']/g, (char) => `&#${char.codePointAt(0)};`)
}
