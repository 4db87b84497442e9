import { describe, expect, it } from 'vitest'
import type { CallArgs, SendOutcome } from '../../schemas/call.ts'
import { RetryPolicy } from '../../workflows/retry-policy.ts'

const minute = 60_000
const hour = 60 * minute
const friday = Date.UTC(2026, 0, 2, 18)
const args: CallArgs = {
  callId: 'call_1',
  owner: 'user_1',
  app: 'property-advertising',
  endpoint: 'reply_to_contact',
  account: 'acct_1',
  access: 'write',
  confirm: true,
  acceptedAt: friday,
  expiresAt: friday + hour,
  taskQueue: 'app.property-advertising',
  pacingKey: '0'.repeat(32),
  attempt: 0,
}

type Held = Parameters<RetryPolicy['after']>[0]
const blocked = (retryAt: number): Held => ({ kind: 'blocked', retryAt, attempt: 1 })
const tooMany = (retryAt: number): Held => ({ kind: 'rate_limited', retryAt, attempt: 1 })
const signIn: Held = { kind: 'reconnect', code: 'AUTH_EXPIRED', attempt: 1 } satisfies SendOutcome

/** Waits as the workflow does; the moment at which the call goes on. `noticed`: when its time, or a nudge, was heard of. */
function wait(policy: RetryPolicy, outcome: Held, now: number, noticed = (until: number) => until): number {
  const next = policy.after(outcome, now)
  if ('code' in next) throw new Error(`gave up with ${next.code}`)
  policy.waited(noticed(next.until))
  return noticed(next.until)
}

describe('an approved call', () => {
  const newOne = (): RetryPolicy => new RetryPolicy(args, () => true)

  it.each([
    ['a block', blocked, 'TARGET_BLOCKED'],
    ['a 429', tooMany, 'TARGET_BLOCKED'],
  ] as const)('that meets %s hourly is given up after 24 hours of waiting', (_name, outcome, code) => {
    const policy = newOne()
    let now = friday
    for (let tries = 0; tries < 24; tries++) now = wait(policy, outcome(now + hour), now)
    expect(now).toBe(friday + 24 * hour)
    expect(policy.after(outcome(now + hour), now)).toEqual({ code })
  })

  it('is not given up for a weekend in which an operator held it: it has the rest of its 24 hours after that', () => {
    const policy = newOne()
    const held = wait(policy, blocked(friday + 2 * hour), friday) + 60 * hour
    // It is not the probe.
    let now = wait(policy, blocked(held + 2_000), held)
    expect(now).toBe(held + 2_000)
    now = wait(policy, blocked(now + 21 * hour), now)
    const last = policy.after(blocked(now + 21 * hour), now)
    expect(last).toEqual({ until: held + 22 * hour })
    policy.waited(held + 22 * hour)
    expect(policy.after(blocked(now + 30 * hour), held + 22 * hour)).toEqual({ code: 'TARGET_BLOCKED' })
  })

  it('waits for its person 72 hours, the tries between and a weekend of the operator’s aside', () => {
    const policy = newOne()
    let now = wait(policy, signIn, friday, () => friday + 12 * hour)
    now += 60 * hour
    expect(policy.after(signIn, now)).toEqual({ until: now + 60 * hour })
    policy.waited(now + 60 * hour)
    expect(policy.after(signIn, now + 60 * hour)).toEqual({ code: 'AUTH_EXPIRED' })
  })

  it('does not count what passes until somebody notices that its wait is over', () => {
    const policy = newOne()
    const now = wait(policy, blocked(friday + hour), friday, (until) => until + 60 * hour)
    expect(policy.after(blocked(now + 30 * hour), now)).toEqual({ until: now + 23 * hour })
  })

  it('counts of a wait that a nudge ended what was waited', () => {
    const policy = newOne()
    const now = wait(policy, blocked(friday + 20 * hour), friday, () => friday + hour)
    expect(policy.after(blocked(now + 30 * hour), now)).toEqual({ until: now + 23 * hour })
  })

  it('begins anew when it waits for something else', () => {
    const policy = newOne()
    let now = wait(policy, blocked(friday + 23 * hour), friday)
    now = wait(policy, signIn, now, () => friday + 30 * hour)
    expect(policy.after(blocked(now + 30 * hour), now)).toEqual({ until: now + 24 * hour })
  })

  it('goes by the clock while what its history says of it was decided so', () => {
    const policy = new RetryPolicy(args, () => false)
    wait(policy, blocked(friday + hour), friday)
    expect(policy.after(blocked(friday + 70 * hour), friday + 60 * hour)).toEqual({ code: 'TARGET_BLOCKED' })
  })
})

it('a call without an approval asks for nothing that would stand in its history', () => {
  const policy = new RetryPolicy({ ...args, confirm: false, expiresAt: null }, () => {
    throw new Error('asked')
  })
  const pauses = [1_000, 2_000, 4_000]
  for (const pause of pauses) expect(wait(policy, blocked(friday + hour), friday)).toBe(friday + pause)
  expect(policy.after(blocked(friday + hour), friday)).toEqual({ code: 'TARGET_BLOCKED' })
})

it('a call without an approval waits out an app’s 429 within 25 seconds of its acceptance, however often it is asked', () => {
  const policy = new RetryPolicy({ ...args, confirm: false, expiresAt: null }, () => true)
  const now = wait(policy, tooMany(friday + 15_000), friday)
  expect(now).toBe(friday + 15_000)
  expect(policy.after(tooMany(friday + 25_000), now)).toEqual({ until: friday + 25_000 })
  expect(policy.after(tooMany(friday + 25_001), now)).toEqual({ code: 'TARGET_BLOCKED' })
})
