import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { loadApps } from '../../connectors/registry.ts'
import type { App } from '../../connectors/registry.ts'
import { startExampleSandbox } from '../../scripts/examples/sandbox.ts'
import type { ExampleSandbox } from '../../scripts/examples/sandbox.ts'
import { SandboxControl } from '../support/sandbox.ts'
import type { FaultKind } from '../support/sandbox.ts'
import { exchanged } from './local-app.ts'

let sandbox: ExampleSandbox
let control: SandboxControl
let app: App
beforeAll(async () => {
  sandbox = await startExampleSandbox()
  control = new SandboxControl(sandbox.url, 'crm')
  app = loadApps({ sandboxUrl: sandbox.url }).get('crm')!
})
beforeEach(() => sandbox.reset())
afterAll(() => sandbox.close())

describe('each fault', () => {
  const project_id = 'RW5nYWdlbWVudDoxMDE1OA=='
  const read = ['get_project', { project_id }] as const
  const write = ['update_project_status', { project_id, status: 'In production' }] as const
  const cases: [FaultKind, object, number][] = [
    ['block', { kind: 'blocked' }, 0],
    ['expire', { kind: 'auth_expired' }, 0],
    ['captcha', { kind: 'captcha' }, 0],
    ['mfa', { kind: 'mfa' }, 0],
    ['rate_limit', { kind: 'rate_limited', retryAfterMs: 7000 }, 0],
    ['error', { kind: 'app_error', status: 500 }, 0],
    ['drop_before', { kind: 'lost' }, 0],
    ['drop_after', { kind: 'lost' }, 1],
    ['garbage', { kind: 'changed' }, 1],
    ['huge', { kind: 'changed' }, 1],
    ['slow', { kind: 'timeout' }, 1],
  ]
  for (const [kind, outcome, effects] of cases)
    test.each([read, write])(`${kind} is told by its outcome: %s`, async (name, input) => {
      const options = kind === 'slow' ? { ms: 700 } : kind === 'rate_limit' ? { retry_after: 7 } : {}
      await control.fault(kind, options)
      const result = await exchanged(sandbox, app, name, input, 'demo', kind === 'slow' ? 400 : 15_000)
      expect(result.outcome).toEqual(outcome)
      // Met where the token is fetched, for reads too: the operation was never sent.
      expect(result.sent).toBe(!['block', 'expire', 'captcha', 'mfa'].includes(kind))
      await control.clearFaults()
      expect((await exchanged(sandbox, app, ...read)).outcome.kind).toBe('ok')
      if (kind === 'slow') await new Promise((resolve) => setTimeout(resolve, 500))
      expect((await control.effects()).length).toBe(name === 'get_project' ? 0 : effects)
    })

  test.each(['block', 'expire', 'captcha', 'mfa'] as const)('%s is told by the operation itself, too', async (kind) => {
    await control.fault(kind, { path: '/graphql' })
    const result = await exchanged(sandbox, app, ...write)
    expect(result.outcome.kind).toBe({ block: 'blocked', expire: 'auth_expired', captcha: 'captcha', mfa: 'mfa' }[kind])
    expect(result.sent).toBe(true)
    expect(await control.effects()).toEqual([])
  })
})
