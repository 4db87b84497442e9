import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A client that nobody here wrote, once it is let in. */
export interface Stranger {
  /** What a tool told. */
  use(tool: string, args: Record<string, unknown>): Promise<Record<string, unknown>>
  close(): Promise<void>
}

/** How it gets in: with a key, or by a person who signs in where it sends them. */
export interface Way {
  readonly key: string | undefined
  /** The person's browser: opens the address, they allow it, and this is where they are sent to. */
  visit(url: string): Promise<URL>
}

/** What its programs know. */
export interface Place {
  readonly mcpUrl: string
  /** An empty folder, for what it keeps. */
  readonly folder: string
}

export interface Program {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** It has a listener of its own for the person's return. */
  readonly listens?: boolean
}

export interface Started {
  open(way: Way): Promise<Stranger>
  stop(): Promise<void>
}

type Told = { readonly told: string | null } | { readonly end: string }

/** A program that does a story for each line with a key, or without one: it asks for each step on stdout, and is told it on stdin. */
export class Led implements Started {
  readonly #child
  readonly #lines
  readonly #listens: boolean
  #said = ''

  constructor({ command, args, env, listens = false }: Program, { mcpUrl, folder }: Place) {
    this.#child = spawn(command, args, {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder, MCP_URL: mcpUrl, ...env },
    })
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#said += text))
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]()
    this.#listens = listens
  }

  async open(way: Way): Promise<Stranger> {
    this.#send({ key: way.key ?? null })
    await this.#heard(way)
    return {
      use: async (tool, args) => {
        this.#send({ use: tool, arguments: args })
        const line = await this.#heard(way)
        if (!('told' in line) || line.told === null) throw new Error(`${tool} told nothing`)
        return JSON.parse(line.told) as Record<string, unknown>
      },
      close: async () => {
        this.#send({ say: 'It is done.' })
        const line = await this.#heard(way)
        if (!('end' in line) || line.end !== 'It is done.') throw new Error(`it ended with ${JSON.stringify(line)}`)
      },
    }
  }

  async stop(): Promise<void> {
    this.#child.stdin.end()
    const code = await ended(this.#child)
    if (code !== 0) throw new Error(`${this.#child.spawnargs.join(' ')}: ${code} ${this.#said.slice(-4_000)}`)
  }

  #send(line: object): void {
    this.#child.stdin.write(`${JSON.stringify(line)}\n`)
  }

  async #heard(way: Way): Promise<Told> {
    for (;;) {
      const { value, done } = await this.#lines.next()
      if (done === true) throw new Error(`it ended: ${this.#said.slice(-4_000)}`)
      const visit = /^visit (http\S+)$/.exec(value)?.[1]
      if (visit !== undefined) {
        const back = await way.visit(visit)
        if (this.#listens) await fetch(back)
        else this.#send({ back: back.href })
      } else if (value.startsWith('{')) return JSON.parse(value) as Told
    }
  }
}

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode
  const [code] = (await once(child, 'exit', { signal: AbortSignal.timeout(10_000) }).catch((error: unknown) => {
    child.kill('SIGKILL')
    throw error
  })) as [number | null]
  return code
}
