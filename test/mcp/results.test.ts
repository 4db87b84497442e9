import { expect, test } from 'vitest'
import { callResult } from '../../api/mcp/results.ts'
import type { CallAnswer } from '../../core/http/answers.ts'

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

test('a long output is cut, and says which call has the rest; a choice of fields is made first', () => {
  const listings = Array.from({ length: 400 }, (_, at) => ({ listing_id: `l${at}`, description: 'x'.repeat(90) }))
  const { content, structuredContent, _meta } = callResult(answer({ listings, next_cursor: null }))
  const left = {
    parts: [{ at: 'listings' }],
    message: expect.stringContaining('get_call with call_id call_1') as string,
  }
  expect(structuredContent).toMatchObject({ callgate_left_out: left, next_cursor: null })
  expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }])
  expect(_meta).toMatchObject({ 'callgate/call_id': 'call_1' })
  const chosen = callResult(answer({ listings, next_cursor: null }), ['listings.listing_id'])
  expect(chosen.structuredContent).toEqual({ listings: listings.map(({ listing_id }) => ({ listing_id })) })
})

test('what is no output is neither chosen from nor taken for one', () => {
  const body = {
    status: 'executed',
    call_id: 'call_1',
    message: 'The call was executed; its output is not kept any more.',
  }
  expect(callResult(answer(body), ['listings']).structuredContent).toEqual(body)
  const failed = { ...answer({ error: 'app_rejected', message: 'No.' }), status: 422, outcome: 'failed' as const }
  expect(callResult(failed, ['listings'])).toMatchObject({ isError: true, structuredContent: failed.body })
})
