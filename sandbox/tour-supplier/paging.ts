import { hash32 } from '../platform/random.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'

/** A page of a list: so many rows after the one with this key. */
export interface Wish {
  size: number
  key: string[] | undefined
}

/** What a token belongs to: the account, the list and its filters. */
const seal = ({ viewer }: SignedIn, list: string): string => hash32(`${viewer.account.account} ${list}`).toString(36)

export function readWish(request: SignedIn, list: string): Wish {
  const given = request.query.get('size') ?? '25'
  const size = Number(given)
  if (!/^\d{1,3}$/.test(given) || size < 1 || size > 100) {
    throw new Refusal(400, 'PARAM_INVALID', 'size must be a whole number from 1 to 100.', 'size')
  }
  const after = request.query.get('after')
  if (after === null) return { size, key: undefined }
  const [, key, of] = /^(\d+(?:_\d+)*)-([0-9a-z]+)$/.exec(after) ?? []
  if (key === undefined || of !== seal(request, list)) {
    throw new Refusal(400, 'AFTER_UNKNOWN', 'This belongs to no page of this list.', 'after')
  }
  return { size, key: key.split('_') }
}

/** Cuts the surplus row that says whether there is a next page; `after` leads on behind the last row shown. */
export function cut<T>(
  request: SignedIn,
  list: string,
  rows: readonly T[],
  { size }: Wish,
  keyOf: (row: T) => readonly (string | number)[],
): { rows: T[]; after: string | null } {
  const shown = rows.slice(0, size)
  const last = shown.at(-1)
  if (rows.length <= size || last === undefined) return { rows: shown, after: null }
  return { rows: shown, after: `${keyOf(last).join('_')}-${seal(request, list)}` }
}
