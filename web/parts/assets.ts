import { assets } from './asset-files.ts'
import { PageError } from '../page-error.ts'
import type { AnyVisit } from '../visit.ts'

export function serveAsset({ koa, params }: AnyVisit<'asset'>): void {
  const asset = assets.get(params.asset)
  if (asset === undefined) throw new PageError(404, 'Not found', 'There is no such file.')
  const current = koa.URL.searchParams.get('v') === asset.version
  koa.set('Cache-Control', current ? 'public, max-age=31536000, immutable' : 'public, no-cache')
  koa.vary('Accept-Encoding')
  const encoding = koa.acceptsEncodings('br', 'gzip', 'identity')
  const packed = encoding === 'br' || encoding === 'gzip' ? asset.packed(encoding) : undefined
  // The same file in other bytes: the tag is a weak one then (RFC 9110, 8.8.1).
  koa.etag = packed === undefined ? asset.version : `W/"${asset.version}"`
  koa.status = 200
  if (koa.fresh) {
    koa.status = 304
    return
  }
  koa.type = asset.type
  if (packed !== undefined) koa.set('Content-Encoding', String(encoding))
  koa.body = packed ?? asset.body
}
