// The example's agent, with a model that does what the test says.
import { createInterface } from 'node:readline'
import { MockLanguageModelV4 } from 'ai/test'
import { act } from './vercel-ai.mjs'

const lines = createInterface({ input: process.stdin })
const heard = lines[Symbol.asyncIterator]()
const tell = (line) => console.log(JSON.stringify(line))
let uses = 0

const model = new MockLanguageModelV4({
  doGenerate: async ({ prompt }) => {
    tell({ told: lastResult(prompt) })
    const { value } = await heard.next()
    const step = JSON.parse(value)
    if (step.use === undefined) return answered({ type: 'text', text: step.say }, 'stop')
    const input = JSON.stringify(step.arguments)
    return answered({ type: 'tool-call', toolCallId: `use-${++uses}`, toolName: step.use, input }, 'tool-calls')
  },
})

function lastResult(prompt) {
  const results = prompt.flatMap(({ role, content }) => (role === 'tool' ? content : []))
  const output = results.at(-1)?.output
  if (output === undefined) return null
  return output.type === 'content' ? output.value[0].text : output.value.content[0].text
}

function answered(content, unified) {
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
  return { content: [content], finishReason: { unified, raw: undefined }, usage, warnings: [] }
}

const { value } = await heard.next()
const { key: apiKey } = JSON.parse(value)
const prompt = 'Answer who wrote.'
tell({ end: await act({ model, prompt, mcpUrl: process.env.MCP_URL, apiKey }) })
lines.close()
