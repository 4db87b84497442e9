import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'
import { freePort } from '../../local-services/dev-server.ts'

export interface Mail {
  readonly to: readonly string[]
  /** As it came over the wire. */
  readonly raw: string
}

/** A mail server on a port of its own. */
export interface Mailbox {
  readonly url: string
  readonly mails: Mail[]
  readonly port: number
  close(): Promise<void>
}

export async function startMailbox(port?: number): Promise<Mailbox> {
  const mails: Mail[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    logger: false,
    onAuth: (_auth, _session, callback) => callback(null, { user: 'gate' }),
    onData(stream, session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address)
        mails.push({ to, raw: Buffer.concat(chunks).toString() })
        callback(null)
      })
    },
  })
  const listening = server.listen(port ?? (await freePort()), '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address()
  const bound = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `smtp://127.0.0.1:${bound}`,
    mails,
    port: bound,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** The text part, with its transfer encoding undone. */
export function textOf({ raw }: Mail): string {
  const [, second = ''] = raw.split(/Content-Type: text\/plain[^\r]*\r\n/)
  // Of a mail that is nothing but a text, the head is that of the mail.
  const part = /^Content-Type: multipart\//im.test(raw) ? second : raw
  const [head = '', ...rest] = part.split('\r\n\r\n')
  const body = rest.join('\r\n\r\n').split(/\r\n--/)[0] ?? ''
  if (/base64/i.test(head)) return Buffer.from(body, 'base64').toString()
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_all, code: string) => String.fromCharCode(parseInt(code, 16)))
  return /quoted-printable/i.test(head) ? Buffer.from(bytes, 'latin1').toString() : body
}
