import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRemoteBrowser } from '../../../web/connect/browser/remote-browser.ts'
import type { SignedInAs } from '../../../web/connect/browser/sign-in-watch.ts'
import { listen } from '../../support/listen.ts'

/** Answers every path, and remembers what was asked. */
async function site(page: (path: string) => { status?: number; location?: string; body?: string; type?: string }) {
  const asked: string[] = []
  const server: Server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const { status = 200, location, body = '', type = 'text/html' } = page(request.url ?? '')
    response.writeHead(status, {
      'content-type': type,
      'set-cookie': 'seen=yes; Path=/app',
      ...(location !== undefined && { location }),
    })
    response.end(body)
  })
  return { asked, server, port: await listen(server) }
}

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'callgate-confined-'))
  await chmod(dir, 0o711)
})
afterAll(() => rm(dir, { recursive: true, force: true }))

test('a page of the app reaches nothing outside the app, however it tries', async () => {
  const outside = await site(() => ({ body: 'outside' }))
  let ready = false
  const app = await site((url) => {
    if (url === '/app/me') return ready ? { body: '{"id":"A1"}' } : { status: 401 }
    if (url === '/app/away') return { status: 302, location: `http://localhost:${outside.port}/redirected` }
    if (url !== '/app/sign-in') return { body: 'here' }
    const there = `http://localhost:${outside.port}`
    return {
      body: `<img src="${there}/image"><img src="http://127.0.0.1:${outside.port}/address">
        <iframe src="${there}/frame"></iframe><img src="/app/inside"><a id="popup" target="_blank" href="${there}/popup">popup</a>
        <script>
          fetch('${there}/fetch').catch(() => {})
          navigator.sendBeacon('${there}/beacon')
          try { new WebSocket('ws://localhost:${outside.port}/socket') } catch {}
          document.getElementById('popup').click()
          setTimeout(() => location.assign('${there}/navigation'), 500)
        </script>`,
    }
  })
  const signedIn = Promise.withResolvers<SignedInAs>()
  let frames = 0
  const remote = await openRemoteBrowser({
    dir,
    origin: `http://localhost:${app.port}/app/`,
    signIn: {
      page: 'sign-in',
      who: { page: 'me', account: (text) => (text === '' ? null : { id: 'A1', label: 'The account' }) },
    },
    session: null,
    size: { width: 640, height: 480 },
    onFrame: () => (frames += 1),
    onSignedIn: signedIn.resolve,
    onWanted: () => undefined,
    onUnsandboxed: () => undefined,
    onAt: () => undefined,
    onWords: () => undefined,
    onUnreadable: () => undefined,
    onLost: signedIn.reject,
  })
  try {
    await expect.poll(() => app.asked.includes('/app/inside')).toBe(true)
    await new Promise((resolve) => setTimeout(resolve, 2500))
    expect(outside.asked).toEqual([])
    expect(frames).toBeGreaterThan(0)
    ready = true
    const as = await signedIn.promise
    expect(as).toMatchObject({ id: 'A1', label: 'The account' })
    expect(as.session.cookies).toEqual([{ name: 'seen', value: 'yes', domain: 'localhost', path: '/app' }])
    expect(as.session.user_agent).toMatch(/Chrome\/\d+/)
    expect(as.session.user_agent).not.toContain('Headless')
  } finally {
    await remote.close()
    await remote.close()
    remote.apply({ type: 'reload' })
    for (const { server } of [outside, app]) {
      server.closeAllConnections()
      server.close()
    }
  }
})

/** What the pages of an app at `/app/` want of its host's other paths: of what a browser knows by itself, and of what the app redirects to. */
const parts = ['style.css', 'font.woff2', 'image.png', 'worker.js', 'api', 'data.json', 'from-below']
const shown = ['frame', 'object', 'form', 'window', 'page', 'framed-away', 'led-away']

test.each([
  ['that a browser trusts', 'localhost'],
  ['without TLS', 'forum.example.com'],
])('an app on a host %s loads what stands beside its root, and shows nothing of there', async (_of, host) => {
  const app = await site((url) => {
    const type = url.endsWith('.css') ? 'text/css' : url.endsWith('.js') ? 'text/javascript' : 'text/html'
    if (url === '/app/me') return { status: 401 }
    if (url === '/app/away') return { status: 302, location: '/beside/led-away' }
    if (url === '/app/frame') return { status: 302, location: '/beside/framed-away' }
    if (url === '/app/part') return { status: 302, location: '/beside/from-below' }
    if (url === '/beside/style.css')
      return { type, body: '@font-face { font-family: own; src: url(font.woff2) } body { font-family: own }' }
    if (url === '/beside/app.js')
      return {
        type,
        body: `
          const add = (html) => document.body.insertAdjacentHTML('beforeend', html)
          fetch('/app/part')
          fetch('/beside/api', { method: 'POST', body: '{}' }).then((answer) => answer.text())
            .then((text) => fetch('/app/said?' + text))
          new Worker('/beside/worker.js')
          add('<img src="/beside/image.png"><iframe src="/beside/frame"></iframe><iframe src="/app/frame"></iframe>')
          add('<object data="/beside/object"></object><iframe name="inner"></iframe>')
          add('<form id="form" method="post" target="inner" action="/beside/form"><input name="a"></form>')
          document.getElementById('form').submit()
          document.getElementById('window').click()
          setTimeout(() => location.assign('/beside/page'), 500)
          setTimeout(() => location.assign('/app/away'), 1000)`,
      }
    if (url === '/beside/worker.js') return { type, body: `fetch('/beside/data.json')` }
    if (url === '/beside/api') return { body: 'answered' }
    if (url !== '/app/sign-in') return {}
    return {
      body: `<link rel="stylesheet" href="/beside/style.css"><a id="window" target="_blank" href="/beside/window">window</a>
        <p>sign in</p><script src="/beside/app.js"></script>`,
    }
  })
  const lost: Error[] = []
  const remote = await openRemoteBrowser({
    dir,
    origin: `http://${host}:${app.port}/app/`,
    siteReach: async () => [{ address: '127.0.0.1', family: 4 }],
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
    onLost: (error) => void lost.push(error),
  })
  try {
    const missing = () => parts.filter((part) => !app.asked.includes(`/beside/${part}`))
    await expect.poll(missing).toEqual([])
    await expect.poll(() => app.asked).toContain('/app/said?answered')
    await expect.poll(() => app.asked).toContain('/app/away')
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(shown.filter((page) => app.asked.includes(`/beside/${page}`))).toEqual([])
    expect(lost).toEqual([])
  } finally {
    await remote.close()
    app.server.closeAllConnections()
    app.server.close()
  }
})
