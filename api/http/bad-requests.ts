import { STATUS_CODES } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { newUlid } from '../../core/ulid.ts'

/** Answers malformed HTTP, which never becomes a request, in the form of every other error. */
export function answerBadRequests(server: Server, publicUrl: string): void {
  // By default, Node answers an unknown expectation with an empty 417. RFC 9110 lets us ignore it.
  server.on('checkExpectation', (request, response) => void server.emit('request', request, response))
  const open = openResponses(server)
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const due = open(socket).findLast(({ req }) => mayHaveBegun(req))
    if (error.code === 'ECONNRESET' || !socket.writable || due?.headersSent === true) socket.destroy()
    else if (due === undefined) socket.end(answerTo(error.code, publicUrl))
    // Our answer in front of it would be taken for it: "nothing was run" for a call that runs.
    else due.setHeader('Connection', 'close')
  })
}

/** A connection's responses that are not sent in full, in order: requests may be pipelined. */
function openResponses(server: Server): (socket: Duplex) => readonly ServerResponse[] {
  const open = new WeakMap<Duplex, Set<ServerResponse>>()
  server.on('request', ({ socket }, response) => {
    const responses = open.get(socket) ?? new Set()
    open.set(socket, responses.add(response))
    response.once('close', () => responses.delete(response))
  })
  return (socket) => [...(open.get(socket) ?? [])]
}

/** A request with a body runs only once all of it has arrived. */
function mayHaveBegun({ complete, method }: IncomingMessage): boolean {
  return complete || method !== 'POST'
}

const hostForm = /^(?:[\w.~!$&'()*+,;=%-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i

/** Whether proxies could disagree on its target or sender: Host or Authorization is ambiguous. */
export function isAmbiguous({ httpVersion, rawHeaders, headers: { host }, url = '' }: IncomingMessage): boolean {
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())
  const count = (name: string): number => names.filter((one) => one === name).length
  if (count('host') > 1 || count('authorization') > 1) return true
  if (host === undefined) return httpVersion === '1.1'
  return !hostForm.test(host) || (/^[a-z][a-z\d+.-]*:/i.test(url) && !isFor(host, url))
}

/** Whether a target in absolute form names the same authority as Host. */
function isFor(host: string, target: string): boolean {
  if (!URL.canParse(target)) return false
  const { protocol, host: named, username, password } = new URL(target)
  const other = `${protocol}//${host}`
  return username === '' && password === '' && URL.canParse(other) && new URL(other).host === named
}

/** Uses the response, so that it waits for the answers to earlier pipelined requests. */
export function refuseAmbiguous(response: ServerResponse, publicUrl: string): void {
  const { status, headers, body } = refusal(undefined, publicUrl)
  response.writeHead(status, headers).end(body)
}

function answerTo(code: string | undefined, publicUrl: string): string {
  const { status, headers, body } = refusal(code, publicUrl)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n')
}

function refusal(code: string | undefined, publicUrl: string) {
  const [status, message]: [number, string] =
    code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'The address and headers are longer than 16 KiB together.']
      : code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'The request did not arrive in full in time.']
        : [400, 'This is not a valid HTTP request.']
  const request_id = `req_${newUlid()}`
  const body = JSON.stringify({ error: 'invalid_input', message, request_id, details: [{ path: '', message }] })
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-Id': request_id,
    'X-Credits-Used': '0',
    Link: `<${publicUrl}/docs>; rel="describedby"`,
    'Cache-Control': 'no-store',
    Connection: 'close',
  }
  return { status, headers, body }
}
