import { ulid } from 'ulid'
import type { Config } from '../../config.ts'
import type { Context } from '../context.ts'
import type { Db } from '../database/pool.ts'
import { unwrapDataKey, wrapDataKey } from '../secrets/crypto.ts'
import type { LetterKind } from './letters.ts'

/** Of the configuration only whether mail is set up. */
export type Mailing = Pick<Context, 'secrets'> & { readonly config: Pick<Config, 'mail'> }

interface NewMail {
  readonly kind: LetterKind | 'password.asked'
  readonly address: string
  /** Seconds until the mail expires. */
  readonly seconds: number
  /** Token of its link, made by newToken. */
  readonly token?: string
  readonly detail?: Readonly<Record<string, string>>
}

/** A mail that is due. */
export interface DueMail {
  readonly id: string
  readonly kind: string
  readonly address: string
  readonly secret: Buffer | null
  readonly detail: Readonly<Record<string, string>>
  readonly tries: number
}

/** In the transaction of the event, so that both commit or neither. No-op without a mail server. */
export async function queueMail(ctx: Mailing, db: Db, mail: NewMail): Promise<void> {
  if (ctx.config.mail === null) return
  const { kind, address, seconds, token, detail = {} } = mail
  const id = `mail_${ulid()}`
  await db.query(
    `INSERT INTO mails (id, kind, address, detail, secret, until)
     VALUES ($1, $2, $3, $4, $5, clock_timestamp() + make_interval(secs => $6))`,
    [id, kind, address, detail, token === undefined ? null : sealToken(ctx, id, token), seconds],
  )
}

/** Lease of one attempt in seconds: longer than a mail server may take. */
const held = 120

/** Leases the next due mail; undefined: none. If the process dies, it is due after the lease. */
export async function takeDueMail(db: Db): Promise<DueMail | undefined> {
  const { rows } = await db.query<DueMail>(
    `UPDATE mails SET due_at = clock_timestamp() + make_interval(secs => $1), tries = tries + 1
     WHERE id = (SELECT id FROM mails WHERE due_at <= clock_timestamp() AND until > clock_timestamp()
       ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING id, kind, address, secret, detail, tries`,
    [held],
  )
  return rows[0]
}

export async function postponeMail(db: Db, id: string, seconds: number): Promise<void> {
  await db.query('UPDATE mails SET due_at = clock_timestamp() + make_interval(secs => $2) WHERE id = $1', [id, seconds])
}

export async function forgetMail(db: Db, id: string): Promise<void> {
  await db.query('DELETE FROM mails WHERE id = $1', [id])
}

export async function pruneMails(db: Db): Promise<void> {
  await db.query('DELETE FROM mails WHERE until <= now()')
}

/** A token has 32 bytes, like a data key. */
export function sealToken({ secrets }: Pick<Context, 'secrets'>, id: string, token: string): Buffer {
  return wrapDataKey(secrets, id, Buffer.from(token, 'base64url'))
}

export function openToken({ secrets }: Pick<Context, 'secrets'>, id: string, secret: Buffer): string {
  return unwrapDataKey(secrets, id, secret).toString('base64url')
}
