import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type Koa from 'koa'

/** What fits into one packet is not worth packing. */
const worthPacking = 1_400
/** About as small as gzip's best, in a fifth of its time. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

const [brotli, zipped] = [promisify(brotliCompress), promisify(gzip)]

/**
 * Packs whole pages: no part of one, no stream, no answer to a form, which may show a secret that is shown once. How long a packed page is
 * tells of what is equal in it, also of somebody's token and what somebody else wrote (BREACH): a page of a person is packed only where they
 * themselves, or a page of ours, made the browser ask for it, so that nobody can have it asked for over and over again.
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

/** Caches may keep it: it holds nothing of anybody. */
function isOfNobody(koa: Koa.Context): boolean {
  return koa.response.get('Cache-Control') === 'no-cache'
}

function isOwnVisit(koa: Koa.Context): boolean {
  return koa.get('Sec-Fetch-Dest') === 'document' && ['none', 'same-origin'].includes(koa.get('Sec-Fetch-Site'))
}
