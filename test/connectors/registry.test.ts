import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exampleOf, examplesText, storedExamples } from '../../connectors/examples.ts'
import { loadApps } from '../../connectors/registry.ts'
import type { App, Endpoint } from '../../connectors/registry.ts'
import { isFields } from '../../connectors/kit/wire.ts'
import { apps as sandboxApps } from '../../sandbox/apps.ts'
import { findRoute } from '../../sandbox/platform/routes.ts'
import { startExampleSandbox } from '../../scripts/examples/sandbox.ts'
import type { ExampleSandbox } from '../../scripts/examples/sandbox.ts'
import { shuffled } from '../support/shuffle.ts'
import { testsOf, testsThatCall } from '../support/tests-of-app.ts'
import { ownOrigin } from '../../connectors/runtime/site.ts'

const cursorKey = Buffer.alloc(32, 1)
const apps = loadApps({ sandboxUrl: 'http://localhost:8090' })
const all = apps.all.flatMap((app) =>
  [...app.endpoints.values()].map((endpoint): [string, Endpoint] => [`${app.slug}.${endpoint.name}`, endpoint]),
)

/** Every schema inside a schema, with its path. */
function* inside(schema: unknown, at: string): Generator<[string, Readonly<Record<string, unknown>>]> {
  if (!isFields(schema)) return
  yield [at, schema]
  for (const [name, property] of Object.entries(isFields(schema['properties']) ? schema['properties'] : {}))
    yield* inside(property, `${at}.${name}`)
  yield* inside(schema['items'], `${at}[]`)
  // Branches of a group name fields of the object that they stand in.
  for (const option of Array.isArray(schema['anyOf']) && !('properties' in schema) ? schema['anyOf'] : [])
    yield* inside(option, `${at}|`)
}

describe('every app', () => {
  test('is found by its slug, which no route of the gateway uses', () => {
    const reserved = ['apps', 'calls', 'connections', 'usage', 'mcp', 'docs', 'openapi.json']
    for (const app of apps.all) {
      expect(apps.get(app.slug)).toBe(app)
      expect(app.slug).toMatch(/^[a-z]+(-[a-z]+)*$/)
      expect(reserved).not.toContain(app.slug)
      expect(app.origin).toBe(`http://localhost:8090/${app.slug}/`)
      expect(app.description.length).toBeGreaterThan(20)
    }
    expect(apps.get('nothing')).toBeUndefined()
  })

  test('is one of 22, with 298 endpoints: 155 read, 143 write', () => {
    expect([...apps.broken.values()]).toEqual([])
    expect(apps.all.length).toBe(22)
    expect(all.length).toBe(298)
    expect(all.filter(([, { access }]) => access === 'read').length).toBe(155)
  })

  test('is asked at a pace that never earns a ban, however many calls come at once', () => {
    for (const app of apps.all) {
      const sandbox = sandboxApps.find(({ slug }) => slug === app.slug)!
      const isAction = (method: string, path: string): boolean => {
        const found = findRoute(sandbox.routes, method, `/${path.replace(/^\//, '').replaceAll(/\{[^}]*\}/g, '0')}`)
        return 'route' in found && found.route.action
      }
      const actions = [...app.endpoints.values()].map(({ definition: { line, after, before }, csrf }) => {
        const pages = [csrf?.page, before, after === 'location' ? null : after?.path].filter(
          (page) => typeof page === 'string',
        )
        return Number(isAction(line.method, line.path)) + pages.filter((page) => isAction('GET', page)).length
      })
      const { rate } = sandbox
      expect(Math.min(...actions), app.slug).toBe(1)
      expect(Math.max(...actions) * app.pacing.perAccount * rate.seconds, app.slug).toBeLessThan(rate.actions)
    }
  })

  test('has an example for each endpoint and for nothing else', () => {
    for (const app of apps.all)
      expect(Object.keys(storedExamples(app.slug)).toSorted()).toEqual([...app.endpoints.keys()].toSorted())
  })

  test('stores its examples as npm run examples writes them: one line per endpoint', async () => {
    for (const app of apps.all) {
      const file = path.join(import.meta.dirname, '../../connectors', app.slug, 'examples.json')
      const text = await readFile(file, 'utf8')
      expect(text).toBe(examplesText(storedExamples(app.slug)))
      expect(text.trimEnd().split('\n').length).toBe(app.endpoints.size + 2)
    }
  })

  test('calls every endpoint in its own tests', async () => {
    for (const app of apps.all) {
      const tests = await testsOf(app.slug)
      for (const endpoint of app.endpoints.values())
        expect(testsThatCall(endpoint, tests), `${app.slug}.${endpoint.name}`).not.toEqual([])
    }
  })
})

describe.each(all)('%s', (_id, endpoint) => {
  test('has a name, a summary and credits', () => {
    expect(endpoint.name).toMatch(/^[a-z]+(_[a-z]+)*$/)
    expect(endpoint.name).not.toBe('endpoints')
    expect(endpoint.summary).toMatch(/^[A-Z].{10,200}\.$/)
    expect(endpoint.credits).toBe(endpoint.access === 'read' ? 1 : 3)
    if (endpoint.access === 'read') expect(endpoint.confirm).toBe(false)
    if (endpoint.access === 'write') expect(endpoint.definition.line.method).not.toBe('GET')
    // What is sent to somebody or published waits for the person; what only the account itself sees does not.
    if (/^(send|publish|reply|respond|message|notify|post|share|invite|charge|refund)_/.test(endpoint.name))
      expect(endpoint.confirm).toBe(true)
    if (
      /^(archive|mark|tag|log)_|_notes?$|^record_(manual_)?payment$/.test(endpoint.name) &&
      !endpoint.name.startsWith('send_')
    )
      expect(endpoint.confirm).toBe(false)
  })

  test('takes no text without a bound where a person reads it before it is sent', () => {
    for (const [at, schema] of inside(endpoint.inputSchema, 'input')) {
      if (!endpoint.confirm || schema['type'] !== 'string') continue
      const bounds = ['maxLength', 'format', 'pattern', 'enum', 'const'].filter((name) => Object.hasOwn(schema, name))
      expect(bounds, at).not.toEqual([])
    }
  })

  test('takes no list without a bound, nor one that a choice leaves open', () => {
    for (const [at, schema] of inside(endpoint.inputSchema, 'input')) {
      if (schema['type'] !== 'array') continue
      expect(schema['maxItems'], at).toBeGreaterThan(0)
      expect(schema['maxItems'], at).toBeLessThanOrEqual(2000)
      expect(at).not.toContain('|')
    }
  })

  test('takes and returns only fields that are known, each with a description', () => {
    for (const [at, schema] of [...inside(endpoint.inputSchema, 'input'), ...inside(endpoint.outputSchema, 'output')]) {
      expect(schema, at).not.toHaveProperty('$ref')
      if (schema['type'] === 'object') expect(schema['additionalProperties'], at).toBe(false)
      expect(
        [schema['type'], schema['anyOf'], schema['enum'], schema['const']].some((known) => known !== undefined),
        at,
      ).toBe(true)
      if (/\.\w+$/.test(at)) expect(schema['description'], at).toMatch(/.{5,}\.$/)
    }
    expect(JSON.parse(JSON.stringify(endpoint.inputSchema))).toEqual(endpoint.inputSchema)
  })

  test('has an example that fits it', () => {
    const example = exampleOf(endpoint.app, endpoint.name, new Date())
    expect(endpoint.parseInput(example?.input, { cursorKey })).toMatchObject({ ok: true })
    const output = { ...example?.output }
    expect(endpoint.checkOutput(output)).toBe(true)
    expect(endpoint.checkOutput({ ...output, surprise: 1 })).toBe(false)
  })
})

describe.each(apps.all.map(({ slug }) => slug))('the examples of %s', (slug) => {
  let sandbox: ExampleSandbox
  let app: App
  beforeAll(async () => {
    sandbox = await startExampleSandbox(slug)
    app = loadApps({ sandboxUrl: sandbox.url }).get(slug)!
  })
  afterAll(() => sandbox.close())

  /** Moments of a write, and how long something is good, are those of its own run; an app's place to go on from may hold the moment of its list. */
  const comparable = (value: unknown, endpoint: Endpoint): unknown =>
    JSON.parse(
      JSON.stringify(value)
        .replaceAll(sandbox.url, 'http://localhost:8090')
        .replaceAll(/"next_cursor":"[\w-]+"/g, '"next_cursor":"a cursor"')
        .replaceAll(/"expires_at":"[^"]+"/g, '"expires_at":"a moment"')
        .replaceAll(endpoint.access === 'write' ? /\d{4}-\d\d-\d\dT[\d:.]+Z/g : /$^/g, 'a moment'),
    )

  test('are of an app that tells whose account it is to who has signed in, and to nobody else', async () => {
    const [seeded] = await sandbox.accounts(slug)
    const cookie = seeded!.session.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const { page, who } = app.signIn
    const ask = (path: string, headers = {}): Promise<Response> =>
      fetch(new URL(path, ownOrigin(app)), { redirect: 'manual', headers })
    const told = who.account(await (await ask(who.page, { cookie })).text())
    expect(told?.id).toBe(seeded!.account)
    expect(told?.label.length).toBeGreaterThan(0)
    const anyone = await ask(who.page)
    expect(anyone.status === 200 ? who.account(await anyone.text()) : null).toBeNull()
    expect(who.account('<html>')).toBeNull()
    expect(await (await ask(page)).text()).toContain('type="password"')
  })

  test('answer as recorded, each on a fresh seed', async () => {
    for (const endpoint of app.endpoints.values()) {
      const example = exampleOf(slug, endpoint.name, new Date())
      const { outcome } = await sandbox.run(app, endpoint, example?.input)
      const wanted = { kind: 'ok', output: example?.output }
      expect(comparable(outcome, endpoint), endpoint.name).toEqual(comparable(wanted, endpoint))
    }
  })

  test('work in any order on one seed: no two use up the same thing', async () => {
    const endpoints = [...app.endpoints.values()]
    // In each of two calls comes after the other once. A seed decides on the rest: a failure is there again the next time.
    for (const order of [endpoints, endpoints.toReversed(), shuffled(endpoints, 1), shuffled(endpoints, 2)]) {
      await sandbox.reset()
      const demo = (await sandbox.accounts(slug)).find(({ user }) => user === 'demo')
      for (const endpoint of order) {
        const example = exampleOf(slug, endpoint.name, new Date())
        const { outcome } = await sandbox.call(app, endpoint, example?.input, demo!.session)
        expect(outcome.kind, `${endpoint.name} in ${order.map(({ name }) => name).join(', ')}`).toBe('ok')
      }
    }
  })
})
