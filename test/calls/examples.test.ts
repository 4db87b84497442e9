import { Compile } from 'typebox/schema'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleOf } from '../../connectors/examples.ts'
import type { Example } from '../../connectors/examples.ts'
import { loadApps } from '../../connectors/registry.ts'
import type { App, Endpoint } from '../../connectors/registry.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { balancedLedger } from '../support/ledger.ts'
import { withinOneDay } from '../support/one-day.ts'
import { queryOf } from '../support/query.ts'
import { SandboxControl } from '../support/sandbox.ts'
import { shuffled } from '../support/shuffle.ts'
import { makeUser } from '../support/user.ts'
import type { Answer, TestUser } from '../support/user.ts'

/** By hand: any other. */
const seed = Number(process.env['EXAMPLES_SEED'] ?? 1)
const { all: apps } = loadApps({ sandboxUrl: 'http://localhost:8090' })

const patient = { Prefer: 'wait=50' }
/** The day of the seed. */
let today: Date

/**
 * An answer without what each run makes anew: cursors (they are sealed), the end of a link's time, and of a write its moments, and the ids,
 * addresses and counts of what it adds; an id that was given comes back as it is.
 */
function stable(output: unknown, endpoint: Endpoint): unknown {
  const given = new Set(Object.values(exampleFor(endpoint).input))
  const moments = endpoint.access === 'write' ? /\d{4}-\d\d-\d\dT[\d:.]+Z/g : /$^/g
  const text = JSON.stringify(output)
    .replaceAll(/http:\/\/localhost:\d+/g, 'http://localhost:8090')
    .replaceAll(moments, 'a moment')
  return JSON.parse(text, (name, value: unknown) => {
    if (name === 'next_cursor' || name === 'expires_at') return typeof value
    if (endpoint.access === 'read' || typeof value === 'object' || given.has(value)) return value
    return /(^|_)(id|url)$|_left$/.test(name) ? typeof value : value
  })
}

/** What one endpoint's example came to. */
interface Run {
  readonly output: unknown
  /** The same by GET, of a read. */
  readonly got: Answer | undefined
  readonly effects: number
}

async function runOf(user: TestUser, control: SandboxControl, endpoint: Endpoint): Promise<Run> {
  const { app, name, access, confirm } = endpoint
  const { input } = exampleFor(endpoint)
  const { account } = user.account.seeded
  const before = await control.effects(account)
  const output = await outputOf(user, await user.send('POST', `/${app}/${name}`, input, patient), confirm)
  const query = `/${app}/${name}?${queryOf(input)}`
  const got = access === 'read' ? await user.send('GET', query, undefined, patient) : undefined
  return { output, got, effects: (await control.effects(account)).length - before.length }
}

function exampleFor({ app, name }: Endpoint): Example {
  const found = exampleOf(app, name, today)
  if (found === undefined) throw new Error(`${app}.${name} has no example`)
  return found
}

/** The output of a call, approved by the person where they are asked. */
async function outputOf(user: TestUser, answer: Answer, confirm: boolean): Promise<unknown> {
  if (!confirm) {
    expect(answer.body).not.toHaveProperty('error')
    expect(answer.status).toBe(200)
    return answer.body
  }
  expect(answer.body).toMatchObject({ status: 'awaiting_confirmation' })
  expect(answer.status).toBe(202)
  expect((await user.approve(answer.body['call_id'])).status).toBe(303)
  const ended = async () => (await user.record(answer.body['call_id'], 50))['status'] !== 'running'
  await expect.poll(ended, { timeout: 200_000 }).toBe(true)
  const record = await user.record(answer.body['call_id'])
  expect(record).toMatchObject({ status: 'executed' })
  return record['output']
}

describe(`the examples, in the order of EXAMPLES_SEED=${seed}`, () => {
  let stack: Stack
  const users = new Map<App, TestUser>()
  const runs = new Map<Endpoint, Promise<Run>>()

  /** The apps run side by side, the calls of one app one after the other; each test looks at one call. */
  beforeAll(async () => {
    stack = await startStack()
    await withinOneDay()
    await stack.sandbox.reset()
    today = new Date()
    const { ctx, publicUrl } = stack
    for (const app of apps) {
      const control = new SandboxControl(stack.sandbox.url, app.slug)
      const user = await makeUser({ ctx, publicUrl, sandbox: control }, { seeded: 'demo' })
      users.set(app, user)
      let previous: Promise<unknown> = Promise.resolve()
      // Reads come first: each then answers as recorded, from the seed. What they answer after writes is looked at without the gateway.
      const order = shuffled(app.endpoints.values(), seed)
      const [reads, writes] = (['read', 'write'] as const).map((kind) => order.filter(({ access }) => access === kind))
      for (const endpoint of [...reads!, ...writes!]) {
        const run = previous.then(() => runOf(user, control, endpoint))
        // The test of this endpoint tells what went wrong; the next one runs all the same.
        previous = run.catch(() => undefined)
        runs.set(endpoint, run)
      }
    }
  })
  afterAll(() => stack.stop())

  describe.each(apps)('$slug', (app) => {
    it.each([...app.endpoints.values()])('$name works as it stands', async (endpoint) => {
      const { output, got, effects } = await runs.get(endpoint)!
      expect(Compile(endpoint.outputSchema).Errors(output)).toEqual([true, []])
      expect(stable(output, endpoint)).toEqual(stable(exampleFor(endpoint).output, endpoint))
      // A cursor is sealed with a new nonce each time; a link expires relative to now.
      const volatile = { next_cursor: null, expires_at: null }
      if (got) expect({ ...got.body, ...volatile }).toEqual({ ...(output as object), ...volatile })
      expect(got?.status).toBe(endpoint.access === 'read' ? 200 : undefined)
      expect(effects).toBe(endpoint.access === 'write' ? 1 : 0)
    })

    it('was charged for what ran, and for nothing else', async () => {
      const ran = [...app.endpoints.values()].map(({ credits, access }) => (access === 'read' ? 2 * credits : credits))
      const total = ran.reduce((sum, credits) => sum + credits, 0)
      expect(await balancedLedger(stack.ctx, users.get(app)!.id)).toEqual({ captured: total, reserved: 0 })
    })
  })
})
