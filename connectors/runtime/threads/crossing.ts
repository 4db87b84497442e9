import type { HttpRequest } from '../http.ts'

/** A request for `postMessage`, which can transfer neither a `URL` nor a `Buffer`. */
export type CrossingRequest = Omit<HttpRequest, 'url' | 'body'> & {
  readonly url: string
  readonly body: string | Uint8Array | null
}

export function crossing({ url, ...request }: HttpRequest): CrossingRequest {
  return { ...request, url: url.href }
}

export function requestOf({ url, body, ...request }: CrossingRequest): HttpRequest {
  return { ...request, url: new URL(url), body: body === null || typeof body === 'string' ? body : Buffer.from(body) }
}
