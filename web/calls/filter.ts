import type { CallFilter } from '../../core/calls/find.ts'
import type { Apps } from '../../connectors/registry.ts'
import type { Db } from '../../core/database/pool.ts'
import { callStatuses } from '../../schemas/call.ts'
import type { Access, CallStatus } from '../../schemas/call.ts'
import { callIdFrom, isCallId } from '../../schemas/ids.ts'
import { onTheCalendar } from '../parts/time.tsx'
import { longestSearch, wordsOf } from './search-words.ts'

const dayMs = 86_400_000
const lastDay = Date.UTC(9999, 11, 31)

/** Who made calls: a key lineage, or an OAuth grant. */
export interface Asker {
  readonly line: string
  readonly name: string
  readonly keys: readonly string[]
  /** Still valid. */
  readonly valid: boolean
}

/** The owner's, valid ones first. */
export async function askersOf(db: Db, owner: string): Promise<readonly Asker[]> {
  const { rows } = await db.query<Asker>(
    `SELECT line, (array_agg(name ORDER BY turn DESC))[1] AS name, array_agg(id) AS keys,
       bool_or(is_valid_key(k)) AS valid
     FROM api_keys k WHERE owner = $1 GROUP BY line ORDER BY valid DESC, max(created_at) DESC LIMIT 200`,
    [owner],
  )
  return rows
}

/** The filters of the call list, validated. */
export interface Chosen {
  readonly q: string | undefined
  readonly status: CallStatus | undefined
  readonly app: string | undefined
  /** An action of that app. */
  readonly action: string | undefined
  /** A key lineage. */
  readonly key: string | undefined
  readonly access: Access | undefined
  /** UTC days, both inclusive. */
  readonly from: string | undefined
  readonly until: string | undefined
}

export function readChosen(query: URLSearchParams, apps: Apps, askers: readonly Asker[]): Chosen {
  const app = apps.get(query.get('app') ?? '')
  const [from, until] = ['from', 'until'].map((name) => query.get(name) ?? '')
  return {
    q: query.get('q')?.trim().slice(0, longestSearch) || undefined,
    status: callStatuses.find((known) => known === query.get('status')),
    app: app?.slug,
    action: app?.endpoints.get(query.get('action') ?? '')?.name,
    key: askers.find(({ line }) => line === query.get('key'))?.line,
    access: (['write', 'read'] as const).find((known) => known === query.get('access')),
    from: startOf(from) === undefined ? undefined : from,
    until: startOf(until) === undefined ? undefined : until,
  }
}

/** As a URL, without unset filters. */
export function addressOf(path: string, chosen: Chosen, more: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(more)
  for (const [name, value] of Object.entries<string | undefined>({ ...chosen }))
    if (value !== undefined) query.set(name, value)
  return query.size === 0 ? path : `${path}?${query.toString()}`
}

/** Filter for calls below the id `older`, and the search words. A full call id finds that call. */
export function filterOf(
  owner: string,
  chosen: Chosen,
  askers: readonly Asker[],
  older?: string,
): { readonly filter: CallFilter; readonly words: readonly string[] } {
  const { q, status, app, action, key, access, from, until } = chosen
  const id = q === undefined ? undefined : callIdIn(q)
  const [start, end] = [startOf(from), startOf(until)]
  return {
    filter: {
      owner,
      status,
      app,
      endpoint: action,
      access,
      keys: key === undefined ? undefined : (askers.find(({ line }) => line === key)?.keys ?? []),
      id,
      from: start === undefined ? undefined : callIdFrom(start),
      before: [older, end === undefined ? undefined : callIdFrom(end + dayMs)]
        .filter((id) => id !== undefined)
        .toSorted()[0],
    },
    words: id !== undefined || q === undefined ? [] : wordsOf(q),
  }
}

function callIdIn(text: string): string | undefined {
  const [, name] = /^call_(\w+)$/i.exec(text) ?? []
  const id = `call_${name?.toUpperCase() ?? ''}`
  return isCallId(id) ? id : undefined
}

/** Start of a UTC day, in ms; undefined for an invalid date. */
function startOf(day: string | undefined): number | undefined {
  if (day === undefined || onTheCalendar(day) === undefined) return undefined
  const start = Date.parse(`${day}T00:00:00Z`)
  return start >= 0 && start < lastDay ? start : undefined
}
