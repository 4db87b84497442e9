import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { setAppPaused } from '../../core/operators/pauses.ts'
import { errorCatalog } from '../../core/http/error-catalog.ts'
import { errorInfo } from '../../schemas/errors.ts'
import type { ErrorCode } from '../../schemas/errors.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { expectRefusal } from '../support/refusal.ts'
import type { FaultKind } from '../support/sandbox.ts'
import type { Answer } from '../support/user.ts'
import { copies, early, list } from './early-refusals.ts'

const app = 'property-advertising'
const impatient = { Prefer: 'wait=0' }
const patient = { Prefer: 'wait=50' }

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack.stop())

it.concurrent.each(early)('%s says all that it has to say: %j', async (code, said, refuse) => {
  expectRefusal(stack, code, await refuse(await stack.user(), stack), said)
})

it.concurrent('so do the refusals of users who have no account, no choice, no grant or no credits', async () => {
  const noAccount = await list(await stack.user({ accounts: [] }))
  expectRefusal(stack, 'AUTH_REQUIRED', noAccount, {})
  expect(noAccount.body['connect_url']).toBe(`${stack.publicUrl}/connect/${app}`)
  const two = await stack.user({ accounts: ['private', 'agency'] })
  const unpicked = await list(two)
  expectRefusal(stack, 'account_required', unpicked, {})
  const named = two.accounts.map(({ id, seeded }) => ({ account: id, label: seeded.label }))
  expect(unpicked.body['accounts']).toEqual(named.toSorted((a, b) => (a.account < b.account ? -1 : 1)))
  const narrow = await stack.user({ apps: ['crm'] })
  const notGranted = await list(narrow)
  expectRefusal(stack, 'access_not_granted', notGranted, {})
  expect(notGranted.body).toMatchObject({
    request_access_url: `${stack.publicUrl}/access/${app}?key=${narrow.keyId}`,
    docs_url: `${stack.publicUrl}/docs/${app}`,
  })
  expectRefusal(stack, 'insufficient_credits', await list(await stack.user({ plan: 'none' })), {})
})

it('so do addresses that are none, whose limit is told without a key', async () => {
  const response = await fetch(`${stack.url}/a/b/c/d`)
  const answer = { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] }
  expectRefusal(stack, 'not_found', answer, { general: true, limit: 'discovery' })
  const user = await stack.user({ accounts: [] })
  const below = await user.send('GET', '/calls/call_1/output')
  expectRefusal(stack, 'not_found', below, { general: true, limit: 'call-records' })
})

/** What the app does meanwhile, how often, and what the call came to. */
const faults: readonly (readonly [ErrorCode, FaultKind, number])[] = [
  ['AUTH_EXPIRED', 'expire', 1],
  ['CAPTCHA_REQUIRED', 'captcha', 1],
  ['MFA_REQUIRED', 'mfa', 1],
  ['app_changed', 'garbage', 1],
  ['app_error', 'error', 3],
  ['app_timeout', 'drop_before', 3],
  ['TARGET_BLOCKED', 'block', 4],
]

it.each(faults)('%s does too, when the app meets the call with %s', async (code, kind, times) => {
  const user = await stack.user()
  await stack.sandbox.fault(kind, { times })
  try {
    const answer = await list(user, patient)
    expectRefusal(stack, code, answer, { called: true })
    // A pause lets none try; after a refusal for want of the person the next call does, as they may have been there.
    if (code === 'TARGET_BLOCKED') expectRefusal(stack, code, await list(user), {})
    if (errorInfo(code).status !== 409) return
    const again = await list(user, patient)
    expectRefusal(stack, code, again, { called: true })
    for (const { body } of [answer, again])
      expect(body['connect_url']).toMatch(new RegExp(`^http://[^/]+/connect/${app}\\?account=${user.account.id}$`))
  } finally {
    await stack.sandbox.clearFaults()
  }
})

it('too_many_running does too, while an operator holds the app', async () => {
  const user = await stack.user()
  await setAppPaused(stack.ctx, app, true, 'operator')
  try {
    const running = await list(user, impatient)
    await copies(stack, running.body['call_id'], 49)
    const refused = await list(user, impatient)
    expectRefusal(stack, 'too_many_running', refused, {})
    await user.cancel(running.body['call_id'])
    await stack.ctx.db.query('DELETE FROM calls WHERE owner = $1 AND length(id) > 31', [user.id])
  } finally {
    await setAppPaused(stack.ctx, app, false, 'operator')
  }
})

it('unavailable does too, while the engine is away, and internal says nothing of what broke', async () => {
  const user = await stack.user()
  const { db, engine } = stack.ctx
  engine.up = false
  try {
    expectRefusal(stack, 'unavailable', await list(user), {})
  } finally {
    engine.up = true
  }
  const query = db.query.bind(db) as (...given: unknown[]) => Promise<unknown>
  vi.spyOn(db, 'query').mockImplementation((...given: unknown[]) => {
    if (JSON.stringify(given).includes(user.keyId) && JSON.stringify(given[0]).includes('FROM calls c'))
      throw new Error('a secret of ours')
    return query(...given) as never
  })
  try {
    const answer = await user.send('GET', '/calls')
    expectRefusal(stack, 'internal', answer, { general: true, limit: 'call-records' })
    expect(JSON.stringify(answer.body)).not.toContain('secret')
  } finally {
    vi.restoreAllMocks()
  }
})

it('all other codes end a call that waited, and are told in its record alone', () => {
  const told = [
    ...early.map(([code]) => code),
    ...faults.map(([code]) => code),
    ...['AUTH_REQUIRED', 'account_required', 'access_not_granted', 'insufficient_credits', 'not_found'],
    ...['too_many_running', 'unavailable', 'internal'],
  ]
  expect(Object.keys(errorCatalog).filter((code) => !told.includes(code))).toEqual([
    'definition_changed',
    'changed_since',
  ])
})
