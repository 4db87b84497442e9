import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleOf } from '../../../connectors/examples.ts'
import { isolated } from '../../../connectors/isolate/isolated.ts'
import type { Isolated } from '../../../connectors/isolate/isolated.ts'
import { loadApps } from '../../../connectors/registry.ts'
import { startExampleSandbox } from '../../../scripts/examples/sandbox.ts'
import { bundledApp } from './bundled.ts'

/** One that speaks JSON, and one of pages and forms. */
describe.each([
  { slug: 'crm', name: 'crm' },
  { slug: 'digital-products', name: 'digitalProducts' },
])('$slug in an isolate', ({ slug, name }) => {
  let isolate: Isolated
  beforeAll(async () => {
    isolate = await isolated(await bundledApp(slug, name))
  })
  afterAll(() => isolate.dispose())

  const appsOf = (sandboxUrl: string) => {
    const native = loadApps({ sandboxUrl }).get(slug)
    const inIsolate = loadApps({ sandboxUrl, connectors: { [slug]: { spec: isolate.spec } } })
    expect([...inIsolate.broken.values()]).toEqual([])
    return [native!, inIsolate.get(slug)!] as const
  }

  it('declares the same', () => {
    const [native, inIsolate] = appsOf('http://localhost:8090')
    const declared = (app: typeof native) => JSON.stringify({ ...app, endpoints: [...app.endpoints.entries()] })
    expect(declared(inIsolate)).toBe(declared(native))
  })

  it('does the same with each recorded example', async () => {
    const sandbox = await startExampleSandbox(slug)
    const [native, inIsolate] = appsOf(sandbox.url)
    const outcomeOf = async (app: typeof native, name: string) =>
      stable((await sandbox.run(app, app.endpoints.get(name)!, exampleOf(slug, name, new Date())!.input)).outcome)
    for (const name of native.endpoints.keys()) {
      const outcome = await outcomeOf(native, name)
      expect(outcome, name).toMatchObject({ kind: 'ok' })
      expect(await outcomeOf(inIsolate, name), name).toEqual(outcome)
    }
    await sandbox.close()
  })
})

/** Without what each sandbox makes anew. */
function stable(outcome: unknown): unknown {
  const text = JSON.stringify(outcome)
    .replaceAll(/http:\/\/(localhost|127\.0\.0\.1):\d+/g, 'http://localhost:8090')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a moment')
  return JSON.parse(text, (name, value: unknown) => (name === 'next_cursor' ? typeof value : value))
}
