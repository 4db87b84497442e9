import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import { isHtml, isJson } from '../kit/content-type.ts'
import { elements } from '../kit/html.ts'
import { UnknownShape } from '../kit/wire.ts'

type Headers = Readonly<Record<string, string>>
type Unpack = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>

/** The body cannot be taken; the message says why, in words for operators and without anything that it says. */
export class BadBody extends Error {}

const mebibyte = 1024 * 1024
/** A longer chain of encodings is no page. */
const mostEncodings = 3
/** So far browsers look into a page for what it says of its own encoding. */
const prescanned = 1024

/**
 * The text of an answer, read as browsers do: unpacked although nobody asked for it to be packed, and in the encoding that it is said to
 * be in. What is not understood there becomes U+FFFD; JSON has to be UTF-8. Throws `BadBody`, also for more than `maxBytes` unpacked.
 * Source: https://encoding.spec.whatwg.org and https://html.spec.whatwg.org/#determining-the-character-encoding
 */
export async function bodyText(bytes: Buffer, headers: Headers, maxBytes: number): Promise<string> {
  const type = headers['content-type'] ?? ''
  const body = await unpacked(bytes, headers['content-encoding'] ?? '', maxBytes)
  return isJson(type) ? json(body) : new TextDecoder(marked(body) ?? said(type) ?? presumed(type, body)).decode(body)
}

export function tooBig(maxBytes: number): BadBody {
  return new BadBody(`more than ${Number((maxBytes / mebibyte).toFixed(3))} MiB`)
}

const unpackers: Readonly<Record<string, Unpack>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: (bytes, options) => promisify(isZlib(bytes) ? inflate : inflateRaw)(bytes, options),
  br: promisify(brotliDecompress),
}

/** Named in the order in which they were put on. */
async function unpacked(bytes: Buffer, encodings: string, maxBytes: number): Promise<Buffer> {
  const names = encodings
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  const packed = names.filter((name) => name !== '' && name !== 'identity').toReversed()
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

/** `deflate` should come with zlib's header; some servers leave it out. */
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

/** A byte order mark counts more than whatever is said. */
function marked(body: Buffer): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8'
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be'
  return body[0] === 0xff && body[1] === 0xfe ? 'utf-16le' : undefined
}

function said(contentType: string): string | undefined {
  return known(/;\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;]*))/i.exec(contentType)?.slice(1).find(Boolean))
}

function presumed(contentType: string, body: Buffer): string {
  return isHtml(contentType) ? (inPage(body.toString('latin1', 0, prescanned)) ?? 'windows-1252') : 'utf-8'
}

/** What a page says of itself. It could not say so in UTF-16. */
function inPage(start: string): string | undefined {
  for (const { attributes } of metas(start)) {
    const charset = attributes.get('charset') ?? contentTypeOf(attributes)
    const name = known(charset)
    if (name !== undefined) return name.startsWith('utf-16') ? 'utf-8' : name
  }
  return undefined
}

function metas(start: string): ReturnType<typeof elements> {
  try {
    return elements(start, 'meta')
  } catch (error) {
    if (error instanceof UnknownShape) return []
    throw error
  }
}

function contentTypeOf(meta: ReadonlyMap<string, string>): string | undefined {
  if (meta.get('http-equiv')?.toLowerCase() !== 'content-type') return undefined
  return /charset\s*=\s*["']?([^\s"';]+)/i.exec(meta.get('content') ?? '')?.[1]
}

/** The encoding of this label; one that nobody knows is as if it were not there. */
function known(label: string | undefined): string | undefined {
  if (label === undefined) return undefined
  try {
    return new TextDecoder(label).encoding
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
