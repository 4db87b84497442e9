import net from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CookieJar, textOf } from '../../connectors/runtime/cookies.ts'
import { send } from '../../connectors/runtime/http.ts'
import { startBrowser } from '../support/chromium.ts'
import type { RunningBrowser } from '../support/chromium.ts'
import { listen } from '../support/listen.ts'
import { cookieCases } from './set-cookie-lines.ts'
import type { CookieCase } from './set-cookie-lines.ts'

/** What a client sent with each address, and what it keeps. */
interface Told {
  readonly sent: Readonly<Record<string, string>>
  readonly kept: readonly string[]
}

const deadline = 240_000

let browser: RunningBrowser
let server: net.Server
let port: number
/** By case and address: the bytes of the Cookie header, one character each. */
let sent: Record<string, string> = {}

beforeAll(async () => {
  browser = await startBrowser()
  server = net.createServer((socket) => {
    let head = ''
    socket.on('error', () => socket.destroy())
    socket.on('data', (bytes) => {
      head += bytes.toString('latin1')
      if (!head.endsWith('\r\n\r\n')) return
      socket.end(answerTo(head))
      head = ''
    })
  })
  port = await listen(server)
})
afterAll(async () => {
  await browser?.close()
  server?.close()
})

const hostOf = (at: number): string => (cookieCases[at]?.local ? `c${at}.localhost` : `c${at}.app.example.com`)

/** The pages of a case: the first sets its cookies, each leads to the next. */
function pagesOf(at: number): readonly string[] {
  const origin = `http://${hostOf(at)}:${port}`
  const sub = `http://sub.${hostOf(at)}:${port}`
  return [`${origin}/deep/set`, `${origin}/deep/read`, `${origin}/`, `${sub}/deep/read`]
}

/** It is Chromium's proxy, and the runtime's app: what is on its socket is what counts. */
function answerTo(head: string): Buffer {
  const [, target = ''] = /^GET (\S+)/.exec(head) ?? []
  const [, host = ''] = /^host: (.*)\r$/im.exec(head) ?? []
  const url = new URL(target, `http://${host}`)
  const at = Number(/^(?:sub\.)?c(\d+)\./.exec(url.hostname)?.[1] ?? -1)
  const pages = at < 0 ? [] : pagesOf(at)
  const step = pages.indexOf(url.href)
  if (step > 0) sent[url.href] = /^cookie: (.*)\r$/im.exec(head)?.[1] ?? ''
  const next = step < 0 ? undefined : pages[step + 1]
  const lines = step === 0 ? (cookieCases[at]?.lines ?? []) : []
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 ${next ? '302 Found' : '200 OK'}\r\nConnection: close\r\nContent-Type: text/html\r\n`),
    Buffer.from(`Content-Length: 0\r\n${next ? `Location: ${next}\r\n` : ''}`),
    ...lines.flatMap((line) => [Buffer.from('Set-Cookie: '), bytesOf(line, at), Buffer.from('\r\n')]),
    Buffer.from('\r\n'),
  ])
}

const bytesOf = (line: string | Buffer, at: number): Buffer =>
  typeof line === 'string' ? Buffer.from(line.replaceAll('HOST', hostOf(at))) : line

async function inChromium(): Promise<readonly Told[]> {
  const proxy = { server: `http://127.0.0.1:${port}`, bypass: '<-loopback>' }
  const context = await browser.browser.newContext({ proxy })
  const page = await context.newPage()
  const told: Told[] = []
  for (const at of cookieCases.keys()) {
    await context.clearCookies()
    sent = {}
    await page.goto(pagesOf(at)[0]!, { waitUntil: 'commit', timeout: 120_000 })
    await expect.poll(() => Object.keys(sent).length).toBe(3)
    const kept = (await context.cookies()).map(({ name, value, domain, path, httpOnly, secure, expires }) =>
      JSON.stringify([name, value, domain, path, httpOnly, secure, nearly(expires < 0 ? undefined : expires)]),
    )
    told.push({ sent, kept: kept.toSorted() })
  }
  return told
}

async function inRuntime(): Promise<readonly Told[]> {
  const told: Told[] = []
  const reach = (): Promise<[{ address: string; family: 4 }]> => Promise.resolve([{ address: '127.0.0.1', family: 4 }])
  for (const at of cookieCases.keys()) {
    sent = {}
    let session = { cookies: [], user_agent: null } as ConstructorParameters<typeof CookieJar>[0]
    for (const page of pagesOf(at)) {
      const jar = new CookieJar(session)
      const [url, cookie] = [new URL(page), jar.header(new URL(page))]
      const request = { url, method: 'GET', headers: cookie === '' ? {} : { cookie }, body: null } as const
      const limits = { signal: AbortSignal.timeout(30_000), timedOut: () => true, ms: 30_000, maxBytes: 1000, reach }
      const result = await send(request, limits)
      if (result.kind !== 'answer') throw new Error(`${cookieCases[at]?.name}: ${result.kind}`)
      jar.take(result.answer.setCookies, url)
      // As it is once it was stored.
      session = JSON.parse(JSON.stringify(jar.changes() ?? session)) as typeof session
    }
    const kept = session.cookies.map(({ name, value, domain, path, http_only, secure, expires }) =>
      JSON.stringify([textOf(name), textOf(value), domain, path, http_only === true, secure === true, nearly(expires)]),
    )
    told.push({ sent, kept: kept.toSorted() })
  }
  return told
}

/** In minutes: the two read the same line a moment apart. */
const nearly = (expires: number | undefined): number | null =>
  expires === undefined ? null : Math.round((expires - Date.now() / 1000) / 600)

/** Chromium keeps the bytes of what is no UTF-8, and tells its text up to there only. */
const isTold = ({ lines }: CookieCase): boolean =>
  lines.every((line) => typeof line === 'string' || line.equals(Buffer.from(line.toString())))

test(
  `${cookieCases.length} cases of Set-Cookie lines: Chromium and the runtime keep the same cookies and send the same bytes`,
  { timeout: deadline },
  async () => {
    const [theirs, ours] = [await inChromium(), await inRuntime()]
    const shown = (told: readonly Told[]) =>
      cookieCases.map((one, at) => ({ ...told[at], case: one.name, ...(!isTold(one) && { kept: 'not told' }) }))
    expect(cookieCases.length).toBeGreaterThan(100)
    expect(shown(ours)).toEqual(shown(theirs))
  },
)
