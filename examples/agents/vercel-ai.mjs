// An agent of the AI SDK, which needs Node 22 or later: it finds an action, runs it, and waits for its person where that is due.
import { createMCPClient } from '@ai-sdk/mcp'
import { generateText, isStepCount } from 'ai'

/**
 * What the model says in the end. `model`: any of the AI SDK's, such as openai('gpt-5'). `mcpUrl`: the gateway's, ending in /mcp.
 * What waits for the person is in the tool's result, with `confirm_url`: the model tells them, and asks get_call for the end.
 */
export async function act({ model, prompt, mcpUrl, apiKey }) {
  const headers = { Authorization: `Bearer ${apiKey}` }
  const callgate = await createMCPClient({ transport: { type: 'http', url: mcpUrl, headers } })
  try {
    const tools = await callgate.tools()
    const { text } = await generateText({ model, prompt, tools, stopWhen: isStepCount(20) })
    return text
  } finally {
    await callgate.close()
  }
}
