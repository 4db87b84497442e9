import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '../../core/context.ts'
import { seal, unwrapDataKey } from '../../core/secrets/crypto.ts'
import { standingOf } from '../../core/approvals/standing-rows.ts'
import type { StandingRow } from '../../core/approvals/standing-rows.ts'
import { sealPayload } from '../../core/calls/payload.ts'
import { setAppPaused } from '../../core/operators/pauses.ts'
import { aboutList, stateOf } from '../../core/approvals/standing.ts'
import { revokeStanding } from '../../core/approvals/standing-rules.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import { balancedLedger } from '../support/ledger.ts'
import { standingFor } from '../support/standing.ts'
import type { TestUser } from '../support/user.ts'

const app = 'property-advertising'

/** Somebody reaches the database. Nothing is approved but what the owner approved in advance. */
describe('tampering with standing approvals', () => {
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack()
  })
  afterAll(() => stack.stop())

  const set = (id: string, columns: string, ...values: unknown[]) =>
    stack.ctx.db.query(`UPDATE standing_approvals SET ${columns} WHERE id = $1`, [id, ...values])

  async function rowOf(owner: string, id: string): Promise<StandingRow> {
    const row = await standingOf(stack.ctx.db, owner, id)
    if (row === undefined) throw new Error('there is none')
    return row
  }

  /** The same keys, and one that signs as nobody else does. */
  function withKeys(...ids: string[]): Context {
    const approval = new Map(ids.map((id) => [id, stack.ctx.secrets.approval.get(id) ?? randomBytes(32)]))
    return { ...stack.ctx, secrets: { ...stack.ctx.secrets, approval } }
  }

  const somebody = { field: 'contact_id', values: ['somebody'] }
  const account = (user: TestUser, n = 0) => ({ 'X-Callgate-Account': user.accounts[n]?.id ?? '' })

  /** Each leaves a row that would cover the user's reply if it were believed. Returns its id, and the headers of the call. */
  const changes: Readonly<
    Record<string, (user: TestUser, contact: string) => Promise<readonly [id: string, headers?: object]>>
  > = {
    'a larger budget': async (user) => {
      const id = await standingFor(stack.ctx, user, { perDay: 1 })
      return (await set(id, 'per_day = 100')) && [id]
    },
    'no budget': async (user) => {
      const id = await standingFor(stack.ctx, user, { perDay: 1 })
      return (await set(id, 'per_day = NULL')) && [id]
    },
    'another list, sealed with the right key': async (user, contact) => {
      const id = await standingFor(stack.ctx, user, { only: somebody })
      const row = await rowOf(user.id, id)
      const dataKey = unwrapDataKey(stack.ctx.secrets, row.account, row.data_key)
      return (await set(id, 'allowed = $2', seal(dataKey, aboutList(row), JSON.stringify([contact])))) && [id]
    },
    'the list of another one': async (user, contact) => {
      const id = await standingFor(stack.ctx, user, { only: somebody })
      const other = await standingFor(stack.ctx, user, { only: { field: 'contact_id', values: [contact] } })
      await set(id, 'allowed = (SELECT allowed FROM standing_approvals WHERE id = $2)', other)
      await revokeStanding(stack.ctx, user.id, other)
      return [id]
    },
    'no list': async (user) => {
      const id = await standingFor(stack.ctx, user, { only: somebody })
      return (await set(id, 'field = NULL, allowed = NULL')) && [id]
    },
    'the list of another field': async (user) => {
      const id = await standingFor(stack.ctx, user, { only: { field: 'contact_id', values: ['As it is.'] } })
      return (await set(id, `field = 'message'`)) && [id]
    },
    'a later end': async (user) => {
      const id = await standingFor(stack.ctx, user, { until: new Date(Date.now() - 1_000) })
      return (await set(id, `until = now() + interval '1 day'`)) && [id]
    },
    'no end': async (user) => {
      const id = await standingFor(stack.ctx, user, { until: new Date(Date.now() + 60_000) })
      return (await set(id, 'until = NULL')) && [id]
    },
    'another endpoint': async (user) => {
      const id = await standingFor(stack.ctx, user, { endpoint: 'send_listings_to_contact' })
      return (await set(id, `endpoint = 'reply_to_contact'`)) && [id]
    },
    'another account of the same owner': async (user) => {
      const id = await standingFor(stack.ctx, user)
      return (await set(id, 'account = $2', user.accounts[1]?.id)) && [id, account(user, 1)]
    },
    'the standing approval of a stranger, made the user’s': async (user) => {
      const id = await standingFor(stack.ctx, await stack.user())
      return (await set(id, 'owner = $2, account = $3', user.id, user.account.id)) && [id]
    },
    'a version that it was not made for': async (user) => {
      const id = await standingFor(stack.ctx, user)
      return (await set(id, `definition_version = 'older'`)) && [id]
    },
    'another moment': async (user) => {
      const id = await standingFor(stack.ctx, user)
      return (await set(id, `created_at = created_at + interval '1 second'`)) && [id]
    },
    'a copy under another id': async (user) => {
      const id = await standingFor(stack.ctx, user)
      const copy = `sta_${'0'.repeat(26)}`
      await stack.ctx.db.query(
        `INSERT INTO standing_approvals SELECT $2, owner, account, app, endpoint, definition_version, per_day, field, allowed, until,
           created_at, revoked_at, proof FROM standing_approvals WHERE id = $1`,
        [id, copy],
      )
      await revokeStanding(stack.ctx, user.id, id)
      return [copy]
    },
    'the proof of another one': async (user) => {
      const id = await standingFor(stack.ctx, user, { perDay: 1 })
      const other = await standingFor(stack.ctx, user, { perDay: 2 })
      await set(id, 'proof = (SELECT proof FROM standing_approvals WHERE id = $2)', other)
      await revokeStanding(stack.ctx, user.id, other)
      return [id]
    },
    'a made-up proof': async (user) => {
      const id = await standingFor(stack.ctx, user)
      return (await set(id, `proof = 'k1.' || repeat('A', 43)`)) && [id]
    },
    'a proof by a key of nobody': async (user) => [await standingFor(withKeys('k9'), user)],
    'a proof by another key of the same name': async (user) => {
      const secrets = { ...stack.ctx.secrets, approval: new Map([['k1', randomBytes(32)]]) }
      return [await standingFor({ ...stack.ctx, secrets }, user)]
    },
    'a revoked one that is put back': async (user) => {
      const id = await standingFor(stack.ctx, user)
      await revokeStanding(stack.ctx, user.id, id)
      return (await set(id, `revoked_at = NULL, proof = 'k1.'`)) && [id]
    },
  }

  it.for(Object.keys(changes))('%s: the call waits for the person, and the page says so', async (name) => {
    const user = await stack.user({ accounts: ['agency', 'agency'] })
    const contact = await firstContact(user, account(user))
    const [id, headers = account(user)] = (await changes[name]?.(user, contact)) ?? ['']
    const to = name === 'another account of the same owner' ? await firstContact(user, account(user, 1)) : contact
    const input = { contact_id: to, message: 'As it is.' }
    const answer = await user.call('reply_to_contact', input, { ...headers })
    expect(answer).toMatchObject({ status: 202, body: { status: 'awaiting_confirmation' } })
    for (const { seeded } of user.accounts) expect(await stack.sandbox.effects(seeded.account)).toEqual([])
    const person = await user.person()
    const page = await person.get(`/standing/${id}`)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('not valid any more')
    const confirm = await (await person.get(`/confirm/${String(answer.body['call_id'])}`)).text()
    expect(confirm).toContain('it is not valid any more.')
  })

  it('stands with an earlier key that is still there, and ends when that key is gone', async () => {
    const user = await stack.user()
    const row = await rowOf(user.id, await standingFor(stack.ctx, user))
    expect(stateOf(withKeys('k1', 'k2'), row)).toBe('stands')
    expect(stateOf(withKeys('k2'), row)).toBe('invalid')
  })

  const ends: Readonly<Record<string, (call: Queued) => Promise<unknown>>> = {
    'no proof': ({ callId }) => setCall(callId, 'approval_proof = NULL'),
    'a made-up proof': ({ callId }) => setCall(callId, `approval_proof = 'k1.' || repeat('A', 43)`),
    'another input, sealed with the right key': async ({ callId, user, contact, standing }) => {
      const { data_key: dataKey } = await rowOf(user.id, standing)
      const place = { callId, owner: user.id, account: user.account.id, dataKey }
      const input = { contact_id: contact, message: 'As never asked.' }
      return setCall(callId, 'input = $2', sealPayload(stack.ctx.secrets, place, 'input', input))
    },
    'another standing approval as what decided': async ({ callId, user }) =>
      setCall(callId, 'decided_by = $2', await standingFor(stack.ctx, user, { perDay: 7 })),
    'one that never was': ({ callId }) => setCall(callId, `decided_by = 'sta_' || repeat('0', 26)`),
    'the person as who decided': ({ callId, user }) => setCall(callId, 'decided_by = $2', user.id),
    'a larger budget': ({ standing }) => set(standing, 'per_day = 100'),
    'a revocation past the calls': ({ standing }) => set(standing, 'revoked_at = now(), proof = NULL'),
    'its row gone to somebody else': async ({ standing }) => set(standing, 'owner = $2', (await stack.user()).id),
  }

  interface Queued {
    readonly user: TestUser
    readonly contact: string
    readonly standing: string
    readonly callId: string
  }

  const setCall = (callId: string, columns: string, ...values: unknown[]) =>
    stack.ctx.db.query(`UPDATE calls SET ${columns} WHERE id = $1`, [callId, ...values])

  it('any change between the acceptance and the send: nothing is sent, nothing is charged', async () => {
    const people: (readonly [string, TestUser, string])[] = []
    for (const name of Object.keys(ends)) {
      const user = await stack.user()
      people.push([name, user, await firstContact(user)])
    }
    const queued: (readonly [string, Queued])[] = []
    await setAppPaused(stack.ctx, app, true, 'operator')
    try {
      for (const [name, user, contact] of people) {
        const standing = await standingFor(stack.ctx, user, { perDay: 3 })
        const input = { contact_id: contact, message: 'As asked.' }
        const { body } = await user.call('reply_to_contact', input, { Prefer: 'wait=0' })
        expect(body).toMatchObject({ status: 'running' })
        const call = { user, contact, standing, callId: String(body['call_id']) }
        await ends[name]?.(call)
        queued.push([name, call])
      }
    } finally {
      await setAppPaused(stack.ctx, app, false, 'operator')
    }
    for (const [name, { user, callId }] of queued) {
      const { status } = await user.record(callId, 20)
      expect({ name, status }).toEqual({ name, status: expect.stringMatching(/^(failed|cancelled)$/) })
      expect(await stack.sandbox.effects(user.account.seeded.account)).toEqual([])
      expect(await balancedLedger(stack.ctx, user.id)).toEqual({ captured: 1, reserved: 0 })
    }
  })

  it('a waiting call that is marked as approved by a standing approval is not sent', async () => {
    const user = await stack.user()
    const contact = await firstContact(user)
    const { body } = await user.call('reply_to_contact', { contact_id: contact, message: 'Before it' })
    const standing = await standingFor(stack.ctx, user)
    await stack.ctx.db.query(`SELECT decide_call($1, 'approved', $2, NULL, NULL, NULL, false, NULL)`, [
      body['call_id'],
      standing,
    ])
    expect(await user.record(body['call_id'], 20)).toMatchObject({ status: 'failed', error: { error: 'internal' } })
    expect(await stack.sandbox.effects(user.account.seeded.account)).toEqual([])
  })
})
