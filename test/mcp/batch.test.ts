import { createMcpHandler } from '@modelcontextprotocol/server'
import { expect, it } from 'vitest'
import { createServer } from '../../api/mcp/server.ts'
import type { McpSession } from '../../api/mcp/server.ts'
import type { McpTool } from '../../api/mcp/tool.ts'

it('the calls of a batch begin in their order, and between any two of them others have a turn', async () => {
  let turn = 0
  let over = false
  const count = (): void => {
    turn += 1
    if (!over) setImmediate(count)
  }
  const begun: { readonly args: unknown; readonly turn: number }[] = []
  const look: McpTool = {
    definition: { name: 'look', inputSchema: { type: 'object' } },
    run: (args) => {
      begun.push({ args, turn })
      return Promise.resolve({ content: [] })
    },
  }
  const tools = { definitions: [look.definition], instructions: '', get: () => look }
  const handler = createMcpHandler(({ era }) =>
    createServer({ tools, inexact: new Map() } as unknown as McpSession, era),
  )
  const batch = Array.from({ length: 20 }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'look', arguments: { id } },
  }))
  setImmediate(count)
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
  const answer = await handler.fetch(new Request('http://localhost/mcp', { method: 'POST', headers, body: '[]' }), {
    parsedBody: batch,
  })
  await answer.text()
  over = true
  expect(begun.map(({ args }) => args)).toEqual(batch.map(({ id }) => ({ id })))
  expect(new Set(begun.map((one) => one.turn)).size).toBe(batch.length)
})
