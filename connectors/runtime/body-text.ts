import { isUtf8 } from 'node:buffer'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import sniffed from 'html-encoding-sniffer'
import { isHtml, isJson, isLikeJson } from '../kit/content-type.ts'

type Headers = Readonly<Record<string, string>>
type Unpack = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>

export interface BodyText {
  readonly text: string
  /** The encoding of the byte order mark, which is stripped from the text. */
  readonly mark?: string
}

/** The body cannot be read; the message says why, for operators, without any of its content. */
export class BadBody extends Error {}

const mebibyte = 1024 * 1024
/** No legitimate page has more content encodings. */
const mostEncodings = 3
/** Bytes that browsers scan for a page's own declaration of its encoding. */
const prescanned = 1024

/**
 * The text of an answer, decoded as browsers do: decompressed even if unasked, and in its declared
 * encoding. Invalid bytes become U+FFFD; JSON has to be UTF-8. Throws `BadBody`, also for more than
 * `maxBytes`. Source: https://encoding.spec.whatwg.org and
 * https://html.spec.whatwg.org/#determining-the-character-encoding
 */
export async function bodyText(bytes: Buffer, headers: Headers, maxBytes: number): Promise<BodyText> {
  const type = headers['content-type'] ?? ''
  const body = await unpacked(bytes, headers['content-encoding'] ?? '', maxBytes)
  if (isJson(type)) return { text: json(body) }
  const mark = marked(body)
  const text = new TextDecoder(mark ?? said(type) ?? presumed(type, body)).decode(body)
  return { text, ...(mark !== undefined && { mark }) }
}

/** The encoding that a page declares, by its type or in its text; undefined if none. */
export function saidEncoding(type: string, text: string): string | undefined {
  return said(type) ?? inPage(Buffer.from(text.slice(0, prescanned), 'latin1'))
}

export function tooBig(maxBytes: number): BadBody {
  return new BadBody(`more than ${Number((maxBytes / mebibyte).toFixed(3))} MiB`)
}

const raw = promisify(inflateRaw)
const unpackers: Readonly<Record<string, Unpack>> = {
  gzip: orWithoutEnd(promisify(gunzip), gzipHead),
  'x-gzip': orWithoutEnd(promisify(gunzip), gzipHead),
  deflate: orWithoutEnd(
    (bytes, options) => (isZlib(bytes) ? promisify(inflate)(bytes, options) : raw(bytes, options)),
    (bytes) => (isZlib(bytes) ? 2 : undefined),
  ),
  br: promisify(brotliDecompress),
}
/** Codings that cannot be decompressed. As in browsers, an unknown word (`none`) is no coding. */
const otherPacking: ReadonlySet<string> = new Set([
  'compress',
  'x-compress',
  'zstd',
  'dcb',
  'dcz',
  'exi',
  'pack200-gzip',
  'aes128gcm',
])

/** The header lists encodings in the order they were applied. */
async function unpacked(bytes: Buffer, encodings: string, maxBytes: number): Promise<Buffer> {
  const names = encodings
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  const packed = names.filter((name) => Object.hasOwn(unpackers, name) || otherPacking.has(name)).toReversed()
  if (packed.length > mostEncodings) throw new BadBody('packed too many times')
  let body = bytes
  for (const name of packed) body = await unpackedOnce(body, name, maxBytes)
  return body
}

async function unpackedOnce(bytes: Buffer, name: string, maxBytes: number): Promise<Buffer> {
  const unpack = Object.hasOwn(unpackers, name) ? unpackers[name] : undefined
  if (unpack === undefined) throw new BadBody('packed in a way that is not known')
  if (bytes.length === 0) return bytes
  try {
    return await unpack(bytes, { maxOutputLength: maxBytes })
  } catch (error) {
    const isBomb = error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    throw isBomb ? tooBig(maxBytes) : new BadBody(`not the ${name} that it is said to be`)
  }
}

/** Some servers omit the checksum. Compressed data marks its own end, so a cut still shows. */
function orWithoutEnd(unpack: Unpack, headOf: (bytes: Buffer) => number | undefined): Unpack {
  return async (bytes, options) => {
    try {
      return await unpack(bytes, options)
    } catch (error) {
      const isShort = error instanceof Error && 'code' in error && error.code === 'Z_BUF_ERROR'
      const head = isShort ? headOf(bytes) : undefined
      if (head === undefined) throw error
      return raw(bytes.subarray(head), options)
    }
  }
}

/** Length of the header. Source: https://www.rfc-editor.org/rfc/rfc1952#section-2.3 */
function gzipHead(bytes: Buffer): number | undefined {
  const flags = bytes[3] ?? 0
  let at = 10
  if (flags & 4) at += 2 + (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0)
  // A name and a comment, each terminated by a zero byte.
  for (const flag of [8, 16]) if (flags & flag) at = bytes.indexOf(0, at) + 1 || bytes.length
  if (flags & 2) at += 2
  return at < bytes.length ? at : undefined
}

/** `deflate` should have zlib's header; some servers omit it. */
function isZlib(bytes: Buffer): boolean {
  return bytes.length > 1 && ((bytes[0] ?? 0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0
}

function json(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw new BadBody('JSON that is not UTF-8')
  }
}

/** A byte order mark overrides every declaration. */
function marked(body: Buffer): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8'
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be'
  return body[0] === 0xff && body[1] === 0xfe ? 'utf-16le' : undefined
}

function said(contentType: string): string | undefined {
  return known(/;\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;]*))/i.exec(contentType)?.slice(1).find(Boolean))
}

function presumed(contentType: string, body: Buffer): string {
  // JSON that is labelled as a page: scripts that read it assume UTF-8.
  if (isLikeJson(body.toString('latin1', 0, prescanned)) && isUtf8(body)) return 'utf-8'
  return isHtml(contentType) ? (inPage(body.subarray(0, prescanned)) ?? 'windows-1252') : 'utf-8'
}

/** The encoding that a page declares in its text. */
function inPage(start: Uint8Array): string | undefined {
  return known(sniffed(start, { defaultEncoding: '', maxPrescanBytes: prescanned }))
}

/** The encoding of this label; an unknown label counts as absent. */
function known(label: string | undefined): string | undefined {
  if (label === undefined) return undefined
  try {
    return new TextDecoder(label).encoding
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
