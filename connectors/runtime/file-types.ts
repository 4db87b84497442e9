import { isUtf8 } from 'node:buffer'
import { fileTypes } from '../kit/files.ts'
import type { FileType } from '../kit/files.ts'

const ascii =
  (text: string, at = 0) =>
  (bytes: Buffer) =>
    bytes.subarray(at, at + text.length).toString('latin1') === text

/** The leading bytes of each type. */
const beginnings: Readonly<Record<FileType, (bytes: Buffer) => boolean>> = {
  'image/jpeg': ascii('\u00ff\u00d8\u00ff'),
  'image/png': ascii('\u0089PNG\r\n\u001a\n'),
  'image/gif': (bytes) => ascii('GIF87a')(bytes) || ascii('GIF89a')(bytes),
  'image/webp': (bytes) => ascii('RIFF')(bytes) && ascii('WEBP', 8)(bytes),
  'application/pdf': ascii('%PDF-'),
  'application/zip': ascii('PK\u0003\u0004'),
  'text/csv': isText,
  'text/plain': isText,
}

/** The first of these types that matches the bytes, whatever type their sender declares. */
export function typeOfBytes(bytes: Buffer, types: readonly FileType[]): FileType | undefined {
  return types.find((type) => beginnings[type](bytes))
}

/** The name that the app sees: the URL's last segment, made safe, with the type's extension. */
export function fileName(url: URL, type: FileType): string {
  const last = url.pathname.split('/').at(-1) ?? ''
  const name = decoded(last)
    .replaceAll(/[^\p{L}\p{N} ._()-]+/gu, '_')
    .replace(/^[. ]+/, '')
    .slice(0, 100)
    .toWellFormed()
  const ends: readonly string[] = fileTypes[type]
  const fits = ends.some((end) => name.length > end.length + 1 && name.toLowerCase().endsWith(`.${end}`))
  return fits ? name : `${name || 'file'}.${ends[0] ?? ''}`
}

/** Non-empty UTF-8 without control characters except whitespace. */
function isText(bytes: Buffer): boolean {
  return bytes.length > 0 && isUtf8(bytes) && !bytes.some(isControl)
}

function isControl(byte: number): boolean {
  return byte < 0x20 ? byte < 0x09 || byte > 0x0d : byte === 0x7f
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    // Not valid UTF-8: keep the name undecoded.
    return step
  }
}
