import { createHash } from 'node:crypto'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

interface Asset {
  readonly type: string
  readonly body: Buffer
  readonly version: string
  /** Compressed on first use. */
  readonly packed: (encoding: 'br' | 'gzip') => Buffer
}

/** Order matters: of two rules with equal specificity the later one wins. */
const styles = [
  ...[
    'tokens',
    'icons',
    'base',
    'frame',
    'drawer',
    'menu',
    'columns',
    'controls',
    'notices',
    'fields',
    'things',
    'lists',
  ],
  ...['settings', 'timeline', 'waiting', 'tables', 'confirm', 'play', 'plots', 'docs', 'connect', 'screens', 'print'],
]

/** Static files of the pages, read once. */
export const assets: ReadonlyMap<string, Asset> = new Map([
  load('style.css', 'text/css; charset=utf-8', ...styles.map((name) => own(`style/${name}.css`))),
  load('dark.css', 'text/css; charset=utf-8', own('style/dark.css')),
  load('page.js', 'text/javascript; charset=utf-8'),
  load(
    'connect.js',
    'text/javascript; charset=utf-8',
    ...['connect-glass.js', 'connect-words.js', 'connect-hosts.js', 'connect-record.js', 'connect.js'].map(own),
  ),
  load('passkey.js', 'text/javascript; charset=utf-8'),
  load('play.js', 'text/javascript; charset=utf-8'),
  load('approve.js', 'text/javascript; charset=utf-8'),
  load('waiting.js', 'text/javascript; charset=utf-8'),
  load('device.js', 'text/javascript; charset=utf-8'),
  load('worker.js', 'text/javascript; charset=utf-8'),
  // Drawn by `npm run icons`.
  ...['icon-180.png', 'icon-192.png', 'icon-512.png', 'badge-96.png'].map((name) => load(name, 'image/png')),
  // One file: htmx initialises immediately and would miss an SSE extension that loads later.
  load(
    'htmx.js',
    'text/javascript; charset=utf-8',
    fileURLToPath(import.meta.resolve('htmx.org/dist/htmx.min.js')),
    fileURLToPath(import.meta.resolve('htmx.org/dist/ext/hx-sse.min.js')),
  ),
])

/** URL with the file's version, so that browsers may cache it forever. */
export function assetUrl(
  name:
    | 'style.css'
    | 'dark.css'
    | 'page.js'
    | 'connect.js'
    | 'passkey.js'
    | 'play.js'
    | 'approve.js'
    | 'waiting.js'
    | 'device.js'
    | 'htmx.js'
    | 'icon-180.png'
    | 'icon-192.png'
    | 'icon-512.png',
): string {
  return `/assets/${name}?v=${assets.get(name)?.version ?? ''}`
}

function load(name: string, type: string, ...files: readonly string[]): readonly [string, Asset] {
  const read = Buffer.concat((files.length === 0 ? [own(name)] : files).map((file) => readFileSync(file)))
  const isOwnScript = name.endsWith('.js') && !files.some((file) => file.includes('node_modules'))
  const body = name.endsWith('.css') ? withoutComments(read) : isOwnScript ? withoutOwnComments(read) : read
  const packs = { br: once(() => brotliCompressSync(body)), gzip: once(() => gzipSync(body)) }
  const packed: Asset['packed'] = (encoding) => packs[encoding]()
  return [name, { type, body, packed, version: createHash('sha256').update(body).digest('hex').slice(0, 12) }]
}

/** Strips comments. Safe because no string in our styles contains the start of a comment. */
function withoutComments(style: Buffer): Buffer {
  const lines = style
    .toString()
    .replaceAll(/\/\*.*?\*\//gs, '')
    .split('\n')
  return Buffer.from(lines.flatMap((line) => line.trim() || []).join('\n'))
}

/** Strips comment lines and indentation of our scripts. Safe: none has a multi-line string. */
function withoutOwnComments(read: Buffer): Buffer {
  const lines = read
    .toString()
    .replaceAll(/^\s*\/\*\*.*?\*\/$/gms, '')
    .split('\n')
  return Buffer.from(lines.flatMap((line) => (line.trim().startsWith('//') ? [] : line.trim() || [])).join('\n'))
}

function once(pack: () => Buffer): () => Buffer {
  let packed: Buffer | undefined
  return () => (packed ??= pack())
}

function own(name: string): string {
  return path.join(import.meta.dirname, '../assets', name)
}
