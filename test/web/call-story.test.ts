import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit } from '../../core/audit.ts'
import { keep, keepFirst } from '../../core/calls/findings.ts'
import { findCall } from '../../core/calls/rows.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import { askFor, makeOwner, startTestSite } from './site.ts'
import type { Owner, TestSite } from './site.ts'
import { visitorOf } from './visitor.ts'

let site: TestSite
let owner: Owner
beforeAll(async () => {
  site = await startTestSite()
  owner = await makeOwner(site.ctx)
})
afterAll(() => site.stop())

async function rowOf(id: string): Promise<CallRow> {
  const row = await findCall(site.ctx.db, owner.id, id)
  if (row === undefined) throw new Error('no call')
  return row
}

/** The steps of the call's page, without their times. */
async function story(id: string, who = owner): Promise<readonly string[]> {
  const { text } = await (await visitorOf(site, who)).get(`/calls/${id}`)
  const list = /<ol class="timeline"[^>]*>([^]*?)<\/ol>/.exec(text)?.[1] ?? ''
  return [...list.matchAll(/<\/span> ([^]*?)<\/li>/g)].map(([, step = '']) =>
    step.replaceAll(/<[^>]*>/g, '').replaceAll(/[\d,]+ (ms|seconds)/g, 'N $1'),
  )
}

test('everything that people did about a call stands in its story, in order, and nothing of other calls', async () => {
  const { db } = site.ctx
  const id = await askFor(site.ctx, owner)
  const another = await askFor(site.ctx, owner, { subject: 'Another' })
  const stranger = await makeOwner(site.ctx)
  await db.query(`UPDATE calls SET previewed_at = clock_timestamp() WHERE id = $1`, [id])
  await db.query(
    `WITH target AS (
       INSERT INTO notice_targets (id, owner, channel, kinds) VALUES ('ntg_story', $1, 'email', '{call.waiting}') RETURNING id)
     INSERT INTO notices (id, owner, target, kind, call_id, state, ended_at, check_at)
     SELECT 'ntc_' || call, $1, target.id, 'call.waiting', call, state, clock_timestamp(), NULL
     FROM target, (VALUES ($2, 'delivered'), ($3, 'failed')) AS told(call, state)`,
    [owner.id, id, another],
  )
  const done = (actor: string, action: string, detail: object) => audit(db, actor, action, detail)
  await done(owner.id, 'call.changed', { call: id, changed: ['$.subject', '$.body'] })
  await done(owner.id, 'call.changed', { call: another, changed: ['$.subject'] })
  await done('olga', 'app.paused', { app: 'letters', paused: true })
  await done('olga', 'app.paused', { app: 'crm', paused: true })
  await done('olga', 'app.paused', { app: 'letters', paused: false })
  await done('olga', 'endpoint.paused', { app: 'letters', endpoint: 'write_letter', paused: true })
  await done('olga', 'endpoint.paused', { app: 'letters', endpoint: 'list_letters', paused: true })
  await done('olga', 'endpoint.paused', { app: 'letters', endpoint: 'write_letter', paused: false })
  await done('olga', 'pause.lifted', { account: owner.account, endpoint: 'write_letter' })
  await done(owner.id, 'pause.lifted', { account: owner.account, endpoint: 'write_letter' })
  await done(stranger.id, 'pause.lifted', { account: stranger.account, endpoint: 'write_letter' })
  await done(owner.id, 'account.connected', { account: owner.account, app: 'letters' })
  await done(stranger.id, 'account.connected', { account: stranger.account, app: 'letters' })
  await db.query(
    `UPDATE calls SET status = 'running', decision = 'approved', decided_by = owner, decided_at = clock_timestamp() WHERE id = $1`,
    [id],
  )
  await db.query(`SELECT settle_call($1, NULL, 'executed', NULL, NULL, NULL)`, [id])
  await db.query(`SELECT refund_call($1, 'goodwill')`, [id])
  // After its end.
  await done(owner.id, 'account.connected', { account: owner.account, app: 'letters' })
  expect(await story(id)).toEqual([
    'Requested with the key Club assistant',
    '3 credits set aside',
    'Details looked up in Letters',
    'You were told by email that it waits',
    'You changed what it says, in 2 places',
    'The operator paused Letters',
    'The operator let Letters go on',
    'The operator paused this action',
    'The operator let this action go on',
    'The operator asked for another try',
    'You asked for another try',
    'You signed in to Letters again',
    'Approved by you, after waiting N ms',
    'Ended: done',
    '3 credits charged',
    '3 credits refunded by an operator',
  ])
})

test('one that an operator took back says why, in their words as text', async () => {
  const id = await askFor(site.ctx, owner, { subject: 'Taken back' })
  await site.ctx.db.query(`SELECT decide_call($1, 'cancelled', 'operator:olga', NULL, NULL, NULL, false, NULL)`, [id])
  await site.ctx.db.query(`UPDATE calls SET updated_at = clock_timestamp() + interval '1 second' WHERE id = $1`, [id])
  await audit(site.ctx.db, 'olga', 'call.cancelled', { owner: owner.id, call: id, reason: '<b>twice</b>' })
  const told = await story(id)
  expect(told.some((step) => step.includes('The operator took it back: &lt;b>twice&lt;/b>'))).toBe(true)
  expect(told).toContain('Cancelled by the operator, after waiting N ms')
})

test('one that ended unknown tells what was looked for, found and recorded', async () => {
  const ended = async (subject: string): Promise<CallRow> => {
    const id = await askFor(site.ctx, owner, { subject })
    await site.ctx.db.query(
      `UPDATE calls SET status = 'running', decision = 'approved', decided_by = owner, decided_at = clock_timestamp() WHERE id = $1`,
      [id],
    )
    await site.ctx.db.query(`SELECT settle_call($1, NULL, 'unknown', NULL, NULL, NULL)`, [id])
    return rowOf(id)
  }
  const alone = await ended('Looked at once')
  await keepFirst(site.ctx, alone, { kind: 'nothing' })
  expect((await story(alone.id)).at(-1)).toBe('Looked for in Letters: nothing that fits, which proves nothing')

  const asked = await ended('Looked when asked')
  await site.ctx.db.query('INSERT INTO findings (call_id) VALUES ($1)', [asked.id])
  expect((await story(asked.id)).at(-1)).toBe('You had Callgate look for it in Letters')
  await keep(site.ctx, asked, { kind: 'found', count: 2, things: [] })
  await site.ctx.db.query(
    `UPDATE calls SET resolution = jsonb_build_object('happened', true, 'by', 'olga', 'at', clock_timestamp()) WHERE id = $1`,
    [asked.id],
  )
  expect((await story(asked.id)).slice(-3)).toEqual([
    'You had Callgate look for it in Letters',
    'Found: 2 things that fit',
    'Recorded by the operator: it did happen',
  ])
})
