import { isDeepStrictEqual } from 'node:util'

/** Throws with the found and the expected value. */
export function is(what: string, found: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(found, wanted))
    throw new Error(`${what}: ${JSON.stringify(found)}, and not ${JSON.stringify(wanted)}`)
}

export function holds(what: string, found: boolean, instead: unknown = ''): void {
  if (!found) throw new Error(`${what}${instead === '' ? '' : `, but: ${JSON.stringify(instead)}`}`)
}
