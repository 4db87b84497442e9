import dns from 'node:dns'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, createServer as createTcpServer } from 'node:net'
import type { Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { openEgressProxy } from '../../../web/connect/browser/egress-proxy.ts'
import { isBelow, Reach } from '../../../web/connect/browser/allowed-hosts.ts'
import type { Wanted } from '../../../web/connect/browser/allowed-hosts.ts'
import { listen } from '../../support/listen.ts'
import { startNameServer } from '../../support/name-server.ts'

interface Around {
  readonly hosts?: readonly string[]
  readonly isPublic?: (address: string) => boolean
  readonly bytes?: number
  readonly silence?: number
}

/** An app at `/app/` of a server, and the way out of a browser that signs in to it. */
async function stand({ hosts = [], isPublic, bytes = 1e6, silence = 60_000 }: Around = {}) {
  const asked: string[] = []
  const headers: string[][] = []
  const app = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.host}`)
    headers.push(request.rawHeaders)
    response.setHeader('set-cookie', ['a=1', 'b=2'])
    if (request.url !== '/app/endless') return void request.pipe(response)
    const more = setInterval(() => response.write(Buffer.alloc(65_536)), 5)
    response.on('close', () => clearInterval(more))
  })
  const sockets = new WebSocketServer({ server: app })
  sockets.on('connection', (socket) => socket.on('message', (said) => socket.send(said)))
  const port = await listen(app)
  const told: (readonly Wanted[])[] = []
  const reach = new Reach({
    root: `http://localhost:${port}/app/`,
    hosts,
    onWanted: (wanted) => void told.push(wanted),
    ...(isPublic && { isPublic }),
  })
  const egress = await openEgressProxy(reach, { connections: 50, bytes, silence })
  onTestFinished(async () => {
    await egress.close()
    app.closeAllConnections()
    app.close()
  })
  const { server, username, password } = egress.proxy
  const authorization = `Proxy-Authorization: Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  /** Says this to the proxy, and returns all that comes back until it ends or says this. */
  async function say(
    lines: readonly string[],
    until = '\r\n\r\n',
    keyed = true,
    body = '',
  ): Promise<{ text: string; socket: Socket }> {
    const socket = connect(Number(new URL(server).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString('latin1')))
    const [first = '', ...rest] = lines
    socket.write([first, ...(keyed ? [authorization] : []), ...rest, '', body].join('\r\n'))
    const closed = once(socket, 'close')
    await Promise.race([closed, expect.poll(() => text, { interval: 10 }).toContain(until)])
    return { text, socket }
  }
  const status = async (...lines: string[]): Promise<string> => (await say(lines)).text.split(' ')[1] ?? 'closed'
  return { port, asked, headers, told, reach, egress, say, status }
}

test('nobody uses the way out without its password', async () => {
  const { port, say, asked } = await stand()
  for (const line of [`GET http://localhost:${port}/app/x HTTP/1.1`, `CONNECT localhost:${port} HTTP/1.1`])
    expect((await say([line, 'Host: x'], '\r\n\r\n', false)).text).toMatch(/^HTTP\/1\.1 407 /)
  expect(asked).toEqual([])
})

test('a request to the app arrives as it was made, without what is between browser and proxy', async () => {
  const { port, say, asked, headers } = await stand()
  const body = 'name=value'
  const { text } = await say(
    [
      `POST http://localhost:${port}/app/x?y=1 HTTP/1.1`,
      'Host: elsewhere.example',
      'Proxy-Connection: keep-alive',
      'Connection: x-hop',
      'X-Hop: 1',
      'X-Kept: 1',
      `Content-Length: ${body.length}`,
    ],
    body,
    true,
    body,
  )
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(text).toMatch(/set-cookie: a=1\r\nset-cookie: b=2\r\n/)
  expect(asked).toEqual([`POST /app/x?y=1 localhost:${port}`])
  expect(headers[0]?.filter((_, at) => at % 2 === 0)).toEqual(['Host', 'X-Kept', 'Content-Length', 'Connection'])
})

test('only the app is reached, and only what is below its root is shown, in a tunnel, too', async () => {
  const { port, asked, say, status } = await stand()
  const get = (address: string, ...says: string[]) => status(`GET ${address} HTTP/1.1`, 'Host: x', ...says)
  expect([
    await get(`http://localhost:${port}/elsewhere`, 'Sec-Fetch-Mode: navigate'),
    await get(`http://localhost:${port}/elsewhere`, 'Upgrade-Insecure-Requests: 1'),
    await get(`http://localhost:${port}/app/%2e%2e/elsewhere`, 'Upgrade-Insecure-Requests: 1'),
    await get(`http://127.0.0.1:${port}/app/`),
    await get(`http://localhost:${port + 1}/app/`),
    await get('http://169.254.169.254/latest/meta-data/'),
    await get('http://accounts.example.com/'),
    await get('/app/'),
  ]).toEqual(Array.from({ length: 8 }, () => '403'))
  for (const authority of [`127.0.0.1:${port}`, `localhost:${port + 1}`, '[::1]:443', '169.254.169.254:80', 'a', ''])
    expect(await status(`CONNECT ${authority} HTTP/1.1`, 'Host: x')).toMatch(/^(403|400|closed)$/)
  const { socket, text } = await say([`CONNECT localhost:${port} HTTP/1.1`, 'Host: x'])
  expect(text).toMatch(/^HTTP\/1\.1 200 /)
  const answers: string[] = []
  socket.on('data', (chunk) => answers.push(chunk.toString('latin1').split('\r\n')[0] ?? ''))
  for (const [at, path] of ['/elsewhere', '/app/inside'].entries()) {
    const tunnel = at === 0 ? socket : (await say([`CONNECT localhost:${port} HTTP/1.1`, 'Host: x'])).socket
    if (at > 0) tunnel.on('data', (chunk) => answers.push(chunk.toString('latin1').split('\r\n')[0] ?? ''))
    tunnel.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nUpgrade-Insecure-Requests: 1\r\n\r\n`)
    await expect.poll(() => answers.length).toBeGreaterThan(at)
  }
  expect(answers).toEqual(['HTTP/1.1 403 Forbidden', 'HTTP/1.1 200 OK'])
  expect(await get(`http://localhost:${port}/static/app.js`, 'Sec-Fetch-Mode: no-cors')).toBe('200')
  expect(asked).toEqual([`GET /app/inside localhost:${port}`, `GET /static/app.js localhost:${port}`])
})

test('a WebSocket reaches the app, and no other host', async () => {
  const { port, say } = await stand()
  const upgrade = async (path: string) => {
    const { socket } = await say([`CONNECT localhost:${port} HTTP/1.1`, 'Host: x'])
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString('latin1')))
    const key = Buffer.alloc(16).toString('base64')
    const lines = ['Host: x', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
    socket.write([`GET ${path} HTTP/1.1`, ...lines, `Sec-WebSocket-Key: ${key}`, '', ''].join('\r\n'))
    await expect.poll(() => text).toContain('\r\n\r\n')
    return { socket, text: () => text }
  }
  expect((await upgrade(`http://127.0.0.1:${port}/app/live`)).text()).toMatch(/^HTTP\/1\.1 403 /)
  const open = await upgrade('/live')
  expect(open.text()).toMatch(/^HTTP\/1\.1 101 /)
  open.socket.write(Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69]))
  await expect.poll(open.text).toContain('hi')
})

test('what a person allows is reached by its name alone, at the address that was looked up first', async () => {
  const heard: string[] = []
  const service = createTcpServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.on('data', (said) => {
      heard.push(said.toString())
      socket.end('answer')
    })
  })
  const port = await listen(service)
  onTestFinished(() => void service.close())
  const addresses = { 'accounts.example.com': ['127.0.0.1'], 'inside.example.com': ['127.0.0.1', '10.0.0.1'] }
  const names = await startNameServer(addresses)
  const before = dns.getServers()
  dns.setServers([names.address])
  onTestFinished(() => {
    dns.setServers(before)
    names.close()
  })
  const { reach, told, say, status } = await stand({ isPublic: (address) => address === '127.0.0.1' })
  const tunnel = (host: string) => status(`CONNECT ${host} HTTP/1.1`, 'Host: x')
  const host = `accounts.example.com:${port}`
  expect(await tunnel(host)).toBe('403')
  expect(names.asked).toEqual([])
  expect(told).toEqual([[{ host, page: false, unreachable: false }]])
  expect([reach.allow('another.example.com'), reach.allow(host)]).toEqual([undefined, { open: null, asker: null }])
  expect(told.at(-1)).toEqual([])
  expect(await tunnel(`accounts.example.com:${port + 1}`)).toBe('403')
  const { socket } = await say([`CONNECT ${host} HTTP/1.1`, 'Host: x'])
  socket.write('question')
  await expect.poll(() => heard).toEqual(['question'])
  // Whoever owns the name lets it lead elsewhere now: it still leads where it led.
  addresses['accounts.example.com'] = ['10.0.0.1']
  expect(await tunnel(host)).toBe('200')

  for (const inside of ['inside.example.com', 'nowhere.example.com']) {
    await tunnel(`${inside}:443`)
    expect(reach.allow(inside)).toEqual({ open: null, asker: null })
    expect(await tunnel(`${inside}:443`)).toBe('502')
    expect(told.at(-1)).toContainEqual({ host: inside, page: false, unreachable: true })
    expect(await tunnel(`${inside}:443`)).toBe('403')
    expect(reach.allow(inside)).toBe(undefined)
  }
})

test('a person is asked about names on the internet only, and about so many at most', () => {
  const told: (readonly Wanted[])[] = []
  const reach = new Reach({
    root: 'https://app.example.com/',
    hosts: ['https://cdn.example.net'],
    onWanted: (wanted) => void told.push(wanted),
  })
  const never = [
    'https://app.example.com:8443/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://[::1]/',
    'https://8.8.8.8/',
    'https://localhost/',
    'https://intranet/',
    'http://plain.example.com/',
    'ftp://files.example.com/',
    'https://cdn.example.net/x.js',
    'https://app.example.com/x',
    'nonsense',
  ]
  for (const address of never) reach.want(address, true)
  expect(told).toEqual([])
  reach.want('https://аррӏе.com/login', false)
  reach.want('wss://live.example.org:8443/', false)
  expect(told.at(-1)?.map(({ host }) => host)).toEqual(['xn--80ak6aa92e.com', 'live.example.org:8443'])
  reach.want('https://xn--80ak6aa92e.com/other', true, {
    open: 'https://xn--80ak6aa92e.com/other',
    asker: 'https://app.example/',
  })
  expect(told.at(-1)?.[0]).toEqual({ host: 'xn--80ak6aa92e.com', page: true, unreachable: false })
  for (let more = 0; more < 100; more++) reach.want(`https://h${more}.example.com/`, false)
  expect(told.at(-1)).toHaveLength(20)
  expect(reach.allow('xn--80ak6aa92e.com')).toEqual({
    open: 'https://xn--80ak6aa92e.com/other',
    asker: 'https://app.example/',
  })
  const may = (address: string) => [reach.mayShow(address), reach.mayLoad(address)]
  expect(may('wss://xn--80ak6aa92e.com/x')).toEqual([true, true])
  expect(may('http://xn--80ak6aa92e.com/x')).toEqual([false, false])
  expect(may('https://xn--80ak6aa92e.com:8443/x')).toEqual([false, false])
})

test('a browser that loads too much, or says nothing for long, is cut off', async () => {
  const { port, say, status } = await stand({ bytes: 300_000, silence: 400 })
  const silent = await say([`CONNECT localhost:${port} HTTP/1.1`, 'Host: x'])
  await once(silent.socket, 'close')
  const { text } = await say([`GET http://localhost:${port}/app/endless HTTP/1.1`, 'Host: x'], 'never said')
  expect(text.length).toBeLessThan(400_000)
  expect(await status(`GET http://localhost:${port}/app/more HTTP/1.1`, 'Host: x')).toBe('403')
  expect(await status(`CONNECT localhost:${port} HTTP/1.1`, 'Host: x')).toBe('403')
})

test('what comes through a tunnel counts as well', async () => {
  const endless = createTcpServer((socket) => {
    const more = setInterval(() => socket.write(Buffer.alloc(65_536)), 5)
    socket.on('close', () => clearInterval(more)).on('error', () => undefined)
  })
  onTestFinished(() => void endless.close())
  const authority = `localhost:${await listen(endless)}`
  const { say } = await stand({ hosts: [`https://${authority}`], bytes: 300_000 })
  const { text } = await say([`CONNECT ${authority} HTTP/1.1`, 'Host: x'], 'never said')
  expect(text).toMatch(/^HTTP\/1\.1 200 Connected\r\n/)
  expect(text.length).toBeLessThan(400_000)
})

test('what is closed leads nowhere, and leaves no port', async () => {
  const { port, say, egress } = await stand()
  const { socket } = await say([`CONNECT localhost:${port} HTTP/1.1`, 'Host: x'])
  const closed = once(socket, 'close')
  await egress.close()
  await closed
  const [error] = (await once(connect(Number(new URL(egress.proxy.server).port), '127.0.0.1'), 'error')) as [
    NodeJS.ErrnoException,
  ]
  expect(error.code).toBe('ECONNREFUSED')
})

test.each([
  ['http://h:1/app/', true],
  ['http://h:1/app', true],
  ['http://h:1/app/x?y=http://z', true],
  ['http://h:1/app2/', false],
  ['http://h:1/app/../secret', false],
  ['http://h:1/app/%2e%2e/secret', false],
  ['http://h:2/app/', false],
  ['https://h:1/app/', false],
  ['http://h:1@evil/app/', false],
  ['file:///app/', false],
  ['nonsense', false],
])('%s is below the app: %s', (address, below) => {
  expect(isBelow('http://h:1/app/', address)).toBe(below)
})
