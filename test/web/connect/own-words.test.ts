import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openRemoteBrowser } from '../../../web/connect/browser/remote-browser.ts'
import type { SignedInAs } from '../../../web/connect/browser/sign-in-watch.ts'
import { listen } from '../../support/listen.ts'

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'callgate-words-'))
  await chmod(dir, 0o711)
})
afterAll(() => rm(dir, { recursive: true, force: true }))

/** Somebody signs in at an app whose page runs this script: what is kept of the browser's words, and what it said when it asked for that page. */
async function signIn(script: string) {
  let said: IncomingHttpHeaders = {}
  const app = createServer((request, response) => {
    if (request.url === '/sign-in') said = request.headers
    // Whoever's page has run its script is signed in.
    const isIn = request.url !== '/me' || request.headers.cookie === 'in=1'
    response.writeHead(isIn ? 200 : 401, { 'content-type': 'text/html' })
    response.end(`<p>here</p><script>${script}; document.cookie = 'in=1'</script>`)
  })
  const port = await listen(app)
  const signedIn = Promise.withResolvers<SignedInAs>()
  const remote = await openRemoteBrowser({
    dir,
    origin: `http://localhost:${port}/`,
    signIn: { page: 'sign-in', who: { page: 'me', account: () => ({ id: 'A1', label: 'A' }) } },
    session: null,
    size: { width: 640, height: 480 },
    onFrame: () => undefined,
    onSignedIn: signedIn.resolve,
    onWanted: () => undefined,
    onUnsandboxed: () => undefined,
    onAt: () => undefined,
    onWords: () => undefined,
    onUnreadable: () => undefined,
    onLost: signedIn.reject,
  })
  onTestFinished(async () => {
    await remote.close()
    app.closeAllConnections()
    app.close()
  })
  const { session } = await signedIn.promise
  return { session, said }
}

test('the session keeps what the browser said of itself, word for word', async () => {
  const { session, said } = await signIn('')
  expect(session.user_agent).toBe(said['user-agent'])
  const names = ['accept-language', 'sec-ch-ua', 'sec-ch-ua-mobile', 'sec-ch-ua-platform']
  expect(Object.keys(session.browser ?? {})).toEqual(names)
  expect(session.browser).toEqual(Object.fromEntries(names.map((name) => [name, said[name]])))
  expect(JSON.stringify(said)).not.toContain('Headless')
  const [, version] = /Chrome\/(\d+)/.exec(session.user_agent ?? '') ?? []
  expect(said['sec-ch-ua']).toContain(`"Chromium";v="${version}"`)
})

test('of what a page made of these words, only what a header can hold is kept', async () => {
  const { session } = await signIn(`
    const lie = (name, value) => Object.defineProperty(navigator, name, { value })
    lie('userAgent', 'Mozilla\\r\\nX-Forged: 1')
    lie('languages', ['de\\r\\nX-Forged: 1', 'en'])
    lie('userAgentData', { brands: [{ brand: 'B'.repeat(600), version: '1' }], mobile: true, platform: 'Ünix' })`)
  expect([session.user_agent, session.browser]).toEqual([null, { 'sec-ch-ua-mobile': '?1' }])
})
