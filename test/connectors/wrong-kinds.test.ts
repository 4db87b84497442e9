import { expect, test } from 'vitest'
import { exampleOf } from '../../connectors/examples.ts'
import { loadApps } from '../../connectors/registry.ts'
import type { App, Endpoint, JsonSchema } from '../../connectors/registry.ts'
import { isFields } from '../../connectors/kit/wire.ts'
import type { Fields } from '../../connectors/kit/wire.ts'
import { startExampleSandbox } from '../../scripts/examples/sandbox.ts'
import type { ExampleSandbox } from '../../scripts/examples/sandbox.ts'
import type { AppSession } from '../../schemas/session.ts'
import { SandboxControl } from '../support/sandbox.ts'
import { idPlaces, textsAt, withText } from './kinds.ts'

/** Inputs that an id goes with, where the recorded example has others; undefined is left out. */
const companions: Readonly<Record<string, Fields>> = {
  'crm.create_project client_id': { client: undefined },
  'digital-products.create_coupon product_id': { scope: 'product', collection: undefined },
  'field-jobs.record_payment job_id': { invoice_id: undefined },
  'video-streaming.create_coupon collection_id': { target: 'collection' },
}

/** One app on a sandbox that lets a client ask as fast as it can, and what ids of each kind it gives out. */
class Ids {
  readonly byKind = new Map<string, Set<string>>()
  /** One of each kind, of those also that only writes tell. */
  readonly one = new Map<string, string>()
  readonly #app: App
  readonly #sandbox: ExampleSandbox
  readonly #session: AppSession
  readonly #today = new Date()

  private constructor(app: App, sandbox: ExampleSandbox, session: AppSession) {
    this.#app = app
    this.#sandbox = sandbox
    this.#session = session
  }

  static async of(slug: string, sandbox: ExampleSandbox): Promise<Ids> {
    const account = (await sandbox.accounts(slug)).find(({ user }) => user === 'demo')
    return new Ids(loadApps({ sandboxUrl: sandbox.url }).get(slug)!, sandbox, account!.session)
  }

  get endpoints(): readonly Endpoint[] {
    return [...this.#app.endpoints.values()]
  }

  example(endpoint: Endpoint): Fields {
    const { input } = exampleOf(this.#app.slug, endpoint.name, this.#today)!
    return JSON.parse(JSON.stringify(input).replaceAll('http://localhost:8090', this.#sandbox.url)) as Fields
  }

  async call(endpoint: Endpoint, input: unknown) {
    return (await this.#sandbox.call(this.#app, endpoint, input, this.#session)).outcome
  }

  /** Runs every read to its third page, and keeps the ids that it tells. */
  async learn(): Promise<void> {
    for (const endpoint of this.endpoints.filter(({ access }) => access === 'read')) {
      let input: unknown = this.example(endpoint)
      for (let page = 1; page <= 3; page++) {
        const outcome = await this.call(endpoint, input)
        if (outcome.kind !== 'ok') throw new Error(`${endpoint.name}: ${JSON.stringify(outcome)}`)
        this.#keep(endpoint.outputSchema, outcome.output)
        if (typeof outcome.output['next_cursor'] !== 'string') break
        input = { cursor: outcome.output['next_cursor'] }
      }
    }
    for (const [kind, known] of this.byKind) for (const id of known) this.one.set(kind, id)
    for (const { app, name, outputSchema } of this.endpoints)
      for (const { path, kind } of idPlaces(outputSchema))
        for (const id of textsAt(exampleOf(app, name, this.#today)?.output, path))
          if (!this.one.has(kind)) this.one.set(kind, id)
  }

  #keep(schema: JsonSchema, value: unknown): void {
    for (const { path, kind } of idPlaces(schema)) {
      const texts = textsAt(value, path)
      if (texts.length > 0) this.byKind.set(kind, new Set([...(this.byKind.get(kind) ?? []), ...texts]))
    }
  }

  /** The example's input with this id at the place, alone in its object where it cannot stand beside others. */
  with(endpoint: Endpoint, path: readonly string[], id: string): Fields {
    const extra = companions[`${endpoint.app}.${endpoint.name} ${path.join('.')}`] ?? {}
    const input = JSON.parse(JSON.stringify({ ...this.example(endpoint), ...extra })) as Fields
    const beside = withText(input, path, id) as Fields
    if (this.takes(endpoint, beside)) return beside
    const leaf = path.at(-1) === '*' ? path.slice(-2) : path.slice(-1)
    return at(input, path.slice(0, -leaf.length), withText({}, leaf, id)) as Fields
  }

  takes(endpoint: Endpoint, input: unknown): boolean {
    return endpoint.parseInput(input, this.#sandbox).ok
  }
}

/** The value with another one at a place. */
function at(value: unknown, [first, ...rest]: readonly string[], by: unknown): unknown {
  if (first === undefined) return by
  if (first === '*') return Array.isArray(value) ? [at(value[0], rest, by), ...value.slice(1)] : value
  return isFields(value) ? { ...value, [first]: at(value[first], rest, by) } : value
}

/** Nothing found: each list in it is empty. */
function isEmpty(output: Fields): boolean {
  const lists = Object.values(output).filter((one) => Array.isArray(one))
  return lists.length > 0 && lists.every((list) => list.length === 0)
}

const { all: apps } = loadApps({ sandboxUrl: 'http://localhost:8090' })

test.each(apps)('$slug takes no id of one kind for another', async ({ slug }) => {
  const sandbox = await startExampleSandbox(slug, { actions: 100_000, seconds: 60 })
  try {
    const ids = await Ids.of(slug, sandbox)
    await ids.learn()
    const kinds = [...ids.byKind]
    const shared = kinds.flatMap(([kind, own], index) =>
      kinds
        .slice(index + 1)
        .flatMap(([other, theirs]) => [...own].filter((id) => theirs.has(id)).map((id) => [kind, other, id])),
    )
    expect(shared).toEqual([])

    const taken: string[] = []
    let asked = 0
    for (const endpoint of ids.endpoints)
      for (const { path, kind } of idPlaces(endpoint.inputSchema))
        for (const [other, id] of ids.one) {
          if (other === kind) continue
          const input = ids.with(endpoint, path, id)
          if (!ids.takes(endpoint, input)) {
            // Only an address tells by its form that it is none.
            if (kind !== 'question' && !id.includes('/'))
              taken.push(`${endpoint.name} ${path.join('.')}: ${other} was not sent`)
            continue
          }
          asked += 1
          const outcome = await ids.call(endpoint, input)
          const nothing = outcome.kind === 'ok' && endpoint.access === 'read' && isEmpty(outcome.output)
          if (outcome.kind !== 'rejected' && !nothing)
            taken.push(`${endpoint.name} ${path.join('.')}: ${other} ${id} came to ${outcome.kind}`)
        }
    expect(taken).toEqual([])
    expect(await new SandboxControl(sandbox.url, slug).effects()).toEqual([])
    expect(asked).toBeGreaterThan(5)
  } finally {
    await sandbox.close()
  }
})
