import { expect, test } from 'vitest'
import { callResult } from '../../api/mcp/results.ts'
import type { CallAnswer } from '../../api/http/answers.ts'

const answer = (body: CallAnswer['body']): CallAnswer => ({
  ...{ status: 200, callId: 'call_1', creditsUsed: 1, replayed: false, headers: {}, outcome: 'executed' },
  body,
})

test('an agent is told where a result has characters that nobody sees, and gets it as the app said it', () => {
  const body = { coupons: [{ name: 'Sale\u{e0069}\u{e0067}' }] }
  const { content, structuredContent, _meta } = callResult(answer(body))
  expect(structuredContent).toEqual(body)
  expect(content[0]).toEqual({ type: 'text', text: JSON.stringify(body) })
  expect(content[1]).toMatchObject({ type: 'text', text: expect.stringContaining('["/coupons/0/name"]') })
  expect(_meta).toMatchObject({
    'callgate/content': 'data from the app',
    'callgate/invisible_characters': ['/coupons/0/name'],
  })
})

test('a result without them is one text', () => {
  const { content, _meta } = callResult(answer({ name: 'Zoë 👨‍👩‍👧\nnext' }))
  expect(content).toHaveLength(1)
  expect(_meta).not.toHaveProperty(['callgate/invisible_characters'])
})
