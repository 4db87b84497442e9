import { expect, test } from 'vitest'
import { bound, rawApp, read_item, talk, write_item } from './local-app.ts'

const body = '{"nr":"7","cost":12.5}'
const length = `content-length: ${body.length}`
const shop = bound({ read_item, write_item })
const inputs = [
  ['read_item', { item_id: '7' }],
  ['write_item', { item_id: '7', price: 1 }],
] as const
/** Sends these bytes as Latin-1, twice where the connection is kept. */
const app = (bytes: string, pieces = 1) =>
  rawApp((_request, socket) => {
    const size = Math.ceil(bytes.length / pieces)
    for (let at = 0; at < bytes.length; at += size) socket.write(Buffer.from(bytes.slice(at, at + size), 'latin1'))
    if (!/^content-length|^transfer-encoding/im.test(bytes)) socket.end()
  })
const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
const head = (...lines: string[]): string => ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n')

test.each([
  ['line feeds alone', `HTTP/1.1 200 OK\n${length}\n\n${body}`],
  ['both ends of lines', `HTTP/1.1 200 OK\r\n${length}\n\r\n${body}`],
  ['a space before a colon', head(`Content-Length : ${body.length}`) + body],
  ['a line without a colon', head('nonsense', length) + body],
  ['a line without a name', head(': x', length) + body],
  ['a name that is none', head('x (y): z', length) + body],
  ['a folded line', head('x: a', '\tb', length) + body],
  ['a first line with a space before it', head(' x: a', length) + body],
  ['control characters', head('x: a\x01b\x7f', 'set-cookie: a=\x02', length) + body],
  ['no reason', `HTTP/1.1 200\r\n${length}\r\n\r\n${body}`],
  ['a status after tabs', `HTTP/1.1\t\t200\tOK\r\n${length}\r\n\r\n${body}`],
  ['small letters', `http/1.1 200 ok\r\n${length}\r\n\r\n${body}`],
  ['a later version', `HTTP/1.2 200 OK\r\n${length}\r\n\r\n${body}`],
  ['the same length twice', head(length, length) + body],
  ['the same length twice in a line', head(`${length}, ${body.length}`) + body],
  ['a length of what is in chunks', head('content-length: 3', 'transfer-encoding: chunked') + chunks],
  ['the word that nothing is done to it', head('Transfer-Encoding: identity', length) + body],
  [
    'a length that is none, up to its end',
    head('content-length: none').replace('content-length', 'CONTENT-LENGTH ') + body,
  ],
  [
    'interim answers before it',
    `HTTP/1.1 103 Early Hints\nlink: </x>\n\nHTTP/1.1 100 Go\r\n\r\n${head(length)}${body}`,
  ],
])('the head of an answer may have %s', async (_what, bytes) => {
  for (const [name, input] of inputs)
    for (const pieces of [1, 7, bytes.length]) {
      const ends = bytes.includes('CONTENT-LENGTH')
      await using there = ends
        ? await rawApp((_request, socket) => void socket.end(Buffer.from(bytes, 'latin1')))
        : await app(bytes, pieces)
      const { outcome, session } = await talk(there.origin, shop(name), input, { timeoutMs: 3_000 })
      expect(outcome).toMatchObject({ kind: 'ok', output: { item_id: '7' } })
      expect(session).toBeNull()
    }
})

test('nothing else is asked for on the connection of a head that had to be put right', async () => {
  const ask = async (bytes: string): Promise<number> => {
    await using there = await app(bytes)
    for (let turn = 0; turn < 2; turn++) {
      await talk(there.origin, shop('read_item'), { item_id: '7' })
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return there.connections
  }
  expect(await ask(head(length) + body)).toBe(1)
  expect(await ask(head(length, 'Connection: keep-alive', 'x : y') + body)).toBe(2)
})

test.each([
  ['two lengths', head(length, 'content-length: 5') + body, 'lost'],
  ['a NUL', head('x: a\0b', length) + body, 'changed'],
  ['no status', `HTTP/1.1 OK\r\n${length}\r\n\r\n${body}`, 'changed'],
  ['no head at all', `SSH-2.0\r\n\r\n${body}`, 'changed'],
  ['no end', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(10_000)}`, 'changed'],
])('but not %s', async (_what, bytes, kind) => {
  await using there = await rawApp((_request, socket) => void socket.end(Buffer.from(bytes, 'latin1')))
  for (const [name, input] of inputs)
    expect(await talk(there.origin, shop(name), input, { timeoutMs: 3_000 })).toMatchObject({
      outcome: { kind },
      sent: true,
    })
})
