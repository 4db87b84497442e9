import { Agent, request } from 'undici'
import { always } from '../../connectors/runtime/dns-lookup.ts'
import { codeOf } from '../error-labels.ts'
import { addressesOf, mayReach } from './address.ts'

const answerLimit = 64 * 1024

interface Posting {
  readonly body: string | Buffer
  readonly headers: Readonly<Record<string, string>>
}

export interface Posted {
  readonly delivered: boolean
  /** The HTTP status, or one word for why there is none. */
  readonly result: string
}

/**
 * One attempt. Resolves the host and connects to exactly the checked addresses: no DNS rebinding.
 * Follows no redirects; only the status counts. Throws only the abort reason of `signal`.
 */
export async function post(
  to: string,
  message: Posting,
  networks: readonly string[],
  signal: AbortSignal,
): Promise<Posted> {
  const timeout = AbortSignal.timeout(15_000)
  const either = AbortSignal.any([signal, timeout])
  try {
    return await send(new URL(to), message, networks, either)
  } catch (error) {
    signal.throwIfAborted()
    return { delivered: false, result: timeout.aborted ? 'timeout' : reasonOf(error) }
  }
}

async function send(url: URL, message: Posting, networks: readonly string[], signal: AbortSignal): Promise<Posted> {
  const addresses = await before(signal, addressesOf(url, signal))
  if (!addresses.every(({ address }) => mayReach(address, url.protocol, networks)))
    return { delivered: false, result: 'private_address' }
  const agent = new Agent({ allowH2: false, connect: { lookup: always(addresses) } })
  try {
    const { statusCode, body } = await request(url, { method: 'POST', ...message, dispatcher: agent, signal })
    // The status decides: an answer that is cut short after it changes nothing.
    await body.dump({ limit: answerLimit, signal }).catch(() => undefined)
    return { delivered: statusCode >= 200 && statusCode < 300, result: String(statusCode) }
  } finally {
    await agent.destroy()
  }
}

/** Stops waiting on abort for work that cannot be cancelled itself, such as a DNS query. */
export async function before<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(new Error('aborted'))
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([work, late])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

const reasons: readonly (readonly [RegExp, string])[] = [
  [/^(ENOTFOUND|EAI_|ENODATA)/, 'unknown_host'],
  [/^ECONNREFUSED$/, 'refused'],
  [/TIMEOUT|^ETIMEDOUT$/, 'timeout'],
  [/CERT|TLS|SSL|SIGNATURE|EPROTO/, 'tls'],
]

/** A network error in one word: its text may quote the remote side. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error) ?? ''
  return reasons.find(([pattern]) => pattern.test(code))?.[1] ?? 'lost'
}
