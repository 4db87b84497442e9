import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import { connect, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { openRemoteBrowser } from '../../../web/connect/browser/remote-browser.ts'
import type { RemoteOptions, SignedInAs } from '../../../web/connect/browser/sign-in-watch.ts'
import { startBrowserService } from '../../support/browser-service.ts'
import { listen, portOf } from '../../support/listen.ts'

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'callgate-walls-'))
  await chmod(dir, 0o711)
})
afterAll(() => rm(dir, { recursive: true, force: true }))

type Pages = (url: URL, answer: ServerResponse, method: string) => void

/** A server, and the paths that it was asked for. */
async function site(pages: Pages, cookie?: string) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost')
    asked.push(url.pathname + url.search)
    if (cookie !== undefined) response.setHeader('set-cookie', cookie)
    response.setHeader('content-type', 'text/html')
    pages(url, response, request.method ?? '')
  })
  const port = await listen(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { asked, port, origin: `http://localhost:${port}` }
}

/** Hears whoever connects, and the first bytes that they say. */
async function ear(host: string) {
  const heard: string[] = []
  const server = createTcpServer((socket) => {
    heard.push('connected')
    socket.on('error', () => socket.destroy())
    socket.once('data', (said) => {
      heard.push(said.toString('latin1').split('\r\n')[0] ?? '')
      socket.destroy()
    })
  })
  const port = await portOf(server.listen(0, host))
  onTestFinished(() => void server.close())
  return { heard, port }
}

async function open(origin: string, options: Partial<RemoteOptions> = {}) {
  const remote = await openRemoteBrowser({
    dir,
    origin,
    signIn: { page: 'sign-in', who: { page: 'me', account: () => null } },
    session: null,
    size: { width: 640, height: 480 },
    onFrame: () => undefined,
    onSignedIn: () => undefined,
    onWanted: () => undefined,
    onUnsandboxed: () => undefined,
    onAt: () => undefined,
    onWords: () => undefined,
    onUnreadable: () => undefined,
    onLost: () => undefined,
    ...options,
  })
  onTestFinished(() => remote.close())
  return remote
}

/** The app's redirects out of itself: what each is asked for by. */
const redirected = ['image', 'fetch', 'post', 'frame', 'style', 'events', 'object', 'beacon', 'form', 'refresh', 'top']
/** What a page and its workers do by themselves, and say to the app that they have done. */
const done = ['page', 'worker', 'shared', 'service']

test.each(['this process', 'the browser service'])(
  'no way that a hostile page knows leads out of the app, in a browser of %s',
  async (whose) => {
    const [outside, address, six] = [await ear('127.0.0.1'), await ear('127.0.0.1'), await ear('::1')]
    const udp = createSocket('udp4').bind(0, '127.0.0.1')
    await once(udp, 'listening')
    const datagrams: number[] = []
    udp.on('message', ({ length }) => datagrams.push(length))
    onTestFinished(() => void udp.close())
    const there = `http://localhost:${outside.port}`
    const everywhere = [there, `http://127.0.0.1:${address.port}`, `http://[::1]:${six.port}`, 'http://169.254.169.254']

    const inWorker = (name: string) => `
    const say = () => fetch('/app/done?${name}')
    const each = ${JSON.stringify(everywhere)}.flatMap((there) => {
      try { new WebSocket(there.replace('http', 'ws') + '/${name}-socket') } catch {}
      return [fetch(there + '/${name}-fetch', { mode: 'no-cors' }), fetch('/app/away?fetch', { mode: 'no-cors' })]
    })
    try { importScripts('${there}/${name}-script') } catch {}
    Promise.allSettled(each).then(say)`
    const script = `
    const away = (name) => '/app/away?' + name
    for (const there of ${JSON.stringify(everywhere)}) {
      new Image().src = there + '/image'
      fetch(there + '/fetch', { mode: 'no-cors' }).catch(() => {})
      try { new WebSocket(there.replace('http', 'ws') + '/socket') } catch {}
      try { new WebTransport(there.replace('http:', 'https:') + '/transport').ready.catch(() => {}) } catch {}
      for (const rel of ['preconnect', 'dns-prefetch', 'prefetch', 'prerender', 'stylesheet', 'icon'])
        document.head.append(Object.assign(document.createElement('link'), { rel, href: there + '/' + rel }))
    }
    try { new WebTransport('https://127.0.0.1:${udp.address().port}/').ready.catch(() => {}) } catch {}
    const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${udp.address().port}' }, { urls: 'turn:localhost:${outside.port}?transport=tcp', username: 'u', credential: 'c' }] })
    peer.createDataChannel('out')
    peer.createOffer().then((offer) => peer.setLocalDescription(offer))
    new Image().src = away('image')
    fetch(away('fetch'), { mode: 'no-cors' }).catch(() => {})
    fetch(away('post'), { method: 'POST', body: 'x', mode: 'no-cors' }).catch(() => {})
    new EventSource(away('events'))
    navigator.sendBeacon(away('beacon'), 'x')
    document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: away('style') }))
    const add = (html) => document.body.insertAdjacentHTML('beforeend', html)
    add('<iframe src="' + away('frame') + '"></iframe><object data="' + away('object') + '"></object>')
    add('<iframe name="inner"></iframe><form id="form" method="post" target="inner" action="' + away('form') + '"><input name="a"></form>')
    document.getElementById('form').submit()
    add('<iframe src="/app/refreshes"></iframe>')
    new Worker('/app/worker')
    new SharedWorker('/app/shared')
    const frame = document.createElement('iframe')
    document.body.append(frame)
    for (const container of [navigator.serviceWorker, frame.contentWindow?.navigator.serviceWorker])
      container?.register('/app/service').catch(() => {})
    fetch('/app/done?page')
    fetch('/app/leave').then(() => location.assign(away('top')))`

    const app = await site((url, answer, method) => {
      const name = url.search.slice(1)
      if (url.pathname === '/app/me') answer.writeHead(401).end()
      else if (url.pathname === '/app/away')
        answer
          .writeHead(method === 'POST' ? 307 : 302, {
            location: name === 'frame' ? '/elsewhere' : `${there}/redirected-${name}`,
          })
          .end()
      else if (['/app/worker', '/app/shared', '/app/service'].includes(url.pathname))
        answer.writeHead(200, { 'content-type': 'text/javascript' }).end(inWorker(url.pathname.slice(5)))
      else if (url.pathname === '/app/leave') {
        // Workers would end with the page.
        const timer = setInterval(() => {
          if (missing().some((one) => one !== 'top')) return
          clearInterval(timer)
          answer.end()
        }, 100)
        onTestFinished(() => clearInterval(timer))
      } else if (url.pathname === '/app/refreshes')
        answer.end('<meta http-equiv="refresh" content="0; url=/app/away?refresh">')
      else if (url.pathname === '/app/sign-in') answer.end(`<body><p>sign in</p><script>${script}</script>`)
      else answer.end()
    })
    const missing = () => [
      ...redirected.filter((name) => !app.asked.includes(`/app/away?${name}`)),
      ...done.filter((name) => name !== 'service' && !app.asked.includes(`/app/done?${name}`)),
    ]
    const lost: Error[] = []
    const running = whose === 'the browser service' ? await startBrowserService() : undefined
    if (running) onTestFinished(() => running.stop())
    await open(`${app.origin}/app/`, {
      onLost: (error) => void lost.push(error),
      service: running?.service ?? null,
    })
    await expect.poll(missing).toEqual([])
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect({ outside: outside.heard, address: address.heard, six: six.heard, datagrams }).toEqual({
      outside: [],
      address: [],
      six: [],
      datagrams: [],
    })
    expect(app.asked.filter((one) => !one.startsWith('/app/'))).toEqual([])
    expect(lost).toEqual([])
  },
)

test('a connector names its sign-in service, and of the cookies the app gets its own, of every path', async () => {
  const service = await site((url, answer) => {
    answer.writeHead(302, { location: url.searchParams.get('back') ?? '' }).end()
  }, 'service=secret; Path=/')
  let signedIn = false
  const app = await site((url, answer) => {
    if (url.pathname === '/me') answer.writeHead(signedIn ? 200 : 401).end(signedIn ? 'A1' : '')
    else if (url.pathname === '/back') {
      signedIn = url.search === '?code=1'
      answer.setHeader('set-cookie', ['sid=1; Path=/inside; HttpOnly', 'all=2', 'deep=3; Path=/inside/very/deep'])
      answer.end('<p>welcome</p>')
    } else {
      const back = encodeURIComponent(`${app.origin}/back?code=1`)
      answer.end(`<script>location.assign('http://127.0.0.1:${service.port}/authorize?back=${back}')</script>`)
    }
  })
  const told = Promise.withResolvers<SignedInAs>()
  const who = { page: 'me', account: (text: string) => (text === 'A1' ? { id: 'A1', label: 'A' } : null) }
  await open(`${app.origin}/`, {
    signIn: { page: 'sign-in', who, hosts: [`http://127.0.0.1:${service.port}`] },
    onSignedIn: told.resolve,
    onLost: told.reject,
  })
  const { session } = await told.promise
  expect(service.asked).toHaveLength(1)
  expect(session.cookies.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
    { name: 'all', value: '2', domain: 'localhost', path: '/' },
    { name: 'deep', value: '3', domain: 'localhost', path: '/inside/very/deep' },
    { name: 'sid', value: '1', domain: 'localhost', path: '/inside', http_only: true },
  ])
})

test('once a window is allowed that was refused, its page is loaded again, and may open it', async () => {
  const app = await site((url, answer) => {
    if (url.pathname === '/me') return answer.writeHead(401).end()
    return answer.end(`<script>
      if (!sessionStorage.opened) open('https://accounts.example.com/')
      sessionStorage.opened = 'yes'</script>`)
  })
  const wanted = vi.fn()
  const remote = await open(`${app.origin}/`, { onWanted: wanted })
  const told = [{ host: 'accounts.example.com', page: true, unreachable: false }]
  await expect.poll(() => wanted.mock.lastCall).toEqual([told])
  const loads = () => app.asked.filter((url) => url === '/sign-in').length
  expect(loads()).toBe(1)
  remote.allow('accounts.example.com')
  await expect.poll(loads).toBe(2)
  expect(wanted.mock.lastCall).toEqual([[]])
})

/** What of a browser runs out of this test's folder, with what the system knows of it. */
function processes() {
  const found: { command: string; uid: number; user: string; seccomp: string; environment: string }[] = []
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      if (!command.startsWith(path.join(dir, 'chromium'))) continue
      found.push({
        command,
        uid: statSync(`/proc/${pid}`).uid,
        user: readlinkSync(`/proc/${pid}/ns/user`),
        seccomp: /^Seccomp:\s*(\d)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '',
        environment: command.includes('--type=') ? '' : readFileSync(`/proc/${pid}/environ`, 'utf8'),
      })
    } catch {
      // It ended meanwhile.
    }
  }
  return found
}

const root = process.getuid?.() === 0

test('a browser is a user of its own, knows nothing of ours, is in its sandbox, and leaves nothing', async () => {
  process.env['A_SECRET_OF_OURS'] = 'for nobody'
  let unsandboxed = false
  const app = await site((url, answer) => answer.writeHead(url.pathname === '/me' ? 401 : 200).end('<p>here</p>'))
  const remote = await open(`${app.origin}/`, { onUnsandboxed: () => (unsandboxed = true) })
  const running = processes()
  const [main] = running.filter(({ command }) => !command.includes('--type='))
  const renderers = running.filter(({ command }) => command.includes('--type=renderer'))
  expect(renderers.length).toBeGreaterThan(0)
  if (root) for (const { uid } of running) expect(uid).toBeGreaterThan(60_000)
  const variables = main?.environment.split('\0').filter((one) => one !== '')
  expect(variables?.map((one) => one.split('=')[0])).toEqual(['HOME', 'TMPDIR'])
  const ours = readlinkSync('/proc/self/ns/user')
  expect(main?.command.includes('--no-sandbox')).toBe(unsandboxed)
  for (const { user, seccomp } of renderers)
    expect([user === ours, seccomp]).toEqual([unsandboxed, unsandboxed ? '0' : '2'])
  const port = Number(/--proxy-server=http:\/\/127\.0\.0\.1:(\d+)/.exec(main?.command ?? '')?.[1])
  const other = await open(`${app.origin}/`)
  if (root) expect(new Set(processes().map(({ uid }) => uid)).size).toBe(2)

  await Promise.all([remote.close(), other.close()])
  expect(processes()).toEqual([])
  expect(readdirSync(path.join(dir, 'browsers'))).toEqual([])
  const [error] = (await once(connect(port, '127.0.0.1'), 'error')) as [NodeJS.ErrnoException]
  expect(error.code).toBe('ECONNREFUSED')
})
