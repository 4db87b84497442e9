import { STATUS_CODES } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { newUlid } from '../../core/ulid.ts'

/** Answers what is not HTTP enough to become a request, in the form of every other error. */
export function answerBadRequests(server: Server, publicUrl: string): void {
  // Left to itself, Node answers an unknown expectation with an empty 417. RFC 9110 lets us do as if it were not there.
  server.on('checkExpectation', (request, response) => void server.emit('request', request, response))
  const open = openResponses(server)
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const due = open(socket).findLast(({ req }) => mayHaveBegun(req))
    if (error.code === 'ECONNRESET' || !socket.writable || due?.headersSent === true) socket.destroy()
    else if (due === undefined) socket.end(answerTo(error.code, publicUrl))
    // An answer of ours in front of it would be taken for it: "nothing was run" of a call that runs.
    else due.setHeader('Connection', 'close')
  })
}

/** The responses of a connection that have not been sent in full, first to last: requests may follow each other without waiting. */
function openResponses(server: Server): (socket: Duplex) => readonly ServerResponse[] {
  const open = new WeakMap<Duplex, Set<ServerResponse>>()
  server.on('request', ({ socket }, response) => {
    const responses = open.get(socket) ?? new Set()
    open.set(socket, responses.add(response))
    response.once('close', () => responses.delete(response))
  })
  return (socket) => [...(open.get(socket) ?? [])]
}

/** What has a body is not run before all of it is there. */
function mayHaveBegun({ complete, method }: IncomingMessage): boolean {
  return complete || method !== 'POST'
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
  const request_id = `req_${newUlid()}`
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
