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
  control = new SandboxControl(sandbox.url, 'property-advertising')
  app = loadApps({ sandboxUrl: sandbox.url }).get('property-advertising')!
})
beforeEach(() => sandbox.reset())
afterAll(() => sandbox.close())

describe('each fault', () => {
  const read = ['get_listing', { listing_id: 'CV-10094' }] as const
  const json = ['update_listing', { listing_id: 'CV-10094', fields: { price: 1 } }] as const
  const form = ['reply_to_contact', { contact_id: '10104', message: 'Hello' }] as const
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
    test.each([read, json, form])(`${kind} is told by its outcome: %s`, async (name, input) => {
      const options = kind === 'slow' ? { ms: 700 } : kind === 'rate_limit' ? { retry_after: 7 } : {}
      await control.fault(kind, options)
      const result = await exchanged(sandbox, app, name, input, 'demo', kind === 'slow' ? 400 : 15_000)
      expect(result.outcome).toEqual(outcome)
      const early = ['block', 'expire', 'captcha', 'mfa'].includes(kind)
      // Writes meet these at their CSRF page: the action was never sent.
      expect(result.sent).toBe(!(early && name !== 'get_listing'))
      await control.clearFaults()
      expect((await exchanged(sandbox, app, ...read)).outcome.kind).toBe('ok')
      if (kind === 'slow') await new Promise((resolve) => setTimeout(resolve, 500))
      const done = await control.effects()
      expect(done.length).toBe(name === 'get_listing' ? 0 : effects)
    })
})
