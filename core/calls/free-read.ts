import type { Exchange } from '../../connectors/runtime/exchange.ts'
import { exchange } from '../../connectors/runtime/threads/exchange-threads.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import type { Outcome } from '../../connectors/runtime/outcome.ts'
import type { ReconnectCode } from '../../schemas/call.ts'
import { talkAs } from '../accounts/in-session.ts'
import { noteSessionState } from '../accounts/sessions.ts'
import { siteOf } from '../accounts/site.ts'
import type { Context } from '../context.ts'
import { whileAway } from '../database/failures.ts'
import type { Db } from '../database/pool.ts'
import { retry } from '../retry.ts'
import { derivedKey } from '../secrets/crypto.ts'
import { endPause, pauseAfterRead } from './blocks.ts'
import { reconnectCodes } from './settle.ts'

/**
 * `paused`: an operator paused the app or the read. `no_session`: none can be opened; the user must
 * sign in. Both are known without asking the app, like a `blocked` during a cool-down.
 */
export type ReadOutcome = Outcome | { readonly kind: 'paused' } | { readonly kind: 'no_session' }

/** How long recording a read's side effects is retried while Postgres is down, in ms. */
const longestDatabaseAway = 20_000

export interface FreeRead {
  readonly read: Endpoint
  readonly input: unknown
  readonly timeoutMs?: number
  /** Receives the full exchange, if the app was asked. */
  readonly onExchange?: (exchange: Exchange) => void
}

/**
 * Reads for Callgate itself, not for a call: once, without credits, only in a worker of the app's
 * queue. Records what it shows of the session; a block starts a cool-down as a call's would. Throws
 * when the account's key cannot be opened.
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

  const talked = await talkAs(ctx, { app, site, account }, (session) =>
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
  if (talked === undefined) return { kind: 'no_session' }
  const { outcome } = talked.result
  onExchange?.(talked.result)
  const { session_version } = talked.account
  await retry(
    () => note(ctx.db, { ...account, session_version }, read, outcome),
    whileAway(Date.now() + longestDatabaseAway),
  )
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
  /** A cool-down exists; `blocked`: it is active, or another call is probing. */
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

/** Records what an outcome shows: whether the session works and the app blocks this read. */
async function note(db: Db, account: ReadAccount, { name: endpoint }: Endpoint, outcome: Outcome): Promise<void> {
  const { kind } = outcome
  if (kind === 'blocked') return pauseAfterRead(db, account.id, endpoint)
  if (kind === 'auth_expired' || kind === 'captcha' || kind === 'mfa')
    return noteSessionState(db, account.id, reconnectCodes[kind], account.session_version)
  if (kind !== 'ok') return
  if (account.after_block) await endPause(db, { account: account.id, endpoint })
  if (account.reason !== null) await noteSessionState(db, account.id, null, account.session_version)
}
