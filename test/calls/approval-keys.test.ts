import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setEndpointPaused } from '../../core/operators/pauses.ts'
import { approvalKeys } from '../../core/secrets/approval-keys.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import { askAsOperator } from '../support/operator.ts'

describe('an approval key that another one has followed', () => {
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack()
  })
  afterAll(() => stack.stop())

  const pause = (paused: boolean) =>
    setEndpointPaused(stack.ctx, { app: 'property-advertising', endpoint: 'reply_to_contact', paused }, 'operator:ann')
  const ring = () => stack.ctx.secrets.approval as Map<string, Buffer>
  const used = (id: string) => async () => (await approvalKeys(stack.ctx)).find((key) => key.id === id)

  it('verifies what it signed for as long as a call needs it, however long ago that was, and is then told to be free', async () => {
    const user = await stack.user()
    const [first = ''] = ring().keys()
    const contact_id = await firstContact(user)
    const ask = async (message: string) =>
      String((await user.call('reply_to_contact', { contact_id, message }, { Prefer: 'wait=0' })).body['call_id'])
    const [approved, shown] = [await ask('Approved before.'), await ask('Shown before.')]
    await pause(true)
    await user.approve(approved)
    const person = await user.person()
    const form = await person.confirmForm(shown)
    expect(form.approval_hash).toMatch(`${first}.`)

    ring().set('next', randomBytes(32))
    await stack.ctx.db.query(
      `UPDATE calls SET created_at = created_at - interval '60 days', decided_at = decided_at - interval '40 days' WHERE id = $1`,
      [approved],
    )
    expect((await askAsOperator(stack, 'GET', '/keys')).body).toMatchObject({
      approval: [
        { id: first, known: true, calls: 1, standing_approvals: 0, switches: 0 },
        { id: 'next', known: true, calls: 0, standing_approvals: 0, switches: 0 },
      ],
    })
    expect((await person.post(`/confirm/${shown}`, { ...form, decision: 'approve' })).status).toBe(303)
    expect(await used('next')()).toMatchObject({ calls: 1 })

    await pause(false)
    for (const id of [approved, shown]) expect(await user.record(id, 30)).toMatchObject({ status: 'executed' })
    await expect.poll(used(first)).toMatchObject({ calls: 0, standing_approvals: 0, switches: 0 })
  })

  it('and one that is gone is named, with what still needs it', async () => {
    const user = await stack.user()
    const contact_id = await firstContact(user)
    const asked = await user.call('reply_to_contact', { contact_id, message: 'Hi.' }, { Prefer: 'wait=0' })
    await pause(true)
    await user.approve(String(asked.body['call_id']))
    ring().delete('next')
    expect(await used('next')()).toEqual({ id: 'next', known: false, calls: 1, standing_approvals: 0, switches: 0 })
  })
})
