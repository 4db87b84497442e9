import { createHash } from 'node:crypto'
import type { FileOf } from '../kit/files.ts'

/** A form's fields, in order, or a text as it is; or with files, which stand there by their hashes. */
export type RenderedBody =
  | { readonly form: readonly (readonly [string, string])[] }
  | { readonly text: string }
  | { readonly multipart: readonly MultipartField[]; readonly boundary: string }
  | { readonly file: FileOf }

/** A field of a multipart body: a text, or a file by what it is known by; or the place of a file, where none is chosen. */
export type MultipartField = readonly [name: string, value: string | FileOf | { readonly noFile: true }]

/**
 * What stands between the fields. It comes of the fields and of the hashes of the files, and is part of what is approved; that it stands in one of them,
 * nobody can bring about.
 */
export function boundaryOf(fields: readonly MultipartField[]): string {
  const hash = createHash('sha256').update(JSON.stringify(fields)).digest('base64url')
  return `----WebKitFormBoundary${hash.replaceAll(/[-_]/g, 'x').slice(0, 24)}`
}

/**
 * The body as browsers write it. `bytesOf`: of a file of the call.
 * Source: https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data
 */
export function multipartBody(
  fields: readonly MultipartField[],
  boundary: string,
  bytesOf: (file: FileOf) => Buffer,
): Buffer {
  const parts = fields.flatMap(([name, value]): Buffer[] => {
    const field = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(lineBreaks(name))}"`
    if (typeof value === 'string') return [Buffer.from(`${field}\r\n\r\n${lineBreaks(value)}\r\n`)]
    return 'noFile' in value
      ? [Buffer.from(`${field}; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n\r\n`)]
      : [
          Buffer.from(`${field}; filename="${quoted(value.name)}"\r\nContent-Type: ${value.type}\r\n\r\n`),
          bytesOf(value),
          Buffer.from('\r\n'),
        ]
  })
  return Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])
}

const lineBreaks = (text: string): string => text.replaceAll(/\r\n|\r|\n/g, '\r\n')

const quoted = (text: string): string => text.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')
