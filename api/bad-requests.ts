import { STATUS_CODES } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { ulid } from 'ulid'

/** Answers what is not HTTP enough to become a request, in the form of every other error. */
export function answerBadRequests(server: Server, publicUrl: string): void {
  // Left to itself, Node answers an unknown expectation with an empty 417. RFC 9110 lets us do as if it were not there.
  server.on('checkExpectation', (request, response) => void server.emit('request', request, response))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else socket.end(answerTo(error.code, publicUrl))
  })
}

/** HTTP/1.1 wants one. Node would refuse it, too, but with an empty answer. */
export function lacksHost({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === '1.1' && headers.host === undefined
}

/** The answer to a request without a Host. */
export function refuseNoHost({ socket }: IncomingMessage, publicUrl: string): void {
  socket.end(answerTo(undefined, publicUrl))
}

function answerTo(code: string | undefined, publicUrl: string): string {
  const [status, message] =
    code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'The address and headers are longer than 16 KiB together.']
      : code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'The request did not arrive in full in time.']
        : [400, 'This is not a valid HTTP request.']
  const request_id = `req_${ulid()}`
  const body = JSON.stringify({ error: 'invalid_input', message, request_id, details: [{ path: '', message }] })
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${request_id}`,
    'X-Credits-Used: 0',
    `Link: <${publicUrl}/docs>; rel="describedby"`,
    'Cache-Control: no-store',
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
