import { assets } from './asset-files.ts'
import { PageError } from '../page-error.ts'
import type { AnyVisit } from '../visit.ts'

export function serveAsset({ koa, params }: AnyVisit<'asset'>): void {
  const asset = assets.get(params.asset)
  if (asset === undefined) throw new PageError(404, 'Not found', 'There is no such file.')
  const current = koa.URL.searchParams.get('v') === asset.version
  koa.set('Cache-Control', current ? 'public, max-age=31536000, immutable' : 'public, no-cache')
  koa.etag = asset.version
  koa.status = 200
  if (koa.fresh) {
    koa.status = 304
    return
  }
  koa.type = asset.type
  koa.body = asset.body
}
