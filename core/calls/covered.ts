import type { CallStatus } from '../../schemas/call.ts'
import { selectCalls } from './rows.ts'
import type { CallRow } from './rows.ts'
import type { Db } from '../database/pool.ts'

const ofItsLine = '(maker.line = k.line AND maker.turn <= k.turn)'

/**
 * Whether the key `k` covers what the key `maker` of the same owner made: it is the same, or came before it in its line, or `k` is marked
 * as seeing all.
 */
export const coversMaker = `(k.sees_all OR ${ofItsLine})`

/** Whether the key `k` may call the endpoint of the call `c`, as far as its own limits to some of an app go. */
const ofItsEndpoints = '(k.endpoints IS NULL OR NOT k.endpoints ? c.app OR k.endpoints -> c.app ? c.endpoint)'

/** Whether the key `k` covers the call `c` that `maker` made: now, by the apps that it may use now; of others' calls, by its endpoints too. */
export const coversCall = `(${ofItsLine} OR k.sees_all AND ${ofItsEndpoints}) AND (k.apps IS NULL OR c.app = ANY (k.apps))`

/** The call, if the key covers it. Any other is undefined, as one that never was. */
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
  /** How many there are on the page, those that are left out for their size among them. */
  readonly found: number
}

/** Around a page of calls. How long an output is, is known without reading it; those that are left out are not read. */
const sizedBefore = `SELECT * FROM (SELECT page.*, count(*) OVER ()::integer AS found, coalesce(sum(octet_length(output))
  OVER (ORDER BY id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS output_before FROM (`
const sizedAfter = `) AS page) AS sized WHERE output_before <`

/** A page of the calls that the key covers, newest first, from just below the call id `before`. Each key of a line is read by its index. */
export async function listCallsOf(
  db: Db,
  keyId: string,
  filter: {
    readonly status: CallStatus | undefined
    readonly app: string | undefined
    readonly before: string | undefined
    readonly limit: number
    /** Leaves out the rest of the page once the outputs before it have so many bytes. */
    readonly maxBytes: number
  },
): Promise<readonly ListedCall[]> {
  const wanted = `(k.apps IS NULL OR c.app = ANY (k.apps)) AND ($3::text IS NULL OR c.status = $3)
    AND ($4::text IS NULL OR c.app = $4)`
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
    [keyId, filter.limit, filter.status ?? null, filter.app ?? null, filter.before ?? null, filter.maxBytes],
  )
  return rows
}
