import { exampleOf } from '../../../connectors/examples.ts'
import { loadApps } from '../../../connectors/registry.ts'
import type { App, Endpoint } from '../../../connectors/registry.ts'
import type { ExampleSandbox } from '../../../scripts/examples/sandbox.ts'
import type { AppSession } from '../../../schemas/session.ts'
import { SandboxControl } from '../../support/sandbox.ts'
import type { Effect } from '../../support/sandbox.ts'
import { arrived, lengthOf, placesOf, starred } from './arrived.ts'
import { edged, leavesOf, listEdges, optionalPaths, put, textEdges, valueEdges } from './edges.ts'
import type { Edge } from './edges.ts'
import { furtherInputs } from './inputs.ts'

/** One app, whose writes are run on what earlier ones left, and on a fresh seed where the app no longer takes them so. */
export class Witness {
  readonly #sandbox: ExampleSandbox
  readonly #app: App
  readonly #session: AppSession
  readonly #control: SandboxControl
  #known = 0

  private constructor(sandbox: ExampleSandbox, app: App, session: AppSession) {
    this.#sandbox = sandbox
    this.#app = app
    this.#session = session
    this.#control = new SandboxControl(sandbox.url, app.slug)
  }

  static async of(slug: string, sandbox: ExampleSandbox): Promise<Witness> {
    const { session } = (await sandbox.accounts(slug)).find(({ user }) => user === 'demo')!
    return new Witness(sandbox, loadApps({ sandboxUrl: sandbox.url }).get(slug)!, session)
  }

  get writes(): readonly Endpoint[] {
    return [...this.#app.endpoints.values()].filter(({ access }) => access === 'write')
  }

  /** The example's input, and it with the further inputs laid over it. */
  inputs({ name }: Endpoint): readonly object[] {
    const example = JSON.stringify(exampleOf(this.#app.slug, name, new Date())!.input)
    const base = JSON.parse(example.replaceAll('http://localhost:8090', this.#sandbox.url)) as object
    const further = furtherInputs[`${this.#app.slug}.${name}`] ?? []
    return [base, ...further.map((more) => JSON.parse(JSON.stringify({ ...base, ...more })) as object)]
  }

  /** What the app accepted; undefined if it refused on a fresh seed too, or the gateway did. */
  async run(endpoint: Endpoint, input: unknown): Promise<Effect | undefined> {
    if (!endpoint.parseInput(input, this.#sandbox).ok) return undefined
    const effect = await this.#once(endpoint, input)
    if (effect !== undefined) return effect
    await this.#sandbox.reset()
    this.#known = 0
    return this.#once(endpoint, input)
  }

  async #once(endpoint: Endpoint, input: unknown): Promise<Effect | undefined> {
    const { outcome } = await this.#sandbox.call(this.#app, endpoint, input, this.#session)
    if (outcome.kind === 'rejected') return undefined
    const effects = (await this.#control.effects()).slice(this.#known)
    this.#known += effects.length
    if (outcome.kind !== 'ok' || effects.length !== 1)
      throw new Error(`${endpoint.name} came to ${JSON.stringify(outcome)} and ${effects.length} effects`)
    return effects[0]
  }
}

/** What the runs of one write showed. */
export class Findings {
  /** Inputs that did not stand where they belong. */
  readonly lost: string[] = []
  readonly seen = new Set<string>()
  readonly refused = new Set<string>()
  readonly chosen = new Set<string>()
  readonly emptied = new Set<string>()
  /** Pairs of inputs that had one value in every run: exchanged, they would look the same. */
  readonly #alike = new Map<string, boolean>()
  readonly #endpoint: Endpoint

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint
  }

  get alike(): readonly string[] {
    return [...this.#alike].flatMap(([pair, always]) => (always ? [pair] : []))
  }

  compare(input: unknown, effect: Effect, run: string): void {
    const { app, name, inputSchema } = this.#endpoint
    const places = placesOf(app, name)
    const leaves = leavesOf(inputSchema, input)
    for (const { path, value } of leaves) {
      const key = Array.isArray(value) ? `${starred(path)}.*` : starred(path)
      // An empty list stands where its items would.
      const [, known = []] = [...places].find(([each]) => each === key || each.startsWith(`${key}.`)) ?? []
      const text = JSON.stringify(value)
      if (value === '' && !arrived(effect, known, path, value)) this.emptied.add(key)
      else if (!arrived(effect, known, path, value)) this.lost.push(`${name} ${path} ${text} (${run})`)
      else if (!Array.isArray(value) && value !== null) this.seen.add(key)
      const count = key.endsWith('.*') ? lengthOf(effect, known, path) : undefined
      const sent = leaves.filter((leaf) => starred(leaf.path) === key && sameList(leaf.path, path)).length
      if (count !== undefined && count !== sent)
        this.lost.push(`${name} ${path} is one of ${sent}, not ${count} (${run})`)
      for (const other of leaves) {
        const pair = `${name} ${key} ${starred(other.path)}`
        if (key < starred(other.path))
          this.#alike.set(pair, (this.#alike.get(pair) ?? true) && JSON.stringify(other.value) === text)
      }
    }
  }

  /** What was left out must have left nothing, but for its default. */
  without(path: string, input: unknown, effect: Effect): void {
    const { app, name, inputSchema } = this.#endpoint
    const places = placesOf(app, name)
    const short = put(input, path, undefined)
    for (const leaf of leavesOf(inputSchema, input)) {
      if (leaf.path !== path && !leaf.path.startsWith(`${path}.`)) continue
      const known = places.get(starred(leaf.path)) ?? []
      const standard = leaf.schema['default']
      if (standard !== undefined && leaf.path === path) {
        if (!arrived(effect, known, path, standard)) this.lost.push(`${name} ${path} without its default`)
      } else if (arrived(effect, known, leaf.path, leaf.value)) this.chosen.add(starred(leaf.path))
    }
    this.compare(short, effect, `without ${path}`)
  }
}

const sameList = (one: string, other: string): boolean =>
  one.slice(0, one.lastIndexOf('.')) === other.slice(0, other.lastIndexOf('.'))

/** Runs a write with its inputs at their edges, and without each that may be left out. */
export async function observe(witness: Witness, endpoint: Endpoint): Promise<Findings> {
  const findings = new Findings(endpoint)
  const { inputSchema } = endpoint
  for (const input of witness.inputs(endpoint)) {
    const leaves = leavesOf(inputSchema, input)
    const tryOut = async (edge: Edge): Promise<void> => {
      const made = edged(input, edge)
      const effect = await witness.run(endpoint, made)
      const run = edge.map(([path]) => path).join()
      if (effect !== undefined) findings.compare(made, effect, run)
      else if (edge.length > 1) for (const one of edge) await tryOut([one])
      else findings.refused.add(starred(run))
    }
    for (const edge of [[], ...textEdges(leaves), ...valueEdges(leaves), ...listEdges(inputSchema, input)])
      await tryOut(edge)
    for (const path of optionalPaths(inputSchema, input)) {
      const effect = await witness.run(endpoint, put(input, path, undefined))
      if (effect === undefined) findings.refused.add(`no ${starred(path)}`)
      else findings.without(path, input, effect)
    }
  }
  return findings
}
