import { expect } from 'vitest'
import { daysFrom } from '../../connectors/dates.ts'
import type { Outcome } from '../../connectors/exchange.ts'
import { loadApps } from '../../connectors/registry.ts'
import type { App } from '../../connectors/registry.ts'
import { startExampleSandbox } from '../../scripts/examples/sandbox.ts'
import type { ExampleSandbox } from '../../scripts/examples/sandbox.ts'
import { SandboxControl } from '../support/sandbox.ts'
import { exchanged } from './local-app.ts'

export type Row = Readonly<Record<string, unknown>>

export const martinique = 'aae34a93-be44-4203-aed6-29aa56c6be0a'
export const jean = '87518d56-c744-4bbf-ae15-d92136065091'
export const cut = '155a819c-44b8-485b-a3e0-0b49ec264666'
export const dries = '7b0a0306-d2a9-4fc3-aabd-87a449be232c'

/** The day so many days from today, in UTC. */
export const dayAt = (days: number): string => daysFrom(new Date().toISOString().slice(0, 10), days)
/** A time in Martinique, which has the same offset all year. */
export const at = (days: number, time: string): string => `${dayAt(days)}T${time}:00-04:00`
export const values = (rows: readonly Row[], key: string): unknown[] => rows.map((row) => row[key])
export const list = (row: Row, key: string): Row[] => row[key] as Row[]

/** The salon app with its connector, as its accounts' owners would call it. */
export class Salon {
  readonly sandbox: ExampleSandbox
  readonly control: SandboxControl
  readonly app: App
  #changed = true
  #calls = 0

  constructor(sandbox: ExampleSandbox) {
    this.sandbox = sandbox
    this.control = new SandboxControl(sandbox.url, 'salon-booking')
    this.app = loadApps({ sandboxUrl: sandbox.url }).get('salon-booking')!
  }

  static async open(): Promise<Salon> {
    return new Salon(await startExampleSandbox())
  }

  /** Back to the seed, when a test has changed it or come near the app's rate limit. */
  async fresh(): Promise<void> {
    if (this.#changed || this.#calls > 30) await this.sandbox.reset()
    this.#changed = false
    this.#calls = 0
  }

  async call(name: string, input: unknown, user?: string): Promise<Row> {
    const outcome = await this.#run(name, input, user)
    expect(outcome.kind, `${name} ${JSON.stringify(input)}: ${JSON.stringify(outcome).slice(0, 300)}`).toBe('ok')
    return outcome.kind === 'ok' ? outcome.output : {}
  }

  async refused(name: string, input: unknown, user?: string): Promise<string> {
    const outcome = await this.#run(name, input, user)
    return outcome.kind === 'rejected' ? outcome.appCode : outcome.kind
  }

  /** All items of a list, to its end. */
  async every(name: string, key: string, input: Row, between?: () => Promise<unknown>): Promise<Row[]> {
    const items: Row[] = []
    let cursor: unknown = null
    do {
      const page = await this.call(name, cursor === null ? input : { ...input, cursor })
      items.push(...list(page, key))
      cursor = page['next_cursor'] ?? null
      await between?.()
    } while (cursor !== null)
    return items
  }

  /** Whether an endpoint takes this input. */
  takes(name: string, input: unknown): boolean {
    return this.app.endpoints.get(name)!.parseInput(input, { cursorKey: this.sandbox.cursorKey }).ok
  }

  async #run(name: string, input: unknown, user?: string): Promise<Outcome> {
    const { outcome } = await exchanged(this.sandbox, this.app, name, input, user)
    this.#calls += 1
    this.#changed ||= this.app.endpoints.get(name)!.access === 'write' && outcome.kind !== 'rejected'
    return outcome
  }
}
