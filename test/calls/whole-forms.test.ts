import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connect } from '../../core/accounts/sessions.ts'
import { setConfirm } from '../../core/accounts/settings.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { startDesk } from '../support/desk.ts'
import type { Desk, Order } from '../support/desk.ts'
import type { TestUser } from '../support/user.ts'

describe('a form that is sent whole', () => {
  let stack: Stack
  let desk: Desk
  let user: TestUser
  let first: Order
  beforeAll(async () => {
    desk = await startDesk()
    first = desk.order
    stack = await startStack({ connectors: { desk: { spec: desk.spec } } })
  })
  afterAll(async () => {
    await stack.stop()
    await desk[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    Object.assign(desk, { order: first, more: '', without: undefined, limits: '', reads: 0 })
    desk.posted.length = 0
    user = await stack.user({ accounts: [] })
    const session = { cookies: [], user_agent: null }
    await connect(stack.ctx, { owner: user.id, app: 'desk', externalId: 'd', label: 'Desk', session })
  })

  const input = { order: '7', text: 'New.\nAnd more.' }

  async function asked(more: object = {}): Promise<string> {
    const answer = await user.send('POST', '/desk/comment_order', { ...input, ...more })
    expect([answer.status, answer.body['status']]).toEqual([202, 'awaiting_confirmation'])
    return String(answer.body['call_id'])
  }

  const pageOf = async (callId: string): Promise<string> => {
    const html = await (await (await user.person()).get(`/confirm/${callId}`)).text()
    return html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
  }

  const standsAt = (callId: string) =>
    expect.poll(
      async () =>
        (
          await stack.ctx.db.query<{ at: string }>(`SELECT status || ' ' || round AS at FROM calls WHERE id = $1`, [
            callId,
          ])
        ).rows[0]?.at,
      { timeout: 120_000 },
    )

  it('keeps what nobody set, and shows the person what changes, and from what', async () => {
    const callId = await asked()
    await user.approve(callId).then(({ status }) => expect(status).toBe(303))
    expect(await user.record(callId, 20)).toMatchObject({ status: 'executed', output: { order: '7' } })
    expect(desk.order).toEqual({ ...first, comment: 'New.\r\nAnd more.', checkin_text: 'Ask for the dog.\r\nTwice.' })
    expect(desk.posted).toEqual([
      'csrf=*&nonce=*&comment=New.%0D%0AAnd+more.&checkin_text=Ask+for+the+dog.%0D%0ATwice.&checkin_attention=on&follow_up=2026-12-01&via=mail&tags=vip&save=1',
    ])
    const page = await pageOf(callId)
    expect(page).toContain('Comment From Old. To New. And more. Kept as they are')
    for (const kept of [
      'Check-in text Ask for the dog.',
      'Attention yes',
      'Follow up 2026-12-01',
      'Answer by Letter',
      'Tags Important',
    ])
      expect(page).toContain(kept)
    expect(page).toContain('The button Save is pressed')
    // Where a value comes from that is filled in; never the value.
    expect(page).toContain('nonce = [filled in when sent: ')
  })

  it('reads the page of form, token and nonce once before the approval, and once before it is sent', async () => {
    const callId = await asked()
    await pageOf(callId)
    expect(desk.reads).toBe(1)
    await user.approve(callId)
    expect(await user.record(callId, 20)).toMatchObject({ status: 'executed' })
    expect(desk.reads).toBe(2)
  })

  it.each<[string, object, string, string]>([
    ['a checkbox', { attention: false }, 'follow_up=2026-12-01&via=mail&tags=vip', 'Attention From yes To no'],
    [
      'radio buttons',
      { via: 'tel' },
      'checkin_attention=on&follow_up=2026-12-01&via=tel&tags=vip',
      'Answer by From Letter sent as mail To Telephone sent as tel',
    ],
    [
      'a list',
      { tags: ['late', 'vip'] },
      'via=mail&tags=late&tags=vip',
      'Tags From Important sent as vip To Late sent as late Important sent as vip',
    ],
    ['no entry of a list', { tags: [] }, 'via=mail&save=1', 'Tags From Important sent as vip To none'],
  ])('sets %s', async (_what, more, body, words) => {
    const callId = await asked(more)
    expect(await pageOf(callId)).toContain(words)
    await user.approve(callId)
    expect(await user.record(callId, 20)).toMatchObject({ status: 'executed' })
    expect(desk.posted.join()).toContain(body)
  })

  it('asks again when the rest has changed in the app since, and then sends that', async () => {
    const callId = await asked()
    const old = await (await user.person()).confirmForm(callId)
    desk.order = { ...desk.order, checkin_text: 'No dog.' }
    await user.approve(callId)
    await standsAt(callId).toBe('awaiting_confirmation 2')
    expect(desk.posted).toEqual([])
    expect(await user.record(callId)).toMatchObject({ asked_again: 1 })
    expect(await pageOf(callId)).toContain('Check-in text When you approved Ask for the dog. Twice. Now No dog.')
    const late = await (await user.person()).post(`/confirm/${callId}`, { ...old, decision: 'approve' })
    expect(late.status).toBe(409)
    await user.approve(callId)
    expect(await user.record(callId, 20)).toMatchObject({ status: 'executed', asked_again: 1 })
    expect(desk.order).toMatchObject({ comment: 'New.\r\nAnd more.', checkin_text: 'No dog.' })
  })

  it('makes the request anew when the person is asked again for what was shown, so that they are asked once', async () => {
    const answer = await user.send('POST', '/desk/comment_shown_order', input)
    const callId = String(answer.body['call_id'])
    await expect.poll(() => pageOf(callId)).toContain('Ask for the dog')
    await expect.poll(() => pageOf(callId)).toContain('Reject Comment on an order')
    await stack.ctx.db.query(`UPDATE calls SET previewed_at = previewed_at - interval '2 minutes' WHERE id = $1`, [
      callId,
    ])
    desk.order = { ...desk.order, checkin_text: 'No dog.' }
    await user.approve(callId)
    await standsAt(callId).toBe('awaiting_confirmation 2')
    await expect.poll(() => pageOf(callId)).toContain('Reject Comment on an order')
    expect(desk.posted).toEqual([])
    await user.approve(callId)
    expect(await user.record(callId, 20)).toMatchObject({ status: 'executed', asked_again: 1 })
    expect(desk.order).toMatchObject({ comment: 'New.\r\nAnd more.', checkin_text: 'No dog.' })
  })

  it('asks again when what it replaces has changed, and gives up after three rounds', async () => {
    const callId = await asked()
    for (const round of [2, 3]) {
      desk.order = { ...desk.order, comment: `Changed before round ${round}.` }
      await user.approve(callId)
      await standsAt(callId).toBe(`awaiting_confirmation ${round}`)
    }
    desk.order = { ...desk.order, comment: 'Changed once more.' }
    await user.approve(callId)
    expect(await user.record(callId, 20)).toMatchObject({ status: 'failed', error: { error: 'changed_since' } })
    expect(desk.posted).toEqual([])
  })

  it('keeps, sends and shows a field that is new', async () => {
    desk.more = '<label>Colour <input name="colour" value="blue"></label><input type="hidden" name="page" value="3">'
    const callId = await asked()
    const page = await pageOf(callId)
    expect(page).toContain('Colour blue')
    expect(page).toContain('1 field that the page does not show')
    desk.more = desk.more.replace('blue', 'green')
    await user.approve(callId)
    await standsAt(callId).toBe('awaiting_confirmation 2')
    await user.approve(callId)
    expect(await user.record(callId, 20)).toMatchObject({ status: 'executed' })
    expect(desk.posted.join()).toContain('&colour=green&page=3&save=1')
  })

  const other: [string, Partial<Desk>][] = [
    ['a field that is set and gone', { without: /<textarea id="c".*?<\/textarea>/ }],
    ['a field that is known and gone', { without: /<input type="date"[^>]*>/ }],
    ['a volatile field that is gone', { without: /<input type="hidden" name="nonce"[^>]*>/ }],
    ['the button that is gone', { without: /<button.*button>/ }],
    ['a field that is new, empty and must be filled in', { more: '<input name="why" required>' }],
    [
      'a field that is new and must be filled in, with a default',
      { more: '<select name="why" required><option value=a>A</select>' },
    ],
    ['a file that must be given', { more: '<input type="file" name="scan" required>' }],
  ]

  it.each(other)('is not sent, and nobody is asked, with %s', async (_what, change) => {
    Object.assign(desk, change)
    const answer = await user.send('POST', '/desk/comment_order', input)
    expect(answer.body).toMatchObject({ error: 'app_changed' })
    expect(desk.posted).toEqual([])
  })

  it.each(other)('is not sent after an approval with %s', async (_what, change) => {
    const callId = await asked()
    await pageOf(callId)
    Object.assign(desk, change)
    await user.approve(callId)
    expect(await user.record(callId, 20)).toMatchObject({
      status: 'failed',
      error: { error: 'app_changed' },
      credits_used: 0,
    })
    expect(desk.posted).toEqual([])
  })

  const refused = (message: string) => ({
    error: 'app_rejected',
    app_code: 'FORM_REFUSED',
    app_message: message,
    message: `Callgate refused this itself, by the app's own form, and sent nothing: ${message}`,
  })
  const tooLong = refused('Give "text" with at most 5 characters: the app\'s form takes nothing else.')

  it('is refused, and nobody is asked, where its page does not let people send it so', async () => {
    const answer = await user.send('POST', '/desk/comment_order', { ...input, via: 'fax' })
    expect([answer.status, answer.body]).toEqual([
      422,
      expect.objectContaining(refused('Give "via" as one of "mail", "tel": the app\'s form takes nothing else.')),
    ])
    desk.limits = 'maxlength="5"'
    const long = await user.send('POST', '/desk/comment_order', input)
    expect([long.status, long.body]).toEqual([422, expect.objectContaining(tooLong)])
    expect(desk.posted).toEqual([])
  })

  it('fails before its first byte where its page has become stricter since the approval', async () => {
    const callId = await asked()
    await pageOf(callId)
    desk.limits = 'maxlength="5"'
    await user.approve(callId)
    expect(await user.record(callId, 20)).toMatchObject({ status: 'failed', error: tooLong, credits_used: 0 })
    expect(desk.posted).toEqual([])
  })

  it('is refused by its page where nobody is asked', async () => {
    await setConfirm(stack.ctx, user.id, 'desk', 'comment_order', { confirm: false })
    desk.limits = 'maxlength="5"'
    const answer = await user.send('POST', '/desk/comment_order', input)
    expect([answer.status, answer.body]).toEqual([422, expect.objectContaining(tooLong)])
    expect(desk.posted).toEqual([])
  })

  it('is filled in when it is sent, where nobody is asked', async () => {
    await setConfirm(stack.ctx, user.id, 'desk', 'comment_order', { confirm: false })
    const answer = await user.send('POST', '/desk/comment_order', input)
    expect([answer.status, answer.body]).toEqual([200, { order: '7' }])
    expect(desk.reads).toBe(1)
    expect(desk.order).toMatchObject({ comment: 'New.\r\nAnd more.', follow_up: '2026-12-01' })
  })
})
