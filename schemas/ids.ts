import { encodeTime } from 'ulid'

/** The kind of an id, by its prefix: a call, a request that is not a call, an approval rule. */
type Prefix = 'call' | 'req' | 'sta'

/** The regular expression of ids with one of these prefixes. The rest of an id is a ULID. */
export function idForm(...prefixes: readonly [Prefix, ...Prefix[]]): string {
  const prefix = prefixes.length === 1 ? prefixes[0] : `(${prefixes.join('|')})`
  return `^${prefix}_[0-9A-HJKMNP-TV-Z]{26}$`
}

const callIds = new RegExp(idForm('call'))
const standingIds = new RegExp(idForm('sta'))

export function isCallId(text: string): boolean {
  return callIds.test(text)
}

export function isStandingId(text: string): boolean {
  return standingIds.test(text)
}

/** Lower bound of call ids from that timestamp (ms since the epoch) on: ids grow with time. */
export function callIdFrom(moment: number): string {
  return `call_${encodeTime(moment, 10)}`
}
