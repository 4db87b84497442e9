import { expect, test } from 'vitest'
import { withMessage } from '../../api/mcp/record-message.ts'
import { loadApps } from '../../connectors/registry.ts'
import type { CallRecord } from '../../core/calls/record.ts'
import { callStatuses } from '../../schemas/call.ts'

const apps = loadApps({ sandboxUrl: 'http://localhost:8090' })
const write = [...apps.get('property-advertising')!.endpoints.values()].find(({ shownBy }) => shownBy.length > 0)!

function record(more: Partial<CallRecord>): CallRecord {
  const times = { created_at: '2026-11-27T00:00:00.000Z', updated_at: '2026-11-27T00:00:00.000Z' }
  const call = { call_id: 'call_1', app: write.app, endpoint: write.name, account: 'acct_1', ...times }
  return { ...call, status: 'running', credits_used: 0, confirm_url: 'https://gate.example/confirm/call_1', ...more }
}

test('every status says what to do next, and only one that waits for a decision leads to its page', () => {
  for (const status of callStatuses) {
    const told = withMessage(record({ status }), write)
    expect(told.message, status).toMatch(/\w+.*\.$/)
    expect('confirm_url' in told, status).toBe(status === 'awaiting_confirmation')
  }
})

test('an unknown call names the read that shows whether it happened, until somebody has looked', () => {
  const told = withMessage(record({ status: 'unknown' }), write)
  expect(told.message).toContain(`${write.app}.${write.shownBy[0]?.read}`)
  expect(withMessage(record({ status: 'unknown' }), undefined).message).toContain('Check in the app')
  const resolution = { happened: true, by: 'owner', at: '2026-11-27T00:00:00.000Z' }
  expect(withMessage(record({ status: 'unknown', resolution }), write).message).toContain('do not do it again')
})

test('a call that waits says for what', () => {
  const waiting = (more: Partial<CallRecord>) => withMessage(record(more), write).message
  expect(waiting({ waiting_for: 'reconnect' })).toContain('sign in to the app at connect_url')
  expect(waiting({ waiting_for: 'blocked' })).toContain('retry_at')
  expect(waiting({ status: 'awaiting_confirmation', asked_again: 1 })).toContain('asked once more')
  expect(waiting({ status: 'awaiting_confirmation', waiting_for: 'reconnect' })).toContain(
    'sign in at connect_url, too',
  )
})
