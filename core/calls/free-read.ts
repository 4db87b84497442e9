import { exchange } from '../../connectors/runtime/exchange.ts'
import type { Exchange } from '../../connectors/runtime/exchange.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import type { Outcome } from '../../connectors/runtime/outcome.ts'
import type { ReconnectCode } from '../../schemas/call.ts'
import { inSession } from '../accounts/in-session.ts'
import { noteSessionState, renewSession, usableSession } from '../accounts/sessions.ts'
import { siteOf } from '../accounts/site.ts'
import type { Context } from '../context.ts'
import { whileAway } from '../database/failures.ts'
import type { Db } from '../database/pool.ts'
import { retry } from '../retry.ts'
import { derivedKey } from '../secrets/crypto.ts'
import { endPause, pauseAfterRead } from './blocks.ts'
import { reconnectCodes } from './settle.ts'

/**
 * `paused`: an operator has paused the app or the read. `no_session`: there is none that could be opened, so the person has to sign in again. Like a
 * `blocked` of a pause that stands, these are known without asking the app.
 */
export type ReadOutcome = Outcome | { readonly kind: 'paused' } | { readonly kind: 'no_session' }

/** How long a session that the app changed is held on to while the database is away, in ms. */
const longestDatabaseAway = 20_000

export interface FreeRead {
  readonly read: Endpoint
  readonly input: unknown
  readonly timeoutMs?: number
  /** Gets what else came of it, where the app was asked. */
  readonly onExchange?: (exchange: Exchange) => void
}

/**
 * Reads for Callgate itself, not for a call: once, without credits, and only in a worker, from the app's queue. What it shows of the account's
 * session is noted, and a block pauses the read for the account as a call's would. Throws when the account's key cannot be opened.
 */
export async function freeRead(
  ctx: Context,
  accountId: string,
  { read, input: asked, timeoutMs, onExchange }: FreeRead,
): Promise<ReadOutcome> {
  const app = ctx.apps.get(read.app)
  if (app === undefined || read.access !== 'read') throw new Error(`${read.app}.${read.name} is no read of an app`)
  const account = await accountFor(ctx.db, accountId, read)
  if (account === undefined) return { kind: 'no_session' }
  const site = siteOf(ctx, app, account.origin)
  if (site === undefined) return { kind: 'auth_expired' }
  if (account.paused_by_operator) return { kind: 'paused' }
  if (account.blocked) return { kind: 'blocked' }
  const cursorKey = derivedKey(ctx.secrets, 'cursor')
  const parsed = read.parseInput(asked, { cursorKey })
  if (!parsed.ok) return { kind: 'changed', rule: `${read.name} does not take ${parsed.details[0]?.path ?? 'this'}` }

  const opened = await usableSession(ctx, account)
  if (opened === undefined) return { kind: 'no_session' }
  const talked = await inSession(ctx, { app, site, account }, opened, (session) =>
    exchange({
      endpoint: read,
      input: parsed.input,
      session,
      account: account.id,
      ...site,
      cursorKey,
      fence: () => Promise.resolve(false),
      tellsVersion: onExchange !== undefined,
      ...(timeoutMs !== undefined && { timeoutMs }),
    }),
  )
  const { outcome, session: after } = talked.result
  onExchange?.(talked.result)
  const over = outcome.kind === 'auth_expired'
  const retries = whileAway(Date.now() + longestDatabaseAway)
  // What the app answered is known here only.
  const version =
    after === null
      ? talked.account.session_version
      : await retry(() => renewSession(ctx, talked.account, { before: talked.session, after, over }), retries)
  await retry(() => note(ctx.db, { ...account, session_version: version }, read, outcome), retries)
  return outcome
}

interface ReadAccount {
  readonly id: string
  readonly owner: string
  readonly origin: string
  readonly reason: ReconnectCode | null
  readonly data_key: Buffer
  readonly session: Buffer | null
  readonly session_version: number
  readonly paused_by_operator: boolean
  /** A pause after a block is there; `blocked`: it stands, or a call tries now whether it is over. */
  readonly after_block: boolean
  readonly blocked: boolean
}

async function accountFor(db: Db, accountId: string, read: Endpoint): Promise<ReadAccount | undefined> {
  const { rows } = await db.query<ReadAccount>(
    `SELECT a.id, a.owner, a.origin, a.reason, a.data_key, a.session, a.session_version,
       coalesce(o.paused, false) OR coalesce(e.paused, false) AS paused_by_operator, p.account IS NOT NULL AS after_block,
       coalesce(greatest(p.until, CASE WHEN p.probe_call IS NOT NULL THEN p.probe_until END) > clock_timestamp(), false) AS blocked
     FROM accounts a LEFT JOIN app_controls o ON o.app = a.app
     LEFT JOIN endpoint_controls e ON e.app = a.app AND e.endpoint = $3
     LEFT JOIN pauses p ON p.account = a.id AND p.endpoint = $3
     WHERE a.id = $1 AND a.app = $2`,
    [accountId, read.app, read.name],
  )
  return rows[0]
}

/** What an answer shows besides what it says: whether the session works, and whether the app lets this read in. */
async function note(db: Db, account: ReadAccount, { name: endpoint }: Endpoint, outcome: Outcome): Promise<void> {
  const { kind } = outcome
  if (kind === 'blocked') return pauseAfterRead(db, account.id, endpoint)
  if (kind === 'auth_expired' || kind === 'captcha' || kind === 'mfa')
    return noteSessionState(db, account.id, reconnectCodes[kind], account.session_version)
  if (kind !== 'ok') return
  if (account.after_block) await endPause(db, { account: account.id, endpoint })
  if (account.reason !== null) await noteSessionState(db, account.id, null, account.session_version)
}
