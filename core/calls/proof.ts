import { valueAt } from '../../connectors/runtime/values.ts'
import type { Verify } from '../../connectors/kit/declared.ts'
import type { Fields } from '../../connectors/kit/wire.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import type { Seen } from '../approvals/look-ups.ts'
import type { Db } from '../database/pool.ts'
import type { CallRow } from './rows.ts'

/** Shorter texts are not distinctive, in characters. */
const leastWords = 20
/** In ms: a recheck's age is under 60 s and a send takes less than 60 s; the rest is margin. */
const lately = 300_000

interface Found {
  readonly verify: Verify
  readonly input: Fields
  /** What the approver saw, confirmed less than a minute before the send; undefined: nothing. */
  readonly seen: Seen | undefined
  /** The entities that match. */
  readonly fitting: readonly unknown[]
}

/**
 * The write's output, if the only match is certainly this call's, unless `othersWereAtIt`.
 * Undefined: it may be an equal call's.
 */
export function provenOutput(write: Endpoint, { verify, input, seen, fitting }: Found): Fields | undefined {
  const { proof } = verify
  const [thing, ...others] = fitting
  if (proof === undefined || thing === undefined || others.length > 0) return undefined
  const words = valueAt(input, proof.words)
  if (typeof words !== 'string' || words.trim().length < leastWords) return undefined
  const wasOtherwise = Object.entries(proof.before).every(([path, values]) => {
    const told = (seen?.things ?? []).filter((one) => one.values !== undefined && Object.hasOwn(one.values, path))
    return told.length === 1 && values.some((value) => value === told[0]?.values?.[path])
  })
  if (!wasOtherwise) return undefined
  const output = Object.fromEntries(Object.entries(proof.output).map(([field, path]) => [field, valueAt(thing, path)]))
  return write.checkOutput(output) ? output : undefined
}

/** Whether any user's call may have just done the same in that app: it proves nothing then. */
export async function othersWereAtIt(
  db: Db,
  { id, account, endpoint }: Pick<CallRow, 'id' | 'account' | 'endpoint'>,
): Promise<boolean> {
  const { rows } = await db.query<{ others: boolean }>(
    `SELECT EXISTS (
       SELECT FROM accounts mine JOIN accounts a ON a.app = mine.app AND a.external_id = mine.external_id
       JOIN calls c ON c.account = a.id
       WHERE mine.id = $2 AND c.id <> $1 AND c.endpoint = $3 AND c.updated_at > clock_timestamp() - make_interval(secs => $4::double precision / 1000)
         AND (c.status IN ('executed', 'unknown') OR c.status = 'running' AND c.send = 'sending')) AS others`,
    [id, account, endpoint, lately],
  )
  return rows[0]?.others !== false
}
