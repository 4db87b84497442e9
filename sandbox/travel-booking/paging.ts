import { hash32 } from '../platform/random.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { readCount } from './input.ts'

/** A page of a list: what comes after the row with this rank and serial. */
export interface Wish {
  take: number
  after: { rank: number; serial: number } | undefined
}

/** What a token belongs to: the account, the list and its filter. */
const seal = ({ viewer }: SignedIn, list: string): string => hash32(`${viewer.account.account} ${list}`).toString(36)

function readWish(request: SignedIn, list: string): Wish {
  const take = readCount(request.query, 'take', 1, 100, 25)
  const token = request.query.get('after')
  if (token === null) return { take, after: undefined }
  const parts = /^(-?\d{1,15}) (\d{1,15}) ([0-9a-z]+)$/.exec(Buffer.from(token, 'base64url').toString())
  if (!parts || parts[3] !== seal(request, list)) {
    throw new Refusal(400, 'AFTER_UNKNOWN', 'This belongs to no page of this list.', 'after')
  }
  return { take, after: { rank: Number(parts[1]), serial: Number(parts[2]) } }
}

/** One page: `find` answers one row more than it is asked for where there are more, which is cut off here. */
export function pageOf<T extends { serial: number }>(
  request: SignedIn,
  list: string,
  find: (wish: Wish) => T[],
  rank: (row: T) => number,
): { rows: T[]; after: string | null } {
  const wish = readWish(request, list)
  const found = find({ ...wish, take: wish.take + 1 })
  const rows = found.slice(0, wish.take)
  const last = rows.at(-1)
  if (found.length <= wish.take || !last) return { rows, after: null }
  return {
    rows,
    after: Buffer.from(`${rank(last)} ${last.serial} ${seal(request, list)}`).toString('base64url'),
  }
}
