import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Apps } from '../../connectors/registry.ts'
import type { Http } from './api.ts'

/** What fits into one packet is not worth packing. */
const worthPacking = 1_400

/** A text that clients may keep and ask for again. It holds nothing secret: what is packed together with secrets gives them away. */
export interface Document {
  readonly type: string
  readonly text: string
  readonly etag: string
  /** Packed when it is first asked for; undefined: not worth it. */
  readonly gzip: () => Buffer | undefined
}

export function documentOf(type: string, content: string): Document {
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`
  let packed: Buffer | undefined
  const gzip = () => (content.length < worthPacking ? undefined : (packed ??= gzipSync(content)))
  return { type: `${type}; charset=utf-8`, text: content, etag, gzip }
}

/** 304 when the client has it already, packed or not. */
export function replyDocument(http: Http, { type, text, etag, gzip }: Document): void {
  const packed = http.acceptsEncodings('gzip', 'identity') === 'gzip' ? gzip() : undefined
  http.status = 200
  http.set('Cache-Control', 'no-cache')
  http.vary('Accept-Encoding')
  // The same text in other bytes: the tag is a weak one then (RFC 9110, 8.8.1).
  http.set('ETag', packed === undefined ? etag : `W/${etag}`)
  http.type = type
  if (http.fresh) {
    http.status = 304
    return
  }
  if (packed !== undefined) http.set('Content-Encoding', 'gzip')
  http.body = packed ?? text
}

/** Builds a document when it is first asked for, anew each day (UTC), as its examples move with the date, and anew when there are other apps. */
export function daily(apps: Pick<Apps, 'all'>, build: (today: Date) => Document): () => Document {
  let day = ''
  let of: Apps['all'] | undefined
  let built: Document | undefined
  return () => {
    const now = new Date()
    const today = now.toISOString().slice(0, 10)
    if (built === undefined || today !== day || of !== apps.all) [day, of, built] = [today, apps.all, build(now)]
    return built
  }
}
