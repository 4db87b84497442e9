import { createServer } from 'node:net'
import type { Socket } from 'node:net'
import { listen } from '../../support/listen.ts'

/** A request as its bytes were. */
export interface Bytes {
  readonly method: string
  readonly target: string
  /** As written, in order. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer
}

/** What one page gives out, by the places where data of a connector can look for it. */
export interface ServedPage {
  readonly path: string
  readonly text: string
  readonly cookies: readonly (readonly [name: string, value: string])[]
}

/** The app of hostile cases: it keeps the bytes of all requests and says what it served. */
export interface HostileApp extends AsyncDisposable {
  readonly origin: string
  requests: Bytes[]
  served: ServedPage[]
}

export const sessionCookies = { sid: 'T-sid', remember: 'T-remember', 'XSRF-TOKEN': 'T-xsrf' }

export async function hostileApp(): Promise<HostileApp> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let seen = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      seen = Buffer.concat([seen, chunk])
      for (let read = readOne(seen); read !== undefined; read = readOne(seen)) {
        seen = seen.subarray(read.length)
        app.requests.push(read.request)
        socket.write(answerTo(app, read.request))
      }
    })
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  })
  const app: HostileApp = {
    origin: `http://127.0.0.1:${await listen(server)}`,
    requests: [],
    served: [],
    [Symbol.asyncDispose]: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
  return app
}

function readOne(bytes: Buffer): { readonly request: Bytes; readonly length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [line = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const headers = lines.map((one): [string, string] => {
    const colon = one.indexOf(':')
    return [one.slice(0, colon), one.slice(colon + 1).trim()]
  })
  const size = Number(headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1] ?? 0)
  const length = end + 4 + size
  if (bytes.length < length) return undefined
  const [method = '', target = ''] = line.split(' ')
  return { request: { method, target, headers, body: bytes.subarray(end + 4, length) }, length }
}

function answerTo(app: HostileApp, { method, target, headers }: Bytes): string {
  const path = target.replace(/\?.*/s, '')
  const isPage = headers.some(([name, value]) => name.toLowerCase() === 'accept' && value.startsWith('text/html'))
  if (path.includes('/redir/')) return http(302, '', [['location', '/shop/page/led']])
  // Each answer of `flip` is another one.
  const mark = path.includes('/flip/') ? `-${app.requests.length}` : ''
  const text = isPage
    ? htmlPage(path, mark)
    : JSON.stringify({ csrf: `T-json${mark}`, bcc: 'json@evil.example', nr: 7 })
  const cookies: ServedPage['cookies'] =
    method === 'GET'
      ? [
          ['XSRF-TOKEN', `T-xsrf${mark}`],
          ['late', 'T-late'],
        ]
      : []
  app.served.push({ path, text, cookies })
  return http(200, text, [
    ['content-type', isPage ? 'text/html; charset=utf-8' : 'application/json'],
    ...cookies.map(([name, value]): [string, string] => ['set-cookie', `${name}=${value}; Path=/`]),
  ])
}

function htmlPage(path: string, mark: string): string {
  const last = path.split('/').at(-1) ?? ''
  return `<!doctype html><meta name="csrf" content="T-meta${mark}"><meta name="evil" content="meta@evil.example">
<form id="f" method="post" action="/shop/send/${last}?mode=app"><input type="hidden" name="csrf" value="T-input${mark}">
<input name="to" value="bob@example.com"><input name="note" value="kept${mark}"><input type="hidden" name="bcc" value="page@evil.example">
<input name="amount" value="10"><select name="color"><option value="r" selected>Red<option value="g">Green</select>
<label>Agree <input type="checkbox" name="agree" value="yes"></label><button name="go" value="1">Go</button><button name="go" value="2">Stop</button></form>
<form id="g" method="post" action="/shop/other"><input type="hidden" name="csrf" value="T-other${mark}"><input name="to"></form>
<script>window.csrf = "T-script${mark}"</script>`
}

function http(status: number, body: string, headers: readonly (readonly [string, string])[]): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return `HTTP/1.1 ${status} X\r\n${lines}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}
