import { createHash } from 'node:crypto'
import type { FileOf } from '../kit/files.ts'
import { formBytes } from './forms/encode.ts'

/** A body: form fields, text, fields with files (by hash), or a file. `encoding`: if not UTF-8. */
export type RenderedBody =
  | { readonly form: readonly (readonly [string, string])[]; readonly encoding?: string }
  | { readonly text: string }
  | { readonly multipart: readonly MultipartField[]; readonly boundary: string; readonly encoding?: string }
  | { readonly file: FileOf }

/** A multipart field: a text, a file's metadata, or `noFile` for an empty file input. */
export type MultipartField = readonly [name: string, value: string | FileOf | { readonly noFile: true }]

/**
 * The boundary is a hash of the fields and file hashes, so it is part of what is approved, and no
 * content can be made to contain it.
 */
export function boundaryOf(fields: readonly MultipartField[]): string {
  const hash = createHash('sha256').update(JSON.stringify(fields)).digest('base64url')
  return `----WebKitFormBoundary${hash.replaceAll(/[-_]/g, 'x').slice(0, 24)}`
}

/**
 * The body as browsers write it. `bytesOf`: content of a file of the call.
 * Source: https://html.spec.whatwg.org/#multipart-form-data
 */
export function multipartBody(
  fields: readonly MultipartField[],
  { boundary, encoding }: { readonly boundary: string; readonly encoding?: string },
  bytesOf: (file: FileOf) => Buffer,
): Buffer {
  const bytes = (text: string): Buffer => formBytes(text, encoding)
  const parts = fields.flatMap(([name, value]): Buffer[] => {
    const field = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(lineBreaks(name))}"`
    if (typeof value === 'string') return [bytes(`${field}\r\n\r\n${lineBreaks(value)}\r\n`)]
    return 'noFile' in value
      ? [bytes(`${field}; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n\r\n`)]
      : [
          bytes(`${field}; filename="${quoted(value.name)}"\r\nContent-Type: ${value.type}\r\n\r\n`),
          bytesOf(value),
          Buffer.from('\r\n'),
        ]
  })
  return Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])
}

const lineBreaks = (text: string): string => text.replaceAll(/\r\n|\r|\n/g, '\r\n')

const quoted = (text: string): string => text.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')
