import type { Db } from '../database/pool.ts'

/** A row of `standing_approvals`, an approval rule. `allowed` is sealed with the data key. */
export interface StandingRow {
  readonly id: string
  readonly owner: string
  readonly account: string
  /** Lineage of the key whose calls it covers; null: all keys. */
  readonly key_line: string | null
  readonly app: string
  readonly endpoint: string
  /** Set by earlier releases, and covered by the proof; '' in new rows. */
  readonly definition_version: string
  readonly per_day: number | null
  readonly field: string | null
  readonly allowed: Buffer | null
  readonly until: Date | null
  readonly created_at: Date
  readonly revoked_at: Date | null
  readonly proof: string | null
  /** `until` is past, by the database's clock. */
  readonly over: boolean
  /** Of the account, joined: */
  readonly data_key: Buffer
}

/** With what pages show besides. */
export interface StandingUse extends StandingRow {
  readonly account_label: string
  readonly account_connected: boolean
  /** Of the key that it covers. */
  readonly key_name: string | null
  readonly used_today: number
  readonly used: number
  readonly last_used_at: Date | null
}

export interface StandingPlace {
  readonly owner: string
  readonly account: string
  readonly app: string
  readonly endpoint: string
}

/** SQL: whether the rule covers calls of the key with that id, budget and list aside. */
const isForKey = (id: string): string =>
  `(s.key_line IS NULL OR s.key_line = (SELECT line FROM api_keys WHERE id = ${id} AND owner = s.owner))`

const columns = 's.*, coalesce(s.until <= clock_timestamp(), false) AS over, a.data_key'

/**
 * Rules for an endpoint on an account, neither revoked nor expired, those without a budget first.
 * `keyId`: only those that cover this key. `now`: the database's clock.
 */
export async function standingAt(
  db: Db,
  { owner, account, app, endpoint }: StandingPlace,
  keyId?: string,
): Promise<readonly (StandingRow & { readonly now: Date })[]> {
  const { rows } = await db.query<StandingRow & { readonly now: Date }>({
    name: 'standing-at',
    text: `SELECT ${columns}, clock_timestamp() AS now FROM standing_approvals s JOIN accounts a ON a.id = s.account
      WHERE s.account = $1 AND s.endpoint = $2 AND s.app = $3 AND s.owner = $4
        AND s.revoked_at IS NULL AND (s.until IS NULL OR s.until > clock_timestamp())
        AND ($5::text IS NULL OR ${isForKey('$5')})
      ORDER BY s.per_day IS NOT NULL, s.id`,
    values: [account, endpoint, app, owner, keyId ?? null],
  })
  return rows
}

/** The rule that approved a call. */
export async function standingOf(db: Db, owner: string, id: string): Promise<StandingRow | undefined> {
  const { rows } = await db.query<StandingRow>(
    `SELECT ${columns} FROM standing_approvals s JOIN accounts a ON a.id = s.account WHERE s.id = $1 AND s.owner = $2`,
    [id, owner],
  )
  return rows[0]
}

const countedAnd = (more: string): string => `
  SELECT ${columns}${more}, a.label AS account_label, a.state <> 'disconnected' AS account_connected,
    (SELECT k.name FROM api_keys k WHERE k.id = s.key_line AND k.owner = s.owner) AS key_name,
    u.used, u.used_today, u.last_used_at
  FROM standing_approvals s JOIN accounts a ON a.id = s.account
  CROSS JOIN LATERAL (
    SELECT count(*)::integer AS used, max(c.decided_at) AS last_used_at,
      (count(*) FILTER (WHERE c.decided_at >= this_day()))::integer AS used_today
    FROM calls c WHERE c.decided_by = s.id) u`
const counted = countedAnd('')
const countedFor = (key: string): string => countedAnd(`, ${isForKey(key)} AS for_key`)

/** The user's rules: newest first, revoked ones last. `app`: only of this app. */
export async function listStanding(db: Db, owner: string, app?: string): Promise<readonly StandingUse[]> {
  const { rows } = await db.query<StandingUse>(
    `${counted} WHERE s.owner = $1 AND ($2::text IS NULL OR s.app = $2) ORDER BY s.revoked_at IS NOT NULL, s.id DESC LIMIT 200`,
    [owner, app ?? null],
  )
  return rows
}

export async function findStanding(db: Db, owner: string, id: string): Promise<StandingUse | undefined> {
  const { rows } = await db.query<StandingUse>(`${counted} WHERE s.id = $1 AND s.owner = $2`, [id, owner])
  return rows[0]
}

/** Rules for a waiting call's endpoint and account, with usage, to explain why none covers it. */
export async function standingBeside(
  db: Db,
  { owner, account, app, endpoint, key_id }: StandingPlace & { readonly key_id: string },
): Promise<readonly (StandingUse & { readonly for_key: boolean })[]> {
  const { rows } = await db.query<StandingUse & { readonly for_key: boolean }>(
    `${countedFor('$5')} WHERE s.owner = $1 AND s.account = $2 AND s.app = $3 AND s.endpoint = $4 AND s.revoked_at IS NULL ORDER BY s.id`,
    [owner, account, app, endpoint, key_id],
  )
  return rows
}
