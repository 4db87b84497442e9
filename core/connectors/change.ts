import { checkHostList, hashOf, loadAdded } from '../../connectors/runtime/added.ts'
import type { App, Level } from '../../connectors/runtime/app.ts'
import { CallgateError } from '../../schemas/errors.ts'
import { endInAdvance } from '../approvals/end-in-advance.ts'
import { disconnected, endOfAccounts } from '../accounts/forget.ts'
import { audit } from '../audit.ts'
import type { Context } from '../context.ts'
import { transaction } from '../database/pool.ts'
import type { Db } from '../database/pool.ts'
import { failPoint } from '../fail-point.ts'
import { insertConnector, keepBundle, removeRow, replaceConnector, setScale, setTrusted } from './rows.ts'
import type { NewConnector } from './rows.ts'
import { endUnserved } from './unserved.ts'

/** Words of addresses that an app's name would hide, or that would hide its page below `/docs`. */
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

/** What an operator gives. */
export interface GivenConnector {
  readonly slug: string
  readonly package: string
  readonly hosts: readonly string[]
  readonly code: string
}

/** Adds a connector whole, or throws invalid_input and leaves nothing. The same one once more changes nothing. */
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

/** A new version: what people approved in advance, or switched off asking for, and what operators trusted, was said of the one before. */
export async function updateConnector(ctx: Context, given: GivenConnector, actor: string): Promise<NewConnector> {
  const one = await checked(ctx, given)
  await transaction(ctx.db, async (db) => {
    await keepBundle(db, one.hash, given.code)
    if (await isThere(db, one)) return
    if (!(await replaceConnector(db, one, actor))) throw notThere(one.slug)
    await endInAdvance(db, one.slug)
    await begin(db, one, 'connector.updated', actor)
  })
  await endUnserved(ctx)
  return one
}

/** Takes it away: no call of it is accepted any more, those that wait end, and its accounts are forgotten. */
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

/** An operator's word that an endpoint need not ask first; it asks all the same where it says so itself, or its owner does. */
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

/** What the author's command found of this very version; null: not bronze yet. */
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

/** The app as this process would have it. */
async function lookedAt(one: Parameters<typeof loadAdded>[0], code: string): Promise<App> {
  try {
    checkHostList(one.hosts)
    const loaded = await loadAdded(one, code)
    loaded.dispose()
    return loaded.app
  } catch (error) {
    throw refused(`The connector cannot be used: ${error instanceof Error ? error.message : String(error)}`, error)
  }
}

/** Its queue gets its rates, and the log its entry. */
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

function notThere(slug: string): CallgateError {
  return refused(`No connector ${slug} was added: connector list names those that were.`)
}

function refused(message: string, cause?: unknown): CallgateError {
  return new CallgateError('invalid_input', { message, ...(cause !== undefined && { cause }) })
}
