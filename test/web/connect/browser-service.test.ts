import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { RequestListener } from 'node:http'
import { connect } from 'node:net'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { findBrowserService } from '../../../scripts/doctor/chromium.ts'
import { encodeRequest, playwrightVersion, requestHeader } from '../../../web/connect/browser-server/request.ts'
import { createBrowserServer } from '../../../web/connect/browser-server/server.ts'
import { reasonOf } from '../../../web/connect/browser/lost.ts'
import { openRemoteBrowser } from '../../../web/connect/browser/remote-browser.ts'
import type { RemoteOptions } from '../../../web/connect/browser/sign-in-watch.ts'
import { startBrowserService } from '../../support/browser-service.ts'
import { listen } from '../../support/listen.ts'
import { outerAddress } from '../../support/outer-address.ts'
import { temporaryFolder } from '../../scripts/temp.ts'

async function site(answer: RequestListener): Promise<{ readonly origin: string; readonly asked: string[] }> {
  const asked: string[] = []
  const server = createServer((asks, answers) => {
    asked.push(asks.url ?? '')
    answers.setHeader('content-type', 'text/html')
    answer(asks, answers)
  })
  const port = await listen(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { origin: `http://localhost:${port}/`, asked }
}

const quietApp = () => site((asks, answer) => answer.writeHead(asks.url === '/me' ? 401 : 200).end('<p>here</p>'))

async function started(options: Parameters<typeof startBrowserService>[0] = {}) {
  const service = await startBrowserService(options)
  onTestFinished(() => service.stop())
  return service
}

const quiet = (origin: string): Omit<RemoteOptions, 'service'> => ({
  dir: '/nowhere',
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
})

const headers = (secret: string, what: object = {}) => ({
  authorization: `Bearer ${secret}`,
  [requestHeader]: encodeRequest({ playwright: playwrightVersion(), proxy: null, scale: 1, ...what }),
})

/** The status that a request to start a browser is answered with. */
async function upgrade(url: string, own: Readonly<Record<string, string>>): Promise<number> {
  const asked = request(url, {
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      ...own,
    },
  }).end()
  return new Promise((resolve, reject) => {
    asked.on('error', reject)
    asked.on('response', ({ statusCode = 0 }) => resolve(statusCode))
    asked.on('upgrade', ({ statusCode = 0 }, socket) => {
      socket.destroy()
      resolve(statusCode)
    })
  })
}

test('no browser starts without the secret, without a proxy, or with one that is no address', async () => {
  const { service, browsers } = await started()
  const { url, secret } = service
  const proxy = { server: 'http://127.0.0.1:9', username: 'callgate', password: 'x' }
  const wrong = [`${secret()}x`, secret().slice(1), '']
  for (const one of wrong) {
    expect((await fetch(url, { headers: headers(one) })).status).toBe(401)
    expect(await upgrade(url, headers(one, { proxy }))).toBe(401)
  }
  expect(await upgrade(url, {})).toBe(401)
  expect(await upgrade(url, headers(secret()))).toBe(400)
  for (const server of ['http://proxy.test:9', 'http://127.0.0.1:9/x', 'direct://', 'socks5://127.0.0.1:9', '', 9])
    expect(await upgrade(url, headers(secret(), { proxy: { ...proxy, server } })), String(server)).toBe(400)
  for (const scale of [0, 100, '1 --no-sandbox', null])
    expect(await upgrade(url, headers(secret(), { proxy, scale })), String(scale)).toBe(400)
  expect(await upgrade(url, headers(secret(), { proxy, playwright: '1.0.0' }))).toBe(426)
  expect(browsers('')).toEqual([])
  expect((await fetch(url, { headers: headers(secret()) })).status).toBe(200)
  expect(await upgrade(url, headers(secret(), { proxy }))).toBe(101)
  await expect.poll(() => browsers()).toEqual([])
})

test.each([['127.0.0.1'], ['::1'], ...(outerAddress === undefined ? [] : [[outerAddress]])])(
  'a browser behind %s reaches what the API lets through, and nothing past it',
  async (host) => {
    const outside = await site((_asks, answer) => answer.end('outside'))
    const app = await site((asks, answer) => {
      if (asks.url === '/me') return answer.writeHead(401).end()
      return answer.end(`<img src="${outside.origin}image"><iframe src="${outside.origin}frame"></iframe>
        <img src="${outside.origin.replace('localhost', '127.0.0.1')}address"><script>
          fetch('${outside.origin}fetch').catch(() => {})
          try { new WebSocket('${outside.origin.replace('http', 'ws')}socket') } catch {}
          setTimeout(() => fetch('/done'), 1000)
        </script>`)
    })
    const { service, browsers } = await started({ host })
    const remote = await openRemoteBrowser({ ...quiet(app.origin), service })
    onTestFinished(() => remote.close())
    await expect.poll(() => app.asked).toContain('/done')
    expect(outside.asked).toEqual([])
    // The proxy listens on the way to the service, and asks for its own password.
    const [, proxy = ''] = /--proxy-server=([^\0]+)/.exec(browsers()[0] ?? '') ?? []
    expect(new URL(proxy).hostname.replace(/^\[|\]$/g, '')).toBe(host)
    const past = request(proxy, { path: `${app.origin}past` }).end()
    const [answer] = (await once(past, 'response')) as [{ statusCode: number }]
    expect(answer.statusCode).toBe(407)
    await remote.close()
    const gone = connect(Number(new URL(proxy).port), host)
    const [error] = (await once(gone, 'error')) as [NodeJS.ErrnoException]
    expect(error.code).toBe('ECONNREFUSED')
    await expect.poll(() => browsers()).toEqual([])
  },
)

test('two browsers at once know nothing of each other', async () => {
  let visits = 0
  const app = await site((asks, answer) => {
    if (asks.url === '/me') return answer.writeHead(401).end()
    return answer.setHeader('set-cookie', `visit=${++visits}; Path=/`).end('<p>here</p>')
  })
  const { service, browsers } = await started()
  const open = () => openRemoteBrowser({ ...quiet(app.origin), service })
  const [first, second] = [await open(), await open()]
  expect(browsers()).toHaveLength(2)
  const cookies = await Promise.all([first, second].map(async (one) => (await one.session()).cookies))
  expect(cookies.map((all) => all.filter(({ name }) => name === 'visit').length)).toEqual([1, 1])
  expect(cookies[0]?.[0]?.value).not.toBe(cookies[1]?.[0]?.value)
  await first.close()
  await expect.poll(() => browsers().length).toBe(1)
  expect((await second.session()).cookies).toEqual(cookies[1])
  await second.close()
})

test('no browser outlives the API process that it was for, and nothing of it is left', async () => {
  const app = await quietApp()
  const { service, browsers, leftovers } = await started()
  const script = path.join(temporaryFolder(), 'opens.ts')
  const source = path.join(import.meta.dirname, '../../../web/connect/browser/remote-browser.ts')
  await writeFile(
    script,
    `import { openRemoteBrowser } from ${JSON.stringify(source)}
     const nothing = () => undefined
     await openRemoteBrowser({ ...${JSON.stringify(quiet(app.origin))},
       service: { url: '${service.url}', secret: () => '${service.secret()}' },
       signIn: { page: 'sign-in', who: { page: 'me', account: () => null } },
       onLost: nothing, onFrame: nothing, onAt: nothing, onWords: nothing, onSignedIn: nothing, onWanted: nothing,
       onUnsandboxed: nothing, onUnreadable: nothing })
     process.send('open')`,
  )
  const child = fork(script, { stdio: 'inherit', execArgv: [] })
  expect((await once(child, 'message'))[0]).toBe('open')
  expect(browsers()).toHaveLength(1)
  child.kill('SIGKILL')
  await expect.poll(() => browsers('')).toEqual([])
  await expect.poll(leftovers).toEqual([])
})

test('a service that hangs is told as lost, and one that is told to stop takes its browsers along', async () => {
  const app = await quietApp()
  const { service, child, browsers } = await started()
  const lost = Promise.withResolvers<Error>()
  const remote = await openRemoteBrowser({ ...quiet(app.origin), service, onLost: lost.resolve })
  onTestFinished(() => void child.kill('SIGCONT'))
  child.kill('SIGSTOP')
  expect(reasonOf(await lost.promise)).toBe('the browser ended')
  child.kill('SIGCONT')
  await remote.close()
  await expect.poll(() => browsers()).toEqual([])

  const ended = Promise.withResolvers<Error>()
  await openRemoteBrowser({ ...quiet(app.origin), service, onLost: ended.resolve })
  expect(browsers()).toHaveLength(1)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(browsers('')).toEqual([])
  expect(reasonOf(await ended.promise)).toBe('the browser ended')
})

test('a connection on which nothing is said ends with its browser', async () => {
  const logged: string[] = []
  const dir = temporaryFolder()
  await chmod(dir, 0o711)
  const { server, close } = createBrowserServer({
    dir,
    secret: () => 'known',
    browsers: 1,
    silentMs: 500,
    log: (_level, text) => void logged.push(text),
  })
  const url = `http://127.0.0.1:${await listen(server)}`
  onTestFinished(close)
  const proxy = { server: 'http://127.0.0.1:9', username: 'callgate', password: 'x' }
  const socket = new WebSocket(url.replace('http', 'ws'), { headers: headers('known', { proxy }) })
  await once(socket, 'open')
  expect(readdirSync(path.join(dir, 'browsers'))).toHaveLength(1)
  expect((await fetch(url, { headers: headers('known') })).status).toBe(503)
  await once(socket, 'close')
  await expect.poll(() => readdirSync(path.join(dir, 'browsers'))).toEqual([])
  await expect.poll(async () => (await fetch(url, { headers: headers('known') })).status).toBe(200)
  expect(logged.filter((text) => !text.includes('sandbox'))).toEqual([])
})

test('what answers rubbish, or belongs to another release, is told with what to do about it', async () => {
  const tried = async (url: string) => {
    const service = { url, secret: () => 'a secret that is none, of more than 32' }
    return openRemoteBrowser({ ...quiet('http://localhost:9/'), service }).then(() => 'it opened', reasonOf)
  }
  const answers = async (answer: RequestListener) => (await site(answer)).origin
  expect(await tried(await answers((_asks, answer) => answer.end('<p>hello</p>')))).toMatch(/is no browser service/)
  expect(await tried(await answers((_asks, answer) => answer.writeHead(302, { location: '/' }).end()))).toMatch(
    /is no browser service \(status 302\)/,
  )
  expect(await tried(await answers((asks) => asks.socket.destroy()))).toMatch(/cannot be reached \(ECONNRESET\)/)
  expect(await tried(await answers((_asks, answer) => answer.writeHead(426).end('1.2.3')))).toMatch(
    /playwright-core 1\.2\.3 there, \d[\d.]+ here/,
  )
  const real = await started()
  expect(await tried(real.service.url)).toMatch(/refuses the secret/)
  expect(await findBrowserService(real.service)).toMatchObject({ ok: true, found: expect.stringContaining('is ready') })
  expect(await findBrowserService({ ...real.service, secret: () => 'another' })).toMatchObject({
    ok: false,
    found: expect.stringContaining('refuses the secret'),
  })

  // Says that it is ready, and then no word that Playwright knows.
  const server = createServer((_asks, answer) => answer.end('ready'))
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) => socket.send('hello'))
  const port = await listen(server)
  onTestFinished(() => {
    sockets.close()
    server.closeAllConnections()
    server.close()
  })
  expect(await tried(`http://127.0.0.1:${port}`)).toBe(
    'the browser service could not start a browser: its log says why',
  )
})
