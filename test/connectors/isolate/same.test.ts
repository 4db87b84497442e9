import { describe, expect, it } from 'vitest'
import { exampleOf } from '../../../connectors/examples.ts'
import { isolated } from '../../../connectors/isolate/isolated.ts'
import type { Isolated } from '../../../connectors/isolate/isolated.ts'
import { loadApps } from '../../../connectors/registry.ts'
import type { App } from '../../../connectors/registry.ts'
import { startExampleSandbox } from '../../../scripts/examples/sandbox.ts'
import { bundledApp } from './bundled.ts'

/** Those of which each example is run: one that speaks JSON, and one of pages and forms. Of the others, one read. */
const thoroughly = new Set(['crm', 'digital-products'])

/** What is exported by an app's folder is its slug in camels. */
const nameOf = (slug: string): string => slug.replaceAll(/-./g, (at) => at.slice(1).toUpperCase())

const { all: native } = loadApps({ sandboxUrl: 'http://localhost:8090' })

describe.each(native.map(({ slug }) => slug))('%s in an isolate', (slug) => {
  const appsOf = (isolate: Isolated, sandboxUrl: string): readonly [App, App] => {
    const inIsolate = loadApps({ sandboxUrl, connectors: { [slug]: { spec: isolate.spec } } })
    expect([...inIsolate.broken.values()]).toEqual([])
    return [loadApps({ sandboxUrl }).get(slug)!, inIsolate.get(slug)!]
  }
  const declared = (app: App) =>
    JSON.stringify({ ...app, endpoints: [...app.endpoints.entries()] }, (name, value: unknown) =>
      name === 'source' ? undefined : value,
    )

  it('starts, declares the same, and does the same with recorded examples', async () => {
    const isolate = await isolated(await bundledApp(slug, nameOf(slug)))
    const sandbox = await startExampleSandbox(slug)
    try {
      const [ours, theirs] = appsOf(isolate, sandbox.url)
      expect(declared(theirs)).toBe(declared(ours))
      const outcomeOf = async (app: App, name: string) =>
        stable((await sandbox.run(app, app.endpoints.get(name)!, exampleOf(slug, name, new Date())!.input)).outcome)
      const reads = [...ours.endpoints.values()].filter(({ access }) => access === 'read')
      const names = thoroughly.has(slug) ? [...ours.endpoints.keys()] : reads.slice(0, 1).map(({ name }) => name)
      expect(names.length).toBeGreaterThan(0)
      for (const name of names) {
        const outcome = await outcomeOf(ours, name)
        expect(outcome, name).toMatchObject({ kind: 'ok' })
        expect(await outcomeOf(theirs, name), name).toEqual(outcome)
      }
    } finally {
      await sandbox.close()
      isolate.dispose()
    }
  })
})

it('no app is left out', () => {
  expect(native).toHaveLength(22)
})

/** Without what each sandbox makes anew. */
function stable(outcome: unknown): unknown {
  const text = JSON.stringify(outcome)
    .replaceAll(/http:\/\/(localhost|127\.0\.0\.1):\d+/g, 'http://localhost:8090')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a moment')
  return JSON.parse(text, (name, value: unknown) => (name === 'next_cursor' ? typeof value : value))
}
