import { checkHostList, hashOf, loadAdded } from '../../connectors/runtime/added.ts'
import type { App, Level } from '../../connectors/runtime/app.ts'
import { onThreads } from '../../connectors/runtime/threads/exchange-threads.ts'
import { CallgateError } from '../../schemas/errors.ts'
import { renderAllAgain } from '../approvals/prepare-rows.ts'
import { endInAdvance } from '../approvals/end-in-advance.ts'
import { disconnected, endOfAccounts } from '../accounts/forget.ts'
import { audit } from '../audit.ts'
import type { Context } from '../context.ts'
import { transaction } from '../database/pool.ts'
import type { Db } from '../database/pool.ts'
import { failPoint } from '../fail-point.ts'
import { nudgeCall } from '../temporal/call-runs.ts'
import { insertConnector, keepBundle, removeRow, replaceConnector, setScale, setTrusted } from './rows.ts'
import type { NewConnector } from './rows.ts'
import { endUnserved } from './unserved.ts'

/** Path segments that an app's name would shadow, or that would shadow its page below `/docs`. */
const reserved: ReadonlySet<string> = new Set([
  'apps',
  'calls',
  'connections',
  'connectors',
  'docs',
  'errors',
  'mcp',
  'search',
  'start',
  'usage',
  'webhooks',
])

/** A connector as an operator uploads it. */
export interface GivenConnector {
  readonly slug: string
  readonly package: string
  readonly hosts: readonly string[]
  readonly code: string
}

/** Adds a connector; the same one again is a no-op. Throws invalid_input if unusable or taken. */
export async function addConnector(ctx: Context, given: GivenConnector, actor: string): Promise<NewConnector> {
  const one = await checked(ctx, given)
  await transaction(ctx.db, async (db) => {
    await keepBundle(db, one.hash, given.code)
    failPoint('connector.before-commit')
    if (!(await insertConnector(db, one, actor))) {
      if (await isThere(db, one)) return
      throw refused(`${one.slug} is there already, as another package or version: update it, or remove it first.`)
    }
    await begin(db, one, 'connector.added', actor)
  })
  return one
}

/**
 * Installs a new version. Approval rules, "never ask" switches and operators' trust end, because
 * they applied to the previous version. Throws invalid_input if the app was not added.
 */
export async function updateConnector(ctx: Context, given: GivenConnector, actor: string): Promise<NewConnector> {
  const one = await checked(ctx, given)
  let waiting: readonly string[] = []
  await transaction(ctx.db, async (db) => {
    await keepBundle(db, one.hash, given.code)
    if (await isThere(db, one)) return
    if (!(await replaceConnector(db, one, actor))) throw notThere(one.slug)
    await endInAdvance(db, one.slug)
    await begin(db, one, 'connector.updated', actor)
    waiting = await renderAllAgain(db, one.slug)
  })
  await endUnserved(ctx)
  for (const callId of waiting) await nudgeCall(ctx, callId)
  return one
}

/** Removes a connector and its connections; waiting calls end. Throws invalid_input if unknown. */
export async function removeConnector(ctx: Context, slug: string, actor: string): Promise<void> {
  await transaction(ctx.db, async (db) => {
    if (!(await removeRow(db, slug))) throw notThere(slug)
    await endInAdvance(db, slug)
    const { rows } = await db.query<{ id: string }>(
      `UPDATE accounts SET ${disconnected} WHERE app = $1 AND state <> 'disconnected' RETURNING id`,
      [slug],
    )
    await endOfAccounts(
      db,
      rows.map(({ id }) => id),
    )
    await audit(db, actor, 'connector.removed', { app: slug })
  })
  await endUnserved(ctx)
}

/**
 * Sets whether an endpoint may run without approval; its own definition or its owner may still ask.
 * Throws invalid_input if there is no such endpoint.
 */
export async function trustEndpoint(
  ctx: Pick<Context, 'db'>,
  wanted: { readonly slug: string; readonly endpoint: string; readonly trusted: boolean },
  actor: string,
): Promise<void> {
  const { slug, endpoint, trusted } = wanted
  await transaction(ctx.db, async (db) => {
    if (!(await setTrusted(db, slug, endpoint, trusted)))
      throw refused(`There is no added connector ${slug} with an endpoint ${endpoint}.`)
    await audit(db, actor, 'connector.trusted', { app: slug, endpoint, trusted })
  })
}

/**
 * Saves the quality level that the author's command determined for this exact version; null: below
 * bronze. Throws invalid_input if the gateway has another version.
 */
export async function tellScale(
  ctx: Pick<Context, 'db'>,
  { slug, hash, level }: { readonly slug: string; readonly hash: string; readonly level: Level | null },
  actor: string,
): Promise<void> {
  await transaction(ctx.db, async (db) => {
    if (!(await setScale(db, slug, hash, level)))
      throw refused(`The gateway has no ${slug} of this version: connector update first.`)
    await audit(db, actor, 'connector.scaled', { app: slug, hash, level })
  })
}

async function checked(ctx: Context, given: GivenConnector): Promise<NewConnector> {
  const { slug, package: from, hosts, code } = given
  if (ctx.catalogue.isBuiltIn(slug) || reserved.has(slug))
    throw refused(`"${slug}" is a name that Callgate has already: give the package another.`)
  const one = { slug, package: from, hosts, hash: hashOf(code) }
  const { endpoints } = await lookedAt({ ...one, trusted: [] }, code)
  return { ...one, endpoints: [...endpoints.keys()] }
}

/** Loads the app as this process would use it. Throws invalid_input if it cannot be used. */
async function lookedAt(one: Parameters<typeof loadAdded>[0], code: string): Promise<App> {
  try {
    checkHostList(one.hosts)
    const loaded = await loadAdded(one, code, onThreads)
    loaded.dispose()
    return loaded.app
  } catch (error) {
    throw refused(`The connector cannot be used: ${error instanceof Error ? error.message : String(error)}`, error)
  }
}

/** Marks the app's rate limits as due and writes the audit entry. */
async function begin(db: Db, one: NewConnector, action: string, actor: string): Promise<void> {
  const { slug: app, package: from, hash, hosts } = one
  await db.query(
    `INSERT INTO app_controls (app, pacing_due, pacing_due_since) VALUES ($1, true, clock_timestamp())
     ON CONFLICT (app) DO UPDATE SET pacing_due = true,
       pacing_due_since = coalesce(app_controls.pacing_due_since, excluded.pacing_due_since)`,
    [app],
  )
  await audit(db, actor, action, { app, package: from, hash, hosts })
}

async function isThere(db: Db, { slug, hash, hosts }: NewConnector): Promise<boolean> {
  const { rowCount } = await db.query(
    'SELECT FROM added_connectors WHERE slug = $1 AND hash = $2 AND hosts = $3 AND removed_at IS NULL',
    [slug, hash, hosts],
  )
  return rowCount === 1
}

export function notThere(slug: string): CallgateError {
  return refused(`No connector ${slug} was added: connector list names those that were.`)
}

function refused(message: string, cause?: unknown): CallgateError {
  return new CallgateError('invalid_input', { message, ...(cause !== undefined && { cause }) })
}
