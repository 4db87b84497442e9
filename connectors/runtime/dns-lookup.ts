import dns from 'node:dns'
import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'

type Answer = (error: NodeJS.ErrnoException | null, found: readonly LookupAddress[]) => void

/** Callbacks that wait for each host's addresses. */
const waiting = new Map<string, Answer[]>()

/**
 * Resolves hosts as Node does, but one lookup per host at a time. Two threads resolve for the whole
 * process, and a name with silent servers holds one for ten seconds or more: a lookup per request
 * would block all other apps.
 */
export const lookUp: LookupFunction = (host, { all }, callback) => {
  const answer: Answer = (error, found) => {
    const [first] = found
    if (first === undefined) callback(error ?? Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '')
    else if (all === true) callback(null, [...found])
    else callback(null, first.address, first.family)
  }
  const others = waiting.get(host)
  if (others !== undefined) return void others.push(answer)
  waiting.set(host, [answer])
  dns.lookup(host, { all: true }, (error, found) => {
    const answers = waiting.get(host) ?? []
    waiting.delete(host)
    for (const tell of answers) tell(error, error ? [] : found)
  })
}

/** A lookup that returns exactly these addresses. */
export function always(addresses: readonly LookupAddress[]): LookupFunction {
  return (host, { all }, callback) => {
    const [first] = addresses
    if (first === undefined) callback(Object.assign(new Error(`no address of ${host}`), { code: 'ENOTFOUND' }), '')
    else if (all === true) callback(null, [...addresses])
    else callback(null, first.address, first.family)
  }
}
