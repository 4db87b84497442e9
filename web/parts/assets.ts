import type Koa from 'koa'
import { assets, assetUrl } from './asset-files.ts'
import { PageError } from '../page-error.ts'
import type { AnyVisit } from '../visit.ts'

export function serveAsset({ koa, params }: AnyVisit<'asset'>): void {
  serve(koa, params.asset)
  // Page headers do not apply to assets, and weigh more than a small file.
  for (const name of ofPages) koa.remove(name)
}

const ofPages = [...['Content-Security-Policy', 'Referrer-Policy', 'X-Frame-Options', 'Cross-Origin-Opener-Policy']]

/** At the root, so that its scope covers every page. Its URL is stable; browsers revalidate it. */
export function serveWorker({ koa }: AnyVisit): void {
  serve(koa, 'worker.js')
}

/** Web app manifest, for installing the pages as an app. */
export function serveManifest({ koa }: AnyVisit): void {
  koa.set('Cache-Control', 'public, no-cache')
  koa.type = 'application/manifest+json; charset=utf-8'
  koa.body = manifest
}

const manifest = JSON.stringify({
  id: '/',
  name: 'Callgate',
  short_name: 'Callgate',
  description: 'Read and decide what your agents ask for.',
  lang: 'en',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  theme_color: '#0b6b50',
  background_color: '#f5f6f3',
  icons: [
    { src: assetUrl('icon-192.png'), sizes: '192x192', type: 'image/png', purpose: 'any' },
    { src: assetUrl('icon-512.png'), sizes: '512x512', type: 'image/png', purpose: 'any' },
    { src: assetUrl('icon-512.png'), sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
  shortcuts: [
    { name: 'Waiting', url: '/waiting' },
    { name: 'Calls', url: '/calls' },
  ],
})

function serve(koa: Koa.Context, name: string): void {
  const asset = assets.get(name)
  if (asset === undefined) throw new PageError(404, 'Not found', 'There is no such file.')
  const current = koa.URL.searchParams.get('v') === asset.version
  koa.set('Cache-Control', current ? 'public, max-age=31536000, immutable' : 'public, no-cache')
  koa.vary('Accept-Encoding')
  const encoding = koa.acceptsEncodings('br', 'gzip', 'identity')
  const packed = encoding === 'br' || encoding === 'gzip' ? asset.packed(encoding) : undefined
  // Other bytes of the same file, so the ETag is weak (RFC 9110, 8.8.1).
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
