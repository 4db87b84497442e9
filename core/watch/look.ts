import { differencesOf, shapeOf } from '../../connectors/recordings/shape.ts'
import type { Shape } from '../../connectors/recordings/shape.ts'
import type { Exchange } from '../../connectors/runtime/exchange.ts'
import { freeRead } from '../calls/free-read.ts'
import type { ReadOutcome } from '../calls/free-read.ts'
import type { Context } from '../context.ts'
import { transaction } from '../database/pool.ts'
import type { Db } from '../database/pool.ts'
import { failPoint } from '../fail-point.ts'
import { noteChange, noteClear } from './changes.ts'
import type { Change } from './changes.ts'
import { shapeFrom, united } from './shapes.ts'
import type { KeptShape } from './shapes.ts'

export interface DueLook {
  readonly id: string
  readonly app: string
  readonly endpoint: string
  readonly account: string
  readonly input: Readonly<Record<string, unknown>>
  readonly day: string
  readonly shape: KeptShape | null
}

/** The canary whose read is due; undefined: made already, or ended. `look`: from lookOf(). */
export async function dueLook(db: Db, look: string): Promise<DueLook | undefined> {
  const [id = '', day = ''] = look.split('.')
  const { rows } = await db.query<DueLook>(
    `SELECT w.id, w.app, w.endpoint, w.account, w.input, $2::text AS day, w.shape FROM watches w
     WHERE w.id = $1 AND w.ended_at IS NULL AND w.agreed_at IS NOT NULL AND (w.last_day IS NULL OR w.last_day < $2::date)`,
    [id, day],
  )
  return rows[0]
}

/** Makes a canary read and records what differs from before. In a worker only. */
export async function makeLook(ctx: Context, due: DueLook): Promise<void> {
  const read = ctx.apps.get(due.app)?.endpoints.get(due.endpoint)
  let exchange: Exchange | undefined
  const outcome: ReadOutcome =
    read?.access === 'read' && read.definition.line.method === 'GET'
      ? await freeRead(ctx, due.account, { read, input: due.input, onExchange: (one) => (exchange = one) })
      : { kind: 'changed', rule: 'the connector has no such read any more' }
  failPoint('watch.before-save')
  await transaction(ctx.db, (db) => save(db, due, outcome, exchange))
}

/** Saves a canary read in one transaction; a repeated one is saved only once. */
async function save(db: Db, due: DueLook, outcome: ReadOutcome, exchange: Exchange | undefined): Promise<void> {
  const { app, endpoint } = due
  const before = due.shape === null ? undefined : shapeFrom(due.shape)
  const now = outcome.kind === 'ok' ? shapeOf(outcome.output) : undefined
  const changes = changesIn(due, before, now, outcome, exchange)
  const version = exchange?.version ?? null
  // A deviating shape stays a deviation, however often it recurs.
  const good = now && changes.length === 0 ? united(...(before ? [before] : []), now) : undefined
  const { rowCount } = await db.query(
    `UPDATE watches SET last_day = $2, last_at = clock_timestamp(), last_result = $3, shape = coalesce($4, shape), latest = coalesce($5, latest),
       version = coalesce($6, version)
     WHERE id = $1 AND ended_at IS NULL AND (last_day IS NULL OR last_day < $2::date)`,
    [
      due.id,
      due.day,
      resultOf(outcome, changes),
      good && JSON.stringify(good),
      now && JSON.stringify(united(now)),
      version,
    ],
  )
  if (rowCount !== 1) return
  for (const change of changes) await noteChange(db, { ...change, version })
  if (now !== undefined) await noteClear(db, { app, endpoint }, { shown: changes, places: [...now.keys()] })
}

function changesIn(
  { app, endpoint }: DueLook,
  before: Shape | undefined,
  now: Shape | undefined,
  outcome: ReadOutcome,
  exchange: Exchange | undefined,
): readonly Change[] {
  const at = { app, endpoint }
  if (outcome.kind === 'changed')
    return [{ ...at, kind: 'rule', place: outcome.rule, words: 'in a daily look', excerpt: exchange?.excerpt }]
  if (now === undefined || before === undefined) return []
  return differencesOf(before, now).map(({ kind, place, words }) => ({ ...at, kind, place, words }))
}

function resultOf({ kind }: ReadOutcome, changes: readonly Change[]): string {
  if (kind !== 'ok') return kind
  return changes.length > 0 ? 'changed' : 'ok'
}
