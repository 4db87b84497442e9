import { createRequire } from 'node:module'
import { isIP } from 'node:net'
import type { Proxy } from '../browser/chromium.ts'
import { bare } from '../browser/bare-host.ts'

/** What the API requests from the browser service, in the header `x-callgate-browser`. */
export interface BrowserRequest {
  /** Version of playwright-core at the API. Both ends must have the same one. */
  readonly playwright: string
  /** The browser's only way out; null: only check whether a browser could start. */
  readonly proxy: Proxy | null
  readonly scale: number
}

export const requestHeader = 'x-callgate-browser'

/** Statuses for an API of another version, and when all browsers are in use. */
export const answers = { otherVersion: 426, full: 503 } as const

export function playwrightVersion(): string {
  const { version } = createRequire(import.meta.url)('playwright-core/package.json') as { version: string }
  return version
}

export function encodeRequest(request: BrowserRequest): string {
  return Buffer.from(JSON.stringify(request)).toString('base64url')
}

/**
 * Undefined for an invalid request. The proxy's host must be an IP address: it becomes part of
 * Chromium's host resolver rules.
 */
export function decodeRequest(text: string | undefined): BrowserRequest | undefined {
  try {
    const value = JSON.parse(Buffer.from(text ?? '', 'base64url').toString('utf8')) as Partial<BrowserRequest> | null
    const { playwright, proxy, scale } = value ?? {}
    if (typeof playwright !== 'string' || typeof scale !== 'number' || !(scale >= 0.5 && scale <= 4)) return undefined
    if (proxy === null) return { playwright, proxy, scale }
    return isProxy(proxy) ? { playwright, proxy, scale } : undefined
  } catch {
    return undefined
  }
}

function isProxy(value: unknown): value is Proxy {
  const { server, username, password } = (value ?? {}) as Partial<Record<keyof Proxy, unknown>>
  if (typeof server !== 'string' || typeof username !== 'string' || typeof password !== 'string') return false
  const url = URL.parse(server)
  return url?.protocol === 'http:' && url.origin === server && isIP(bare(url.hostname)) !== 0
}
