import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** What the tests may get wrong on purpose. */
export interface Odd {
  readonly origin?: string
  readonly host?: string
  readonly challenge?: string
  readonly counter?: number
  readonly verified?: boolean
  readonly owner?: string
  readonly signature?: Buffer
  /** An attestation with a certificate. */
  readonly certificate?: boolean
  readonly id?: Buffer
}

/** A security key in software, with one passkey (ES256). Source of the bytes: Web Authentication level 3, 6.1 and 6.5. */
export class Authenticator {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #origin: string
  readonly id = randomBytes(32)
  counter = 0
  #owner = ''

  constructor(origin: string) {
    this.#origin = origin
  }

  /** The answer to `navigator.credentials.create`, as JSON. */
  make(options: { challenge: string; user: { id: string } }, odd: Odd = {}): string {
    this.#owner = options.user.id
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const id = odd.id ?? this.id
    const cose = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ])
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose])
    const data = Buffer.concat([this.#data(0x40, odd), attested])
    const statement = odd.certificate
      ? [text('packed'), text('attStmt'), Buffer.from([0xa1]), text('x5c'), Buffer.from([0x81]), bytes(randomBytes(40))]
      : [text('none'), text('attStmt'), Buffer.from([0xa0])]
    const object = Buffer.concat([Buffer.from([0xa3]), text('fmt'), ...statement, text('authData'), bytes(data)])
    return JSON.stringify({
      id: id.toString('base64url'),
      rawId: id.toString('base64url'),
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: this.#client('webauthn.create', options.challenge, odd).toString('base64url'),
        attestationObject: object.toString('base64url'),
        transports: ['internal'],
      },
    })
  }

  /** The answer to `navigator.credentials.get`, as JSON. */
  use(options: { challenge: string }, odd: Odd = {}): string {
    const client = this.#client('webauthn.get', options.challenge, odd)
    const data = this.#data(0, odd)
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
    const id = (odd.id ?? this.id).toString('base64url')
    return JSON.stringify({
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: (odd.signature ?? sign('sha256', signed, this.#keys.privateKey)).toString('base64url'),
        userHandle: odd.owner === undefined ? this.#owner : Buffer.from(odd.owner).toString('base64url'),
      },
    })
  }

  #client(type: string, challenge: string, odd: Odd): Buffer {
    const told = { type, challenge: odd.challenge ?? challenge, origin: odd.origin ?? this.#origin, crossOrigin: false }
    return Buffer.from(JSON.stringify(told))
  }

  #data(more: number, odd: Odd): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(odd.counter ?? this.counter)
    const present = 0x01
    const verified = odd.verified === false ? 0 : 0x04
    const host = createHash('sha256')
      .update(odd.host ?? new URL(this.#origin).hostname)
      .digest()
    return Buffer.concat([host, Buffer.from([present | verified | more]), counter])
  }
}

/** CBOR of a short text. */
function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
}

/** CBOR of bytes. */
function bytes(value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x59, value.length >> 8, value.length & 0xff]), value])
}
