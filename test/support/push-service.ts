import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { isFields } from '../../connectors/kit/wire.ts'
import { freePort } from '../../local-services/dev-server.ts'
import { listen } from './listen.ts'

export interface Pushed {
  readonly headers: IncomingHttpHeaders
  readonly path: string
  readonly body: Buffer
}

/** What makers of browsers run, on a port of its own, and a browser that is subscribed there. */
export interface PushService {
  readonly port: number
  readonly pushed: Pushed[]
  /** What it answers from now on: 201 at first. */
  answer(status: number): void
  /** A new browser's subscription, as JSON, and how that browser reads what comes. */
  subscribe(): { readonly json: string; readonly endpoint: string; readonly read: (pushed: Pushed) => unknown }
  close(): Promise<void>
}

export async function startPushService(): Promise<PushService> {
  const pushed: Pushed[] = []
  let status = 201
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      pushed.push({ headers: request.headers, path: request.url ?? '', body: Buffer.concat(chunks) })
      response.writeHead(status).end()
    })
  })
  const port = await listen(server, await freePort())
  return {
    port,
    pushed,
    answer(next) {
      status = next
    },
    subscribe() {
      const own = createECDH('prime256v1')
      own.generateKeys()
      const auth = randomBytes(16)
      const endpoint = `http://127.0.0.1:${port}/push/${randomBytes(8).toString('hex')}`
      const keys = { p256dh: own.getPublicKey('base64url'), auth: auth.toString('base64url') }
      return {
        endpoint,
        json: JSON.stringify({ endpoint, expirationTime: null, keys }),
        read: ({ body }) => JSON.parse(opened(body, own, auth)) as unknown,
      }
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** RFC 8291 over RFC 8188: one record. */
function opened(body: Buffer, own: ReturnType<typeof createECDH>, auth: Buffer): string {
  const salt = body.subarray(0, 16)
  const theirs = body.subarray(21, 21 + body.readUInt8(20))
  const sealed = body.subarray(21 + theirs.length)
  const secret = hkdf(
    auth,
    own.computeSecret(theirs),
    Buffer.concat([Buffer.from('WebPush: info\0'), own.getPublicKey(), theirs]),
    32,
  )
  const key = hkdf(salt, secret, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = hkdf(salt, secret, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(sealed.subarray(-16))
  const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  return plain.subarray(0, plain.lastIndexOf(2)).toString()
}

function hkdf(salt: Buffer, input: Buffer, info: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', input, salt, info, length))
}

/** What a push says of who sent it (RFC 8292): the claims, if the key it names signed them. */
export function vapidOf({ headers }: Pushed): {
  readonly key: string
  readonly claims: Readonly<Record<string, unknown>>
} {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(headers.authorization ?? '') ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const signed = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  const told: unknown = JSON.parse(Buffer.from(claims, 'base64url').toString())
  if (!signed || !isFields(told)) throw new Error('the push is not signed by the key that it names')
  return { key, claims: told }
}
