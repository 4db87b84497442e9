import { valueAt } from '../../connectors/runtime/values.ts'
import type { Verify } from '../../connectors/kit/declared.ts'
import type { Fields } from '../../connectors/kit/wire.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import type { Seen } from '../approvals/look-ups.ts'
import type { Db } from '../database/pool.ts'
import type { CallRow } from './rows.ts'

/** Shorter words may be anybody's: in characters. */
const leastWords = 20
/** Who looked at a thing right before the sending did so within a minute, and the sending takes less than another; some more, to be sure, in ms. */
const lately = 300_000

interface Found {
  readonly verify: Verify
  readonly input: Fields
  /** What the person saw of the call's things, which was so less than a minute before the sending; undefined: nothing. */
  readonly seen: Seen | undefined
  /** The things that fit. */
  readonly fitting: readonly unknown[]
}

/** The write's output, where what was found is surely of this very call, if nobody else was at it; undefined: it may be of an equal one. */
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

/** Whether another call may have done the same to the same account of the app a moment ago, whoever's it is: then nothing found is surely of this one. */
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
