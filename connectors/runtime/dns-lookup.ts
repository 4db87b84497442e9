import dns from 'node:dns'
import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'

type Answer = (error: NodeJS.ErrnoException | null, found: readonly LookupAddress[]) => void

/** Who waits for the addresses of each host. */
const waiting = new Map<string, Answer[]>()

/**
 * Looks hosts up as Node does by itself, but each only once at a time. Two threads do that for the whole process, and a name whose servers
 * are silent holds one for ten seconds or more: asked for anew by every request, it would keep all other apps from being reached.
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

/** A look-up that finds exactly these. */
export function always(addresses: readonly LookupAddress[]): LookupFunction {
  return (host, { all }, callback) => {
    const [first] = addresses
    if (first === undefined) callback(Object.assign(new Error(`no address of ${host}`), { code: 'ENOTFOUND' }), '')
    else if (all === true) callback(null, [...addresses])
    else callback(null, first.address, first.family)
  }
}
