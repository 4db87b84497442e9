// What a model would do, without one: reads who wrote, answers the first, and waits for the person.
import { act } from './vercel-ai.mjs'
import { MockLanguageModelV4 } from 'ai/test'

const app = 'property-advertising'
let step = 0
const model = new MockLanguageModelV4({
  doGenerate: async ({ prompt }) => {
    const told = lastResult(prompt)
    step += 1
    if (step === 1) return uses('read_action', { app, action: 'list_contacts' })
    if (step === 2) {
      const input = { contact_id: told.contacts[0].contact_id, message: 'Yes, it is.' }
      return uses('write_action', { app, action: 'reply_to_contact', input })
    }
    if (told.status === 'awaiting_confirmation') {
      console.log(told.confirm_url)
      return uses('get_call', { call_id: told.call_id, wait: 40 })
    }
    return says(`${told.status} ${told.output.message_id !== ''}`)
  },
})

function lastResult(prompt) {
  const results = prompt.flatMap(({ role, content }) => (role === 'tool' ? content : []))
  const output = results.at(-1)?.output
  if (output === undefined) return undefined
  return output.type === 'content'
    ? JSON.parse(output.value[0].text)
    : (output.value.structuredContent ?? JSON.parse(output.value.content[0].text))
}

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
const answered = (content, unified) => ({
  content: [content],
  finishReason: { unified, raw: undefined },
  usage,
  warnings: [],
})
const says = (text) => answered({ type: 'text', text }, 'stop')
const uses = (toolName, input) =>
  answered({ type: 'tool-call', toolCallId: `use-${step}`, toolName, input: JSON.stringify(input) }, 'tool-calls')

const { MCP_URL: mcpUrl, CALLGATE_API_KEY: apiKey } = process.env
console.log(await act({ model, prompt: 'Answer whoever wrote first.', mcpUrl, apiKey }))
