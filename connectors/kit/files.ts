import { Type } from 'typebox'
import type { TUnsafe } from 'typebox'

/** Types of files that are told by their bytes, with the ends that their names may have. */
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

/** Where a schema says that an input is the address of a file, of which types and how large: `{ types, maxBytes }`. */
export const fileKey = 'x-callgate-file'

/** Of one file, in bytes. */
export const largestFile = 10 * 1024 * 1024
/** Of all files of one call, in bytes, and how many they may be. */
export const largestFiles = 20 * 1024 * 1024
export const mostFiles = 10

/** A file as `encode` has it in the place of its address: it stands for the bytes wherever it is put into the request. */
export interface FileOf {
  /** Of its bytes, in hex. */
  readonly sha256: string
  /** Out of its address, with an end that goes with its type. */
  readonly name: string
  /** As its bytes say. */
  readonly type: FileType
  /** In bytes. */
  readonly size: number
}

/**
 * An input of a write: an https address, whose file is fetched when the call is accepted. `description` says what the file is; what is taken is said
 * beside it. Or `Type.Array(file(…), { maxItems })`, for several.
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
