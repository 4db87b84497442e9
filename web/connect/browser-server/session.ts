import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { serveChromium } from '../browser/chromium.ts'
import type { Proxy, ServedChromium } from '../browser/chromium.ts'
import { requestHeader } from './request.ts'

/** Longer than a sign-in and its recording may take, which the API limits itself. */
const mostMs = 45 * 60_000
/** The API pings each browser every ten seconds. */
const usualSilentMs = 60_000
const unsandboxed =
  "a sign-in browser runs without Chromium's own sandbox, which needs user namespaces that this system refuses: run the container with deploy/chromium-seccomp.json"

export interface SessionOptions {
  /** Folder for the browsers' files. */
  readonly dir: string
  /** Maximum silence on a connection, in ms. */
  readonly silentMs?: number
  readonly log: (level: 'info' | 'warn' | 'error', text: string) => void
}

/** One browser, for as long as one connection lasts. */
export class Session {
  readonly #options: SessionOptions
  readonly #request: IncomingMessage
  readonly #socket: Duplex
  readonly #head: Buffer

  constructor(options: SessionOptions, request: IncomingMessage, socket: Duplex, head: Buffer) {
    this.#options = options
    this.#request = request
    this.#socket = socket
    this.#head = head
  }

  end(): void {
    this.#socket.destroy()
  }

  /** Resolves once the browser is gone. */
  async run(proxy: Proxy, scale: number): Promise<void> {
    // Lets the kernel detect a peer that vanished.
    if (this.#socket instanceof Socket) this.#socket.setKeepAlive(true, 10_000)
    const timer = setTimeout(() => this.end(), mostMs)
    let chromium: ServedChromium | undefined
    try {
      chromium = await serveChromium(this.#options.dir, proxy, scale)
      if (!chromium.sandboxed) this.#options.log('warn', unsandboxed)
      if (!this.#socket.destroyed) await this.#join(chromium)
    } finally {
      clearTimeout(timer)
      await chromium?.kill()
    }
  }

  /** Resolves when either side ends. */
  async #join({ address, process }: ServedChromium): Promise<void> {
    const inner = connect(Number(address.port), address.hostname)
    const socket = this.#socket
    process.once('exit', () => inner.destroy())
    try {
      await once(inner, 'connect')
      inner.write(Buffer.concat([Buffer.from(this.#upgrade(address), 'latin1'), this.#head]))
      const { silentMs = usualSilentMs } = this.#options
      if (socket instanceof Socket) socket.setTimeout(silentMs, () => socket.destroy())
      await Promise.race([pipeline(socket, inner), pipeline(inner, socket)])
    } catch {
      // A broken connection ends the browser like a closed one.
    } finally {
      inner.destroy()
      socket.destroy()
    }
  }

  /** The API's upgrade request, on the browser's secret path, without headers for this service. */
  #upgrade({ pathname, host }: URL): string {
    const { rawHeaders } = this.#request
    const lines = [`GET ${pathname} HTTP/1.1`, `Host: ${host}`]
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const name = rawHeaders[at] ?? ''
      if (!['host', 'authorization', requestHeader].includes(name.toLowerCase()))
        lines.push(`${name}: ${rawHeaders[at + 1] ?? ''}`)
    }
    return `${lines.join('\r\n')}\r\n\r\n`
  }
}
