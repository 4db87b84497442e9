import { expect } from 'vitest'
import { loadApps } from '../../connectors/registry.ts'
import type { App, ParsedInput } from '../../connectors/registry.ts'
import { startExampleSandbox } from '../../scripts/examples/sandbox.ts'
import type { ExampleSandbox } from '../../scripts/examples/sandbox.ts'
import { SandboxControl } from '../support/sandbox.ts'
import { exchanged } from './local-app.ts'

export type Row = Readonly<Record<string, unknown>>

/** A sandbox of its own, and the endpoints of one app called on it, as the demo user or another. */
export class AppCaller {
  readonly sandbox: ExampleSandbox
  readonly control: SandboxControl
  readonly app: App

  private constructor(sandbox: ExampleSandbox, app: App) {
    this.sandbox = sandbox
    this.app = app
    this.control = new SandboxControl(sandbox.url, app.slug)
  }

  static async open(slug: string): Promise<AppCaller> {
    const sandbox = await startExampleSandbox(slug)
    return new AppCaller(sandbox, loadApps({ sandboxUrl: sandbox.url }).get(slug)!)
  }

  async call(name: string, input: unknown, user?: string): Promise<Row> {
    const { outcome } = await exchanged(this.sandbox, this.app, name, input, user)
    expect(outcome.kind, `${name} ${JSON.stringify(input)}: ${JSON.stringify(outcome)}`.slice(0, 400)).toBe('ok')
    return outcome.kind === 'ok' ? outcome.output : {}
  }

  /** The app's code when it refuses, else what the call came to. */
  async refused(name: string, input: unknown, user?: string): Promise<string> {
    const { outcome } = await exchanged(this.sandbox, this.app, name, input, user)
    return outcome.kind === 'rejected' ? outcome.appCode : outcome.kind
  }

  async rows(name: string, key: string, input: Row, user?: string): Promise<Row[]> {
    return (await this.call(name, input, user))[key] as Row[]
  }

  /** All items of a list, to its end; `between` runs after each page, with its number from 1. */
  async every(
    name: string,
    key: string,
    input: Row,
    between?: (page: number) => Promise<unknown> | undefined,
    user?: string,
  ): Promise<Row[]> {
    const items: Row[] = []
    let cursor: unknown = null
    for (let page = 1; page === 1 || cursor !== null; page++) {
      const answer = await this.call(name, cursor === null ? input : { ...input, cursor }, user)
      items.push(...(answer[key] as Row[]))
      cursor = answer['next_cursor'] ?? null
      await between?.(page)
    }
    return items
  }

  /** Whether the gateway takes this input at all. */
  takes(name: string, input: unknown): boolean {
    return this.parsed(name, input).ok
  }

  /** What the gateway makes of this input. */
  parsed(name: string, input: unknown): ParsedInput {
    return this.app.endpoints.get(name)!.parseInput(input, this.sandbox)
  }
}

export const values = (rows: readonly Row[], key: string): unknown[] => rows.map((row) => row[key])

/** A day in UTC, so many days from now. */
export function dayFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
}

/** A day in the school's zone, so many days from now: the demo user's school is in Lisbon. */
export function lisbonDay(days: number): string {
  const moment = new Date(Date.now() + days * 86_400_000)
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Lisbon' }).format(moment)
}
