import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type Koa from 'koa'

/** In bytes: what fits into one packet is not worth compressing. */
const worthPacking = 1_400
/** About as small as gzip's best, in a fifth of the time. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

const [brotli, zipped] = [promisify(brotliCompress), promisify(gzip)]

/**
 * Compresses whole pages, not fragments, streams or form responses (these may show one-time
 * secrets). The compressed length leaks matches of secrets with attacker-chosen text (BREACH), so
 * personal pages are compressed only for navigations by the user or from our own pages, which an
 * attacker cannot trigger repeatedly.
 */
export async function packPage(koa: Koa.Context): Promise<void> {
  const { body, status, method } = koa
  if (typeof body !== 'string' || status !== 200 || method !== 'GET' || !koa.response.is('html')) return
  koa.vary('Accept-Encoding')
  if (body.length < worthPacking || !(isOfNobody(koa) || isOwnVisit(koa))) return
  const encoding = koa.acceptsEncodings('br', 'gzip', 'identity')
  if (encoding !== 'br' && encoding !== 'gzip') return
  koa.body = encoding === 'br' ? await brotli(body, quality) : await zipped(body)
  koa.set('Content-Encoding', encoding)
}

/** Cacheable: it holds no personal data. */
function isOfNobody(koa: Koa.Context): boolean {
  return koa.response.get('Cache-Control') === 'no-cache'
}

function isOwnVisit(koa: Koa.Context): boolean {
  return koa.get('Sec-Fetch-Dest') === 'document' && ['none', 'same-origin'].includes(koa.get('Sec-Fetch-Site'))
}
