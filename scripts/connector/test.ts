import type { App } from '../../connectors/registry.ts'
import { declaredName, readFolder } from '../../connectors/recordings/folder.ts'
import type { Recordings } from '../../connectors/recordings/folder.ts'
import { prove } from '../../connectors/recordings/prove.ts'
import type { EndpointResult } from '../../connectors/recordings/prove.ts'
import { Reads } from '../../connectors/recordings/reads.ts'
import { tokenNames } from '../../connectors/recordings/tokens.ts'
import { open } from './look.ts'
import { callMs, openWatched } from './watched.ts'

/** Results of testing a connector against its recordings. */
export interface Proof {
  readonly app: App
  readonly recordings: Recordings
  readonly results: ReadonlyMap<string, EndpointResult>
  /** Recordings and declarations of endpoints that do not exist, as messages. */
  readonly lost: readonly string[]
}

/**
 * Tests a folder's connector against its recordings, without its app; `only`: one endpoint. Reports
 * line by line and returns whether all passed. Throws if the connector cannot be loaded.
 */
export async function testConnector(
  folder: string,
  only: string | undefined,
  say: (line: string) => void,
  modules?: string,
) {
  const onResult: OnResult = (name, result, missing) => tell(name, result, missing, say)
  const { recordings, results, lost } = await proveFolder(folder, only, onResult, modules)
  for (const line of lost) say(`✗ ${line}`)
  const all = [...results.values()]
  const faults = all.reduce((sum, one) => sum + faultsOf(one), lost.length)
  const tried = all.reduce((sum, one) => sum + one.tried, 0)
  const cases = [...results.keys()].reduce((sum, name) => sum + (recordings.cases.get(name)?.length ?? 0), 0)
  say('')
  say(`${cases} recordings, ${tried} things taken away: ${faults === 0 ? 'all as it should be' : faultsText(faults)}`)
  return faults === 0
}

type OnResult = (name: string, result: EndpointResult, missing: Readonly<Record<string, string>>) => void

/** The same as data; `onResult` receives each endpoint's result as soon as it is known. */
export async function proveFolder(
  folder: string,
  only?: string,
  onResult?: OnResult,
  modules?: string,
): Promise<Proof> {
  const recordings = readFolder(folder)
  using opened = await open(folder, { callMs }, modules)
  const reads = new Reads()
  using watched = await openWatched(opened, reads)
  const { app } = opened
  if (only !== undefined && !app.endpoints.has(only)) throw new Error(`${app.slug} has no endpoint ${only}`)
  const tokens = tokenNames(app.endpoints.values())
  const results = new Map<string, EndpointResult>()
  for (const [name, endpoint] of app.endpoints) {
    if (only !== undefined && name !== only) continue
    const same = watched.app.endpoints.get(name)
    if (same === undefined) throw new Error(`${name} is not there any more`)
    const missing = recordings.declared.missing[name] ?? {}
    const result = await prove({
      ...{ endpoint, watched: same, reads, tokens, cases: recordings.cases.get(name) ?? [], missing },
      empty: recordings.declared.empty[name] ?? {},
    })
    results.set(name, result)
    onResult?.(name, result, missing)
  }
  return { app, recordings, results, lost: only === undefined ? ofNobody(app, recordings) : [] }
}

/** The number of faults of an endpoint. */
function faultsOf({ cases, missing, slips, stale }: EndpointResult): number {
  return cases.filter(({ problems }) => problems.length > 0).length + missing.length + slips.length + stale.length
}

function tell(
  name: string,
  { cases, missing, slips, tried, untried, stale }: EndpointResult,
  declared: Readonly<Record<string, string>>,
  say: (line: string) => void,
): void {
  say('')
  say(name)
  for (const { name: one, problems } of cases) {
    say(`  ${problems.length === 0 ? '✓' : '✗'} ${one}`)
    for (const line of problems) say(`      ${line.replaceAll('\n', '\n      ')}`)
  }
  for (const [kind, why] of Object.entries(declared)) if (!stale.includes(kind)) say(`  - no ${kind}: ${why}`)
  if (missing.length > 0)
    say(`  ✗ no recording shows ${missing.join(', ')}: make one, or say why not in ${declaredName}`)
  for (const { case: one, what, came } of slips) say(`  ✗ ${one} without ${what}: ${came}`)
  for (const one of stale) say(`  ✗ ${declaredName} says ${one} of it, which is not so`)
  if (tried > 0) say(`  ${tried} things taken away${untried > 0 ? `, ${untried} more not tried` : ''}`)
}

/** Recordings and declarations of endpoints that do not exist. */
function ofNobody(app: App, { cases, declared }: Recordings): readonly string[] {
  const named = [...cases.keys(), ...Object.values(declared).flatMap((by: object) => Object.keys(by))]
  return [...new Set(named)].filter((name) => !app.endpoints.has(name)).map((name) => `there is no endpoint ${name}`)
}

function faultsText(count: number): string {
  return count === 1 ? '1 fault' : `${count} faults`
}
