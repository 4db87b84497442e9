import { randomBytes } from 'node:crypto'
import { ulid } from 'ulid'
import { accept } from '../../../core/calls/accept.ts'
import { connect } from '../../../core/accounts/sessions.ts'
import type { Context } from '../../../core/context.ts'
import { findCall, settle } from '../../../core/calls/rows.ts'
import { placeOf } from '../../../core/calls/payload.ts'
import { replaceFiles, sealFile } from '../../../core/files/files.ts'
import { createKey } from '../../../core/keys/rows.ts'
import { takeRightToSend } from '../../../core/calls/sending-rows.ts'
import { createUser } from '../../../core/users/rows.ts'
import { askForEmail } from '../../../core/users/email-changes.ts'
import { invite } from '../../../core/users/invitations.ts'
import { addDevice } from '../../../core/notices/devices.ts'
import { addWebhook } from '../../../core/notices/targets.ts'
import { makeStanding } from '../../../core/approvals/standing-rules.ts'

/** What somebody can own, by id; the same of nobody is made up in the same form. */
export interface Things {
  /** Calls: one waits for its approval, one ended unknown, one runs. */
  readonly waiting: string
  readonly unknown: string
  readonly running: string
  readonly key: string
  readonly account: string
  readonly standing: string
  readonly webhook: string
  readonly device: string
  readonly passkey: string
  readonly invitation: string
  /** What confirms another email address opens with. */
  readonly emailLink: string
  readonly trace: string
}

export function idsOf(things: Things): readonly string[] {
  return Object.values({ ...things })
}

export interface Person {
  readonly owner: string
  readonly email: string
  readonly password: string
  /** The API key itself. */
  readonly secret: string
  readonly things: Things
}

export const app = 'property-advertising'
const password = 'a long password'

/**
 * Somebody who owns one of everything. Who adds a thing that people own adds it here, and to the tables beside.
 * `before`: what comes before these things in the life of that owner.
 */
export async function makePerson(
  ctx: Context,
  name: string,
  before?: (owner: string) => Promise<void>,
): Promise<Person> {
  const email = `${name}@example.com`
  const owner = await createUser(ctx, { email, password, plan: 'large' })
  await ctx.db.query('UPDATE users SET may_invite = true WHERE id = $1', [owner])
  await before?.(owner)
  const { id: key, key: secret } = await createKey(ctx, { owner, name: `Key of ${name}`, apps: ['crm', app] })
  const session = { cookies: [], user_agent: null }
  const account = await connect(ctx, { owner, app, externalId: name, label: `Agency of ${name}`, session })
  const call = async (endpointName: string, input: Record<string, unknown>): Promise<string> => {
    const endpoint = endpointOf(ctx, endpointName)
    const request = { owner, keyId: key, endpoint, input, account, idempotencyKey: undefined }
    return (await accept(ctx, request)).callId
  }
  const waiting = await call('reply_to_contact', { contact_id: 'c1', message: `Secret words of ${name}` })
  await addFile(ctx, owner, waiting, name)
  const unknown = await call('add_contact_note', { contact_id: 'c1', note: `Secret note of ${name}` })
  const running = await call('list_listings', { limit: 3 })
  await takeRightToSend(ctx.db, { id: unknown, attempt: 0, round: 1 }, 1)
  await settle(ctx.db, unknown, 0, { status: 'unknown' }, 1)
  await ctx.db.query(
    `INSERT INTO pauses (account, endpoint, until, seconds) VALUES ($1, 'list_contacts', now() + interval '1 hour', 3600)`,
    [account],
  )
  return {
    owner,
    email,
    password,
    secret,
    things: {
      waiting,
      unknown,
      running,
      key,
      account,
      standing: await standingOf(ctx, owner, account),
      webhook: await webhookOf(ctx, owner, name),
      device: await deviceOf(ctx, owner, name),
      passkey: await passkeyOf(ctx, owner, name),
      invitation: await invitationOf(ctx, owner, name),
      emailLink: await askForEmail(ctx, owner, `new-address-of-${name}@example.com`),
      trace: await traceOf(ctx, owner, name),
    },
  }
}

/** A file of a call, as if it had been fetched. */
async function addFile(ctx: Context, owner: string, callId: string, name: string): Promise<void> {
  const row = await findCall(ctx.db, owner, callId)
  if (row === undefined) throw new Error('no such call')
  const bytes = Buffer.from(`Secret picture of ${name}`)
  const about = {
    place: 'photo',
    address: 'https://example.com/a.png',
    sha256: 'ab',
    name: 'a.png',
    size: bytes.length,
  }
  const file = sealFile(ctx, placeOf(row), { bytes, file: { ...about, type: 'image/png' } })
  await replaceFiles(ctx.db, callId, [file])
}

/** A recording that they have opened, of an app that was added. */
async function traceOf(ctx: Context, owner: string, name: string): Promise<string> {
  const { rows } = await ctx.db.query<{ id: string }>(
    `INSERT INTO traces (id, app, name, begun_by, owner, expires_at)
     VALUES ($1, $2, 'add_note', $3, $4, now() + interval '1 hour') RETURNING id`,
    [randomBytes(18).toString('base64url'), app, `operator:${name}`, owner],
  )
  return rows[0]?.id ?? ''
}

export function madeUp(): Things {
  const call = (): string => `call_${ulid()}`
  return {
    waiting: call(),
    unknown: call(),
    running: call(),
    key: `key_${ulid()}`,
    account: `acct_${ulid()}`,
    standing: `sta_${ulid()}`,
    webhook: `ntt_${ulid()}`,
    device: `ntt_${ulid()}`,
    passkey: `pk_${ulid()}`,
    invitation: `inv_${ulid()}`,
    emailLink: randomBytes(32).toString('base64url'),
    trace: randomBytes(18).toString('base64url'),
  }
}

export function endpointOf(ctx: Context, name: string) {
  const endpoint = ctx.apps.get(app)?.endpoints.get(name)
  if (endpoint === undefined) throw new Error(`no endpoint ${name}`)
  return endpoint
}

/** Everything that the database has of somebody, by table: what nobody else may change. */
export async function rowsOf(
  { db }: Context,
  { owner, things }: Person,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const ids = [owner, ...idsOf(things)]
  const { rows: tables } = await db.query<{ name: string }>(
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> 'rate_limits' ORDER BY 1`,
  )
  const found = new Map<string, readonly string[]>()
  for (const { name } of tables) {
    const { rows } = await db.query<{ text: string }>(
      `SELECT text FROM (SELECT row_to_json(t)::text AS text FROM ${name} t) r
       WHERE EXISTS (SELECT FROM unnest($1::text[]) id WHERE strpos(text, id) > 0) ORDER BY text`,
      [ids],
    )
    if (rows.length > 0)
      found.set(
        name,
        rows.map(({ text }) => text),
      )
  }
  return found
}

async function standingOf(ctx: Context, owner: string, account: string): Promise<string> {
  const made = await makeStanding(ctx, {
    owner,
    account,
    endpoint: endpointOf(ctx, 'reply_to_contact'),
    key: null,
    perDay: 3,
    only: null,
    until: null,
  })
  if (typeof made === 'string') throw new Error(`no standing approval: ${made}`)
  return made.id
}

async function webhookOf(ctx: Context, owner: string, name: string): Promise<string> {
  const made = await addWebhook(ctx, owner, `https://hooks.example.com/secret-of-${name}`, ['call.final'])
  if (made === 'full') throw new Error('no webhook')
  return made.id
}

async function deviceOf(ctx: Context, owner: string, name: string): Promise<string> {
  const endpoint = `https://push.example.com/secret-of-${name}`
  const made = await addDevice(ctx, owner, `Phone of ${name}`, { endpoint, p256dh: '', auth: '' })
  if (made === 'full') throw new Error('no device')
  return made.id
}

async function passkeyOf({ db }: Context, owner: string, name: string): Promise<string> {
  const id = `pk_${ulid()}`
  await db.query(
    'INSERT INTO passkeys (id, owner, name, credential, public_key, counter) VALUES ($1, $2, $3, $4, $5, 0)',
    [id, owner, `Phone of ${name}`, randomBytes(16).toString('base64url'), randomBytes(32)],
  )
  return id
}

async function invitationOf(ctx: Context, owner: string, name: string): Promise<string> {
  const made = await invite(ctx, { email: `friend-of-${name}@example.com`, by: owner, mayInvite: false })
  if (made === undefined) throw new Error('no invitation')
  return made.id
}
