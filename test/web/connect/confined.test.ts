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
async function site(page: (path: string) => { status?: number; location?: string; body?: string }) {
  const asked: string[] = []
  const server: Server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const { status = 200, location, body = '' } = page(request.url ?? '')
    response.writeHead(status, {
      'content-type': 'text/html',
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
      body: `<img src="${there}/image"><img src="http://127.0.0.1:${outside.port}/address"><img src="/elsewhere/image">
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
    onLost: signedIn.reject,
  })
  try {
    await expect.poll(() => app.asked.includes('/app/inside'), { timeout: 30_000 }).toBe(true)
    await new Promise((resolve) => setTimeout(resolve, 2500))
    expect(outside.asked).toEqual([])
    expect(app.asked.filter((url) => url.startsWith('/elsewhere'))).toEqual([])
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
}, 60_000)
