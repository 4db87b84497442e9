import { afterAll, beforeAll, expect, it } from 'vitest'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { strangerSends } from './stranger-story.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack.stop())

it.each(['/mcp', '/mcp/property-advertising'])(
  'an agent framework that we did not write gets a message sent at %s',
  async (path) => {
    const user = await stack.user()
    const { account } = user.account.seeded
    await strangerSends({
      publicUrl: stack.publicUrl,
      path,
      apiKey: user.key,
      async approve(callId) {
        expect(await stack.sandbox.effects(account)).toEqual([])
        expect((await user.approve(callId)).status).toBe(303)
      },
    })
    expect(await stack.sandbox.effects(account)).toHaveLength(1)
  },
)
