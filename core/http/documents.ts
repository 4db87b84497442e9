import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Apps } from '../../connectors/registry.ts'
import type { Http } from './api.ts'

/** In characters: what fits into one packet is not worth compressing. */
const worthPacking = 1_400

/** A cacheable text or file. It must hold no secrets, which compression could leak (BREACH). */
export interface Document {
  readonly type: string
  readonly content: string | Buffer
  readonly etag: string
  /** Compressed on first use; undefined: not worth it. */
  readonly gzip: () => Buffer | undefined
}

/** Texts are compressed on demand, bytes never. */
export function documentOf(type: string, content: string | Buffer): Document {
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`
  let packed: Buffer | undefined
  if (typeof content !== 'string') return { type, content, etag, gzip: () => undefined }
  const gzip = () => (content.length < worthPacking ? undefined : (packed ??= gzipSync(content)))
  return { type: `${type}; charset=utf-8`, content, etag, gzip }
}

/** Responds 304 if the client has it already, compressed or not. */
export function replyDocument(http: Http, { type, content, etag, gzip }: Document): void {
  const packed = http.acceptsEncodings('gzip', 'identity') === 'gzip' ? gzip() : undefined
  http.status = 200
  http.set('Cache-Control', 'no-cache')
  http.vary('Accept-Encoding')
  // Another encoding of the same content gets a weak tag (RFC 9110, 8.8.1).
  http.set('ETag', packed === undefined ? etag : `W/${etag}`)
  http.type = type
  if (http.fresh) {
    http.status = 304
    return
  }
  if (packed !== undefined) http.set('Content-Encoding', 'gzip')
  http.body = packed ?? content
}

/**
 * Builds a document on demand; again each day (UTC), as examples have dates, and for other apps.
 */
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
