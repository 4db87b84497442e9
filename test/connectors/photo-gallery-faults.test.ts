import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FaultKind } from '../support/sandbox.ts'
import { exchanged } from './local-app.ts'
import { AppCaller } from './app-caller.ts'

let studio: AppCaller
beforeAll(async () => {
  studio = await AppCaller.open('photo-gallery')
})
beforeEach(() => studio.sandbox.reset())
afterAll(() => studio.sandbox.close())

const read = ['get_collection', { collection_id: 'gal_258g' }] as const
const json = ['create_collection', { name: 'New' }] as const
const form = ['share_collection', { collection_id: 'gal_258g', emails: ['a@mail.example'] }] as const

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

describe.each(cases)('the fault %s', (kind, outcome, effects) => {
  test.each([read, json, form])('is told by its outcome: %s', async (name, input) => {
    const options = kind === 'slow' ? { ms: 700 } : kind === 'rate_limit' ? { retry_after: 7 } : {}
    await studio.control.fault(kind, options)
    const { sandbox, app, control } = studio
    const result = await exchanged(sandbox, app, name, input, 'demo', kind === 'slow' ? 400 : 15_000)
    expect(result.outcome).toEqual(outcome)
    // Writes meet these where they fetch their proof: the action was never sent.
    const early = ['block', 'expire', 'captcha', 'mfa'].includes(kind)
    expect(result.sent).toBe(!(early && name !== 'get_collection'))
    await control.clearFaults()
    expect((await exchanged(sandbox, app, ...read)).outcome.kind).toBe('ok')
    if (kind === 'slow') await new Promise((resolve) => setTimeout(resolve, 500))
    expect((await control.effects()).length).toBe(name === 'get_collection' ? 0 : effects)
  })
})

/** Faults that only the submit meets: a form's redirect is then the app's only word. */
test.each([
  ['expire', 'auth_expired'],
  ['captcha', 'captcha'],
  ['mfa', 'mfa'],
  ['block', 'blocked'],
] as const)('%s at the submit itself is no success', async (kind, wanted) => {
  await studio.control.fault(kind, { path: '/studio' })
  const result = await exchanged(studio.sandbox, studio.app, ...form)
  expect(result).toMatchObject({ outcome: { kind: wanted }, sent: true })
  expect(await studio.control.effects()).toEqual([])
})
