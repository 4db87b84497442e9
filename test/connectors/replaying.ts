import { createServer, request } from 'node:http'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { listen } from '../support/listen.ts'

interface Answered {
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly body: string
}

/** Stands before an app: keeps what the app answers, and gives the same again, changed, without asking the app a second time. */
export class Replaying implements AsyncDisposable {
  readonly url: string
  /** What is made of bodies, and of where redirects lead, when they are given again. */
  change: (text: string) => string = (text) => text
  readonly #kept: Answered[] = []
  readonly #server
  #next: number | undefined

  private constructor(server: ReturnType<typeof createServer>, url: string) {
    this.#server = server
    this.url = url
  }

  static async before(target: string): Promise<Replaying> {
    const server = createServer((asked, answer) => void replaying.#answer(target, asked, answer))
    const url = new URL(target)
    url.port = String(await listen(server))
    const replaying: Replaying = new Replaying(server, url.origin)
    return replaying
  }

  /** From now on what the app answers is kept. */
  record(): void {
    this.#kept.length = 0
    this.#next = undefined
  }

  /** From now on what was kept is given, from its beginning. */
  replay(change: (text: string) => string): void {
    this.#next = 0
    this.change = change
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #answer(target: string, asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    if (this.#next === undefined) {
      const answered = await passOn(target, asked)
      this.#kept.push(answered)
      answer.writeHead(answered.status, answered.headers).end(answered.body)
      return
    }
    const kept = this.#kept[this.#next++]
    if (kept === undefined) return void answer.destroy()
    const { location } = kept.headers
    const led = typeof location === 'string' ? { location: this.change(location) } : {}
    answer.writeHead(kept.status, { ...kept.headers, ...led }).end(this.change(kept.body))
  }
}

function passOn(target: string, asked: IncomingMessage): Promise<Answered> {
  const { method, headers, url = '/' } = asked
  return new Promise((resolve, reject) => {
    const onward = request(new URL(url, target), { method, headers }, (answered) => {
      const chunks: Buffer[] = []
      answered.on('data', (chunk: Buffer) => chunks.push(chunk))
      answered.on('end', () => {
        const { 'content-length': _length, 'transfer-encoding': _encoding, ...others } = answered.headers
        resolve({ status: answered.statusCode ?? 502, headers: others, body: Buffer.concat(chunks).toString() })
      })
    })
    onward.on('error', reject)
    asked.pipe(onward)
  })
}
