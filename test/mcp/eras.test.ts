import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { officialSends } from './official-story.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack.stop())

describe.each(['2025', '2026'] as const)('the official client of the %s era', (era) => {
  it('finds an action, reads its schema, writes, and has the result once the person approved', async () => {
    const user = await stack.user()
    const { account } = user.account.seeded
    await officialSends({
      publicUrl: stack.publicUrl,
      apiKey: user.key,
      era,
      async approve(callId) {
        expect(await stack.sandbox.effects(account)).toEqual([])
        expect((await user.approve(callId)).status).toBe(303)
      },
    })
    expect(await stack.sandbox.effects(account)).toHaveLength(1)
  })
})
