import dns from 'node:dns'
import { lookup } from 'node:dns/promises'
import { createServer } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { expect, test } from 'vitest'
import { checkUrl, mayReach } from '../../core/notices/address.ts'
import { pauseAfter } from '../../core/notices/retry-policy.ts'
import { post } from '../../core/notices/post.ts'
import { loadConfig } from '../../config.ts'
import { listen } from '../support/listen.ts'
import { startNameServer } from '../support/name-server.ts'
import { startReceiver } from '../support/receiver.ts'

const message = { body: '{}', headers: { 'content-type': 'application/json' } }
const never = new AbortController().signal
const local = ['127.0.0.0/8', '::1/128']

const notPublic = [
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '203.0.113.9',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::a00:1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456:789a::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
]

test.each(notPublic)('no webhook reaches %s', (address) => {
  expect(mayReach(address, 'https:', [])).toBe(false)
  expect(mayReach(address, 'http:', [])).toBe(false)
})

test.each(['1.1.1.1', '93.184.216.34', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111', '::ffff:1.1.1.1'])(
  'a webhook reaches %s, by https',
  (address) => {
    expect(mayReach(address, 'https:', [])).toBe(true)
    expect(mayReach(address, 'http:', [])).toBe(false)
  },
)

test('what the operator allows is reached besides, by http too', () => {
  expect(mayReach('127.0.0.1', 'http:', local)).toBe(true)
  expect(mayReach('::ffff:127.0.0.1', 'http:', local)).toBe(true)
  expect(mayReach('::1', 'https:', local)).toBe(true)
  expect(mayReach('10.0.0.1', 'https:', local)).toBe(false)
})

test.each([
  'nonsense',
  'ftp://example.com/',
  'javascript:alert(1)',
  'http://example.com/',
  'https://user:password@example.com/',
  'https://user@example.com/',
  'https://example.com:22/',
  'https://example.com:25/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.0.0.1/',
  'https://0177.0.0.1/',
  'https://127.0.0.1.:8443/',
  'https://①②⑦.0.0.1/',
  'https://[::1]/',
  'https://[::ffff:7f00:1]/',
  'https://[64:ff9b::169.254.169.254]/',
  'https://169.254.169.254/latest/meta-data/',
  `https://example.com/${'x'.repeat(2_000)}`,
])('%s is refused when it is typed', (text) => {
  expect(checkUrl(text, [])).toEqual({ problem: expect.stringMatching(/\.$/) })
})

test('an address is kept as browsers write it', () => {
  expect(checkUrl('https://EXAMPLE.com', [])).toEqual({ url: 'https://example.com/' })
  expect(checkUrl('https://example.com:8443/a?b=c#d', [])).toEqual({ url: 'https://example.com:8443/a?b=c' })
  expect(checkUrl('http://127.0.0.1:8000/', local)).toEqual({ url: 'http://127.0.0.1:8000/' })
  expect(checkUrl('http://10.0.0.1:8000/', local)).toHaveProperty('problem')
})

test('a host at a private address gets no connection, by whatever name', async () => {
  const receiver = await startReceiver()
  const { port } = receiver
  for (const host of [
    'localhost',
    '127.0.0.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '[::ffff:127.0.0.1]',
    '0.0.0.0',
  ]) {
    for (const protocol of ['http', 'https'])
      expect(await post(`${protocol}://${host}:${port}/`, message, ['10.0.0.0/8'], never)).toEqual({
        delivered: false,
        result: 'private_address',
      })
  }
  expect(receiver.connections()).toBe(0)
  expect(await post(`http://localhost:${port}/`, message, local, never)).toEqual({ delivered: true, result: '204' })
  expect(receiver.connections()).toBe(1)
  // The name goes on to the receiver, though the connection goes to the address.
  expect(receiver.received[0]?.headers.host).toBe(`localhost:${port}`)
  await receiver.close()
})

test('a name is asked for once a try, and one private address among its own is enough to stay away', async () => {
  const receiver = await startReceiver()
  const names = await startNameServer({
    'mine.test': ['127.0.0.1'],
    'two.test': ['127.0.0.1', '10.0.0.1'],
    'empty.test': [],
  })
  const before = dns.getServers()
  dns.setServers([names.address])
  try {
    const to = (host: string) => post(`http://${host}:${receiver.port}/`, message, local, never)
    expect(await to('mine.test')).toEqual({ delivered: true, result: '204' })
    expect(names.asked).toEqual(['mine.test', 'mine.test'])
    expect(await to('two.test')).toEqual({ delivered: false, result: 'private_address' })
    expect(await to('empty.test')).toEqual({ delivered: false, result: 'unknown_host' })
    expect(await to('none.test')).toEqual({ delivered: false, result: 'unknown_host' })
    expect(receiver.connections()).toBe(1)
  } finally {
    dns.setServers(before)
    names.close()
    await receiver.close()
  }
})

test('name servers that never answer hold up nobody else’s look-ups', async () => {
  const silent = await startNameServer()
  const before = dns.getServers()
  dns.setServers([silent.address])
  try {
    let over = 0
    const tries = Array.from({ length: 12 }, (_, n) =>
      post(`https://slow${n}.test/`, message, [], never).finally(() => (over += 1)),
    )
    await expect.poll(() => new Set(silent.asked).size).toBe(12)
    expect(await lookup('localhost')).toHaveProperty('address')
    expect(over, 'it does not wait behind them').toBe(0)
    for (const told of await Promise.all(tries)) expect(told).toEqual({ delivered: false, result: 'timeout' })
  } finally {
    dns.setServers(before)
    silent.close()
  }
})

test('what went wrong is told in one word', async () => {
  const receiver = await startReceiver()
  const to = (url: string) => post(url, message, local, never)
  expect(await to(`https://127.0.0.1:${receiver.port}/`)).toEqual({ delivered: false, result: 'tls' })
  receiver.answer(500)
  expect(await to(receiver.url)).toEqual({ delivered: false, result: '500' })
  await receiver.close()
  expect(await to(receiver.url)).toEqual({ delivered: false, result: 'refused' })
  expect(await to('https://no-such-host.invalid/')).toEqual({ delivered: false, result: 'unknown_host' })
})

test('nothing is waited for longer than 15 seconds, nor read without end', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/silent') return
    response.writeHead(200)
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(16_384)));
    }
    response.on('drain', more)
    more()
  })
  const port = await listen(server)
  expect(await post(`http://127.0.0.1:${port}/endless`, message, local, never)).toEqual({
    delivered: true,
    result: '200',
  })
  expect(await post(`http://127.0.0.1:${port}/silent`, message, local, never)).toEqual({
    delivered: false,
    result: 'timeout',
  })
  server.closeAllConnections()
  server.close()
})

test('the name of the host is what the certificate has to have', async () => {
  const seen: Buffer[] = []
  const server = createTcpServer((socket) =>
    socket
      .on('error', () => undefined)
      .once('data', (bytes: Buffer) => {
        seen.push(bytes)
        socket.destroy()
      }),
  )
  const port = await listen(server)
  expect(await post(`https://localhost:${port}/`, message, local, never)).toMatchObject({ delivered: false })
  expect(seen[0]?.includes('localhost')).toBe(true)
  server.close()
})

test('a try that is taken back is no failure of the receiver', async () => {
  const receiver = await startReceiver()
  await expect(post(receiver.url, message, local, AbortSignal.abort(new Error('stopping')))).rejects.toThrow('stopping')
  await receiver.close()
})

test('pauses grow to ten hours, and the last try is after three days', () => {
  const pauses: number[] = []
  for (let trying = 0; ;) {
    const pause = pauseAfter('webhook', pauses.length + 1, trying, 0)
    if (pause === null) break
    pauses.push(pause / 1_000)
    trying += pause
  }
  const hour = 3_600
  expect(pauses.slice(0, 7)).toEqual([5, 60, 300, 1_800, 2 * hour, 5 * hour, 10 * hour])
  expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBe(72 * hour)
  expect(Math.max(...pauses)).toBe(10 * hour)
  expect(pauseAfter('webhook', 1, 0, 1)).toBe(5_500)
  expect(pauseAfter('email', 9, 0, 0)).toBe(900_000)
})

test('settings that cannot work are told at the start, without a password', () => {
  const env = { DATABASE_URL: 'postgresql://x', TEMPORAL_ADDRESS: '127.0.0.1:1' }
  expect(loadConfig(env)).toMatchObject({ mail: null, webhookAllow: [] })
  const good = { ...env, SMTP_URL: 'smtp://me:very-secret@mail.example:25', SMTP_FROM: 'Callgate <gate@example.com>' }
  const config = loadConfig({ ...good, WEBHOOK_ALLOW: '10.0.0.0/8, ::1/128' })
  expect(config.webhookAllow).toEqual(['10.0.0.0/8', '::1/128'])
  expect(config.mail?.url()).toBe(good.SMTP_URL)
  expect(JSON.stringify(config)).not.toContain('very-secret')
  const bad = { ...env, SMTP_URL: 'mail://me:very-secret@mail.example', SMTP_FROM: 'nobody', WEBHOOK_ALLOW: 'all' }
  expect(() => loadConfig(bad)).toThrow(/^(?!.*very-secret).*SMTP_URL.*SMTP_FROM.*WEBHOOK_ALLOW/)
})
