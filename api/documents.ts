import { createHash } from 'node:crypto'
import type { Http } from './api.ts'

/** A text that clients may keep and ask for again. */
export interface Document {
  readonly type: string
  readonly text: string
  readonly etag: string
}

export function documentOf(type: string, content: string): Document {
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`
  return { type: `${type}; charset=utf-8`, text: content, etag }
}

/** 304 when the client has it already. */
export function replyDocument(http: Http, { type, text, etag }: Document): void {
  http.status = 200
  http.set('Cache-Control', 'no-cache')
  http.set('ETag', etag)
  http.type = type
  if (http.fresh) http.status = 304
  else http.body = text
}

/** Builds a document when it is first asked for, and anew each day (UTC): its examples move with the date. */
export function daily(build: (today: Date) => Document): () => Document {
  let day = ''
  let built: Document | undefined
  return () => {
    const now = new Date()
    const today = now.toISOString().slice(0, 10)
    if (built === undefined || today !== day) [day, built] = [today, build(now)]
    return built
  }
}
