import { createMCPClient } from '@ai-sdk/mcp'
import { expect } from 'vitest'

const app = 'property-advertising'

/**
 * An agent framework that we did not write gets a message sent: it searches, reads the schema, writes, waits for the person, and reads
 * the result. Returns the contact that was written to.
 */
export async function strangerSends(gateway: {
  readonly publicUrl: string
  readonly apiKey: string
  /** The person approves; what must hold until then is looked at first. */
  readonly approve: (callId: string) => Promise<unknown>
}): Promise<string> {
  const { publicUrl, apiKey, approve } = gateway
  const url = `${publicUrl}/mcp`
  const client = await createMCPClient({ transport: { type: 'http', url, headers: { 'X-API-Key': apiKey } } })
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
      use(`${access}_action`, { app, action, input })

    const { actions } = await use('search_actions', { words: 'reply to a contact' })
    expect(actions).toContainEqual(expect.objectContaining({ app, action: 'reply_to_contact', confirm: true }))
    const { input_schema: schema } = await use('get_action', { app, action: 'reply_to_contact' })
    expect(schema).toMatchObject({ required: ['contact_id', 'message'] })
    const { contacts } = await run('read', 'list_contacts', {})
    const contactId = (contacts as { contact_id: string }[])[0]?.contact_id ?? ''
    const { status, call_id: callId } = await run('write', 'reply_to_contact', {
      contact_id: contactId,
      message: 'The flat is still free',
    })
    expect(status).toBe('awaiting_confirmation')
    const ended = use('get_call', { call_id: callId, wait: 20 })
    await approve(String(callId))
    expect(await ended).toMatchObject({ status: 'executed', output: { contact_id: contactId } })
    await expect(run('read', 'list_listings', { limit: 0 })).rejects.toThrow('invalid_input')
    return contactId
  } finally {
    await client.close()
  }
}
