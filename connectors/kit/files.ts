import { Type } from 'typebox'
import type { TUnsafe } from 'typebox'

/** File types detected by content, with the extensions that fit. */
export const fileTypes = {
  'image/jpeg': ['jpg', 'jpeg'],
  'image/png': ['png'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'application/pdf': ['pdf'],
  'application/zip': ['zip'],
  'text/csv': ['csv'],
  'text/plain': ['txt'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type FileType = keyof typeof fileTypes

/** Schema keyword of a file input, which takes a URL: `{ types, maxBytes }`. */
export const fileKey = 'x-callgate-file'

/** Per file, in bytes. */
export const largestFile = 10 * 1024 * 1024
/** All files of a call: their total size in bytes, and their number. */
export const largestFiles = 20 * 1024 * 1024
export const mostFiles = 10

/** What `encode` receives in place of a file's URL; in the request, the bytes replace it. */
export interface FileOf {
  /** Of the content, in hex. */
  readonly sha256: string
  /** From the URL, with an extension that fits the type. */
  readonly name: string
  /** Detected from the content. */
  readonly type: FileType
  /** In bytes. */
  readonly size: number
}

/**
 * A write's input: an https URL whose file is fetched when the call is accepted. `description` says
 * what the file is; accepted types and size are appended.
 * For several files: `Type.Array(file(…), { maxItems })`.
 */
export function file({
  types,
  maxBytes,
  description,
}: {
  readonly types: readonly FileType[]
  readonly maxBytes: number
  readonly description: string
}): TUnsafe<FileOf> {
  return Type.Unsafe<FileOf>({
    type: 'string',
    format: 'uri',
    maxLength: 2000,
    description: `${description} An https address: the file there is fetched once, now, and what the person approves is sent. ${types.join(', ')}; at most ${inWords(maxBytes)}.`,
    [fileKey]: { types: [...types], maxBytes },
  })
}

function inWords(bytes: number): string {
  const [size, unit] = bytes >= 1024 * 1024 ? [bytes / (1024 * 1024), 'MiB'] : [bytes / 1024, 'KiB']
  return `${Math.floor(size * 10) / 10} ${unit}`
}
