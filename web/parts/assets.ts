import type Koa from 'koa'
import type { Context } from '../../core/context.ts'
import { assets } from './asset-files.ts'
import { PageError } from '../reply.ts'

export function serveAsset(_ctx: Context, koa: Koa.Context, name: string): void {
  const asset = assets.get(name)
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
