import { createMCPClient } from '@ai-sdk/mcp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'

const app = 'property-advertising'
let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack.stop())

it.each(['/mcp', `/mcp/${app}`])('an agent framework that we did not write gets a message sent at %s', async (path) => {
  const user = await stack.user()
  const url = `${stack.publicUrl}${path}`
  const client = await createMCPClient({ transport: { type: 'http', url, headers: { 'X-API-Key': user.key } } })
  try {
    const tools = await client.tools()
    // As a model's tool calls are run: by name, with arguments.
    const use = async (name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> => {
      const result: unknown = await tools[name]?.execute(args, { toolCallId: name, messages: [], context: {} })
      const { structuredContent, isError } = result as { structuredContent: Record<string, unknown>; isError?: boolean }
      if (isError === true) throw new Error(JSON.stringify(structuredContent))
      return structuredContent
    }
    const run = (access: string, action: string, input: Record<string, unknown>) =>
      path === '/mcp' ? use(`${access}_action`, { app, action, input }) : use(action, input)

    if (path === '/mcp') {
      const { actions } = await use('search_actions', { words: 'reply to a contact' })
      expect(actions).toContainEqual(expect.objectContaining({ app, action: 'reply_to_contact', confirm: true }))
      const { input_schema: schema } = await use('get_action', { app, action: 'reply_to_contact' })
      expect(schema).toMatchObject({ required: ['contact_id', 'message'] })
    }
    const { contacts } = await run('read', 'list_contacts', {})
    const [contact] = contacts as { contact_id: string }[]
    const input = { contact_id: contact?.contact_id, message: 'The flat is still free' }
    const { status, call_id } = await run('write', 'reply_to_contact', input)
    expect(status).toBe('awaiting_confirmation')
    expect(await stack.sandbox.effects(user.account.seeded.account)).toEqual([])
    const ended = use('get_call', { call_id, wait: 20 })
    expect((await user.approve(call_id)).status).toBe(303)
    expect(await ended).toMatchObject({ status: 'executed', output: { contact_id: contact?.contact_id } })
    expect(await stack.sandbox.effects(user.account.seeded.account)).toHaveLength(1)
    await expect(run('read', 'list_listings', { limit: 0 })).rejects.toThrow('invalid_input')
  } finally {
    await client.close()
  }
})
