import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../client/run.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'

/** examples/agents, installed as its lock says. */
const folder = process.env['CALLGATE_AGENTS'] ?? ''
let stack: Stack
beforeAll(async () => {
  stack = await startStack()
  await copyFile(path.join(import.meta.dirname, 'scripted-model.mjs'), path.join(folder, 'scripted-model.mjs'))
})
afterAll(() => stack.stop())

test('the agent of the AI SDK answers, once its person approved', async () => {
  const user = await stack.user()
  let decided: Promise<unknown> | undefined
  const { code, out, err } = await run(process.execPath, ['scripted-model.mjs'], {
    cwd: folder,
    env: { MCP_URL: `${stack.publicUrl}/mcp`, CALLGATE_API_KEY: user.key },
    onOut(text) {
      const found = /confirm\/(call_\w{26})\n/.exec(text)?.[1]
      if (found !== undefined) decided ??= user.approve(found)
    },
  })
  await decided
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(/\/confirm\/call_\w{26}\nexecuted true\n$/)
  expect(await stack.sandbox.effects(user.account.seeded.account)).toHaveLength(1)
})
