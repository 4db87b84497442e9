import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'

interface Asset {
  readonly type: string
  readonly body: Buffer
  readonly version: string
}

/** The files that pages use, read once. */
export const assets: ReadonlyMap<string, Asset> = new Map([
  load('style.css', 'text/css; charset=utf-8'),
  load('page.js', 'text/javascript; charset=utf-8'),
  load('connect.js', 'text/javascript; charset=utf-8'),
])

/** The file's address with its version, so that browsers may keep it for ever. */
export function assetUrl(name: 'style.css' | 'page.js' | 'connect.js'): string {
  return `/assets/${name}?v=${assets.get(name)?.version ?? ''}`
}

function load(name: string, type: string): readonly [string, Asset] {
  const body = readFileSync(path.join(import.meta.dirname, 'assets', name))
  return [name, { type, body, version: createHash('sha256').update(body).digest('hex').slice(0, 12) }]
}
