import type { CallStatus } from '../../schemas/call.ts'
import { selectCalls } from './rows.ts'
import type { Metadata } from './metadata.ts'
import type { CallRow } from './rows.ts'
import type { Db } from '../database/pool.ts'

const ofItsLine = '(maker.line = k.line AND maker.turn <= k.turn)'

/**
 * SQL: whether key `k` may see what key `maker` of the same user made: it is the same key, a later
 * one of its lineage, or may see all calls.
 */
export const coversMaker = `(k.sees_all OR ${ofItsLine})`

/** SQL: whether the endpoint limits of key `k`, if any, allow the endpoint of call `c`. */
const ofItsEndpoints = '(k.endpoints IS NULL OR NOT k.endpoints ? c.app OR k.endpoints -> c.app ? c.endpoint)'

/**
 * SQL: whether key `k` may see call `c` made by `maker`: within its current apps and, for calls of
 * other lineages, within its endpoints too.
 */
export const coversCall = `(${ofItsLine} OR k.sees_all AND ${ofItsEndpoints}) AND (k.apps IS NULL OR c.app = ANY (k.apps))`

/** The call, if the key may see it; undefined for any other, as for one that does not exist. */
export async function findCallOf(db: Db, keyId: string, callId: string): Promise<CallRow | undefined> {
  const { rows } = await db.query<CallRow>({
    name: 'find-call-of',
    text: `${selectCalls} JOIN api_keys maker ON maker.id = c.key_id JOIN api_keys k ON k.owner = c.owner
      WHERE c.id = $1 AND k.id = $2 AND ${coversCall}`,
    values: [callId, keyId],
  })
  return rows[0]
}

export interface ListedCall extends CallRow {
  /** Number of calls on the page, including those left out for their size. */
  readonly found: number
}

/** Wraps a page of calls. octet_length() needs no detoasting, so omitted outputs are never read. */
const sizedBefore = `SELECT * FROM (SELECT page.*, count(*) OVER ()::integer AS found, coalesce(sum(octet_length(output))
  OVER (ORDER BY id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS output_before FROM (`
const sizedAfter = `) AS page) AS sized WHERE output_before <`

const hasMetadata = ' AND EXISTS (SELECT FROM call_metadata m WHERE m.call_id = c.id AND m.metadata @> $7::jsonb)'

/** A page of calls the key may see, newest first, from below id `before`. Index scan per key. */
export async function listCallsOf(
  db: Db,
  keyId: string,
  filter: {
    readonly status: CallStatus | undefined
    readonly app: string | undefined
    /** Key/value pairs that its metadata must contain. */
    readonly metadata: Metadata | undefined
    readonly before: string | undefined
    readonly limit: number
    /** Omits the rest of the page once the outputs before it reach this many bytes. */
    readonly maxBytes: number
  },
): Promise<readonly ListedCall[]> {
  const wanted = `(k.apps IS NULL OR c.app = ANY (k.apps)) AND ($3::text IS NULL OR c.status = $3)
    AND ($4::text IS NULL OR c.app = $4)${filter.metadata === undefined ? '' : hasMetadata}`
  const { rows } = await db.query<ListedCall>(
    `${sizedBefore} ${selectCalls} WHERE c.id IN (
       SELECT covered.id FROM api_keys k CROSS JOIN LATERAL (
         (SELECT c.id FROM calls c WHERE k.sees_all AND c.owner = k.owner AND ${wanted}
            AND (${ofItsEndpoints} OR c.key_id IN (SELECT maker.id FROM api_keys maker WHERE ${ofItsLine}))
            AND ($5::text IS NULL OR c.id < $5) ORDER BY c.id DESC LIMIT $2)
         UNION ALL
         (SELECT made.id FROM api_keys maker CROSS JOIN LATERAL (
            SELECT c.id FROM calls c WHERE c.key_id = maker.id AND ${wanted}
              AND ($5::text IS NULL OR c.id COLLATE "C" < $5) ORDER BY c.id COLLATE "C" DESC LIMIT $2) made
          WHERE NOT k.sees_all AND ${ofItsLine})) covered
       WHERE k.id = $1 ORDER BY covered.id DESC LIMIT $2)
     ORDER BY c.id DESC ${sizedAfter} $6::bigint ORDER BY id DESC`,
    [
      keyId,
      filter.limit,
      filter.status ?? null,
      filter.app ?? null,
      filter.before ?? null,
      filter.maxBytes,
      ...(filter.metadata === undefined ? [] : [filter.metadata]),
    ],
  )
  return rows
}
