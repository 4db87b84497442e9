import { STATUS_CODES } from 'node:http'
import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { ulid } from 'ulid'

/** Answers what is not HTTP enough to become a request, in the form of every other error. */
export function answerBadRequests(server: Server, publicUrl: string): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else socket.end(answerTo(error.code, publicUrl))
  })
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
