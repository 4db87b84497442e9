import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { openFrontDoor } from '../../../api/http/front-door.ts'

const door = await openFrontDoor({ host: '127.0.0.1', port: 0, publicUrl: 'http://gate.example' })
door.open(
  (_request, response) => void response.end('served'),
  () => true,
)
door.server.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n'))
afterAll(() => door.server.close())

function send(...lines: string[]): Promise<string> {
  const socket = connect(Number(new URL(door.url).port), '127.0.0.1')
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  return text(socket)
}

test.each([
  ['two Hosts', 'GET / HTTP/1.1', 'Host: a', 'Host: b'],
  ['two equal Hosts', 'GET / HTTP/1.1', 'Host: a', 'hOST: a'],
  ['two Hosts of HTTP/1.0', 'GET / HTTP/1.0', 'Host: a', 'Host: b'],
  ['no Host', 'GET / HTTP/1.1'],
  ['an empty Host', 'GET / HTTP/1.1', 'Host:'],
  ['a list of Hosts', 'GET / HTTP/1.1', 'Host: a, b'],
  ['a Host with a path', 'GET / HTTP/1.1', 'Host: a/b'],
  ['a Host with a user', 'GET / HTTP/1.1', 'Host: u@a'],
  ['a Host with a bad port', 'GET / HTTP/1.1', 'Host: a:x'],
  ['a target of another authority', 'GET http://b/ HTTP/1.1', 'Host: a'],
  ['a target of another port', 'GET http://a:81/ HTTP/1.1', 'Host: a'],
  ['a target with a user', 'GET http://u@a/ HTTP/1.1', 'Host: a'],
  ['two Hosts of an upgrade', 'GET / HTTP/1.1', 'Host: a', 'Host: b', 'Connection: Upgrade', 'Upgrade: websocket'],
  ['two Authorizations', 'GET / HTTP/1.1', 'Host: a', 'Authorization: Bearer x', 'Authorization: Bearer y'],
  ['two Content-Lengths', 'POST / HTTP/1.1', 'Host: a', 'Content-Length: 0', 'Content-Length: 0'],
  ['both kinds of length', 'POST / HTTP/1.1', 'Host: a', 'Content-Length: 0', 'Transfer-Encoding: chunked'],
])('%s: 400 as JSON', async (_name, ...lines) => {
  const answer = await send(...lines)
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({ error: 'invalid_input' })
})

test.each([
  ['a port', 'GET / HTTP/1.1', 'Host: localhost:8080'],
  ['IPv6', 'GET / HTTP/1.1', 'Host: [::1]:8080'],
  ['the same authority in the target', 'GET http://A:80/x HTTP/1.1', 'Host: a'],
  ['HTTP/1.0 without a Host', 'GET / HTTP/1.0'],
])('%s is served', async (_name, ...lines) => {
  expect(await send(...lines, 'Connection: close')).toMatch(/^HTTP\/1\.1 200 /)
})
