import { randomInt } from 'node:crypto'
import { Compile } from 'typebox/schema'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleOf } from '../../connectors/examples.ts'
import type { Example } from '../../connectors/examples.ts'
import { loadApps } from '../../connectors/registry.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { balancedLedger } from '../support/ledger.ts'
import { queryOf } from '../support/query.ts'
import { SandboxControl } from '../support/sandbox.ts'
import { shuffled } from '../support/shuffle.ts'
import { makeUser } from '../support/user.ts'
import type { Answer, TestUser } from '../support/user.ts'

const seed = Number(process.env['EXAMPLES_SEED'] ?? randomInt(1_000_000))
const { all: apps } = loadApps({ sandboxUrl: 'http://localhost:8090' })

describe(`the examples, in the order of EXAMPLES_SEED=${seed}`, () => {
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack()
    await stack.sandbox.reset()
  })
  afterAll(() => stack.stop())

  describe.each(apps)('$slug', ({ slug, endpoints }) => {
    let user: TestUser
    let control: SandboxControl
    beforeAll(async () => {
      control = new SandboxControl(stack.sandbox.url, slug)
      const { ctx, publicUrl } = stack
      user = await makeUser({ ctx, publicUrl, sandbox: control }, { seeded: 'demo' })
    })

    function example(name: string): Example {
      const found = exampleOf(slug, name, new Date())
      if (found === undefined) throw new Error(`${slug}.${name} has no example`)
      return found
    }

    async function effectsOf(): Promise<readonly unknown[]> {
      return control.effects(user.account.seeded.account)
    }

    /** The output of a call, approved by the person where they are asked. */
    async function outputOf(answer: Answer, confirm: boolean): Promise<unknown> {
      if (!confirm) {
        expect(answer.body).not.toHaveProperty('error')
        expect(answer.status).toBe(200)
        return answer.body
      }
      expect(answer.body).toMatchObject({ status: 'awaiting_confirmation' })
      expect(answer.status).toBe(202)
      expect((await user.approve(answer.body['call_id'])).status).toBe(303)
      const record = await user.record(answer.body['call_id'], 20)
      expect(record).toMatchObject({ status: 'executed' })
      return record['output']
    }

    it.each(shuffled(endpoints.values(), seed))('$name works as it stands', async (endpoint) => {
      const { name, access, confirm } = endpoint
      const { input, output: recorded } = example(name)
      const before = await effectsOf()
      const output = await outputOf(await user.send('POST', `/${slug}/${name}`, input), confirm)
      expect(Compile(endpoint.outputSchema).Errors(output)).toEqual([true, []])
      expect(Object.keys(output as object).toSorted()).toEqual(Object.keys(recorded).toSorted())
      if (access === 'read') {
        const got = await user.send('GET', `/${slug}/${name}?${queryOf(input)}`)
        // Cursors are sealed, each time anew.
        expect({ ...got.body, next_cursor: null }).toEqual({ ...(output as object), next_cursor: null })
        expect(got.status).toBe(200)
      }
      expect((await effectsOf()).length - before.length).toBe(access === 'write' ? 1 : 0)
    })

    it('was charged for what ran, and for nothing else', async () => {
      const ran = [...endpoints.values()].map(({ credits, access }) => (access === 'read' ? 2 * credits : credits))
      const total = ran.reduce((sum, credits) => sum + credits, 0)
      expect(await balancedLedger(stack.ctx, user.id)).toEqual({ captured: total, reserved: 0 })
    })
  })
})
