import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Came } from '../agent.ts'
import type { World } from '../real-app.ts'

const event = { event_id: 'linden/sommer' }
const one = (order_id: string, more: object = {}) => ({ ...event, order_id, ...more })

/** Everything that must hold for pretix, its connector and Callgate. */
export async function story(world: World): Promise<void> {
  const log = (line: string): void => world.log(line)
  await reads(world)
  log('read over HTTP and MCP')
  await wholeForm(world)
  await rejected(world)
  await asked(world)
  await refused(world)
  log('wrote, and let a person decide')
  await trusted(world)
  log('wrote without asking what an operator trusts')
  await expired(world)
  log('signed in again')
  await changed(world)
  log('told what has changed in pretix')
}

async function reads({ app, agent }: World): Promise<void> {
  const { events } = await agent.read('list_events')
  assert.deepEqual(
    field(events, 'event_id'),
    ['linden/sommer', 'linden/lesung'],
    'list_events tells the events of the house',
  )
  const first = await agent.read('list_orders', event)
  const rest = await agent.read('list_orders', { cursor: first['next_cursor'] })
  assert.equal(rest['next_cursor'], null, 'two pages are all')
  const codes = app.rows(`SELECT o.code FROM pretixbase_order o JOIN pretixbase_event e ON e.id = o.event_id
    WHERE e.slug = 'sommer' ORDER BY o.datetime DESC`)
  assert.deepEqual(
    [...field(first['orders'], 'order_id'), ...field(rest['orders'], 'order_id')],
    field(codes, 'code'),
    'list_orders tells every order of the database once',
  )
  const order = await agent.read('get_order', one('SOMAB'))
  assert.partialDeepStrictEqual(order, {
    status: 'pending',
    total: '49.00',
    comment: 'Asked for an aisle seat.',
    follow_up: '2031-05-04',
    positions: [{ attendee_name: 'Brigid O’Hara', price: '24.50' }, { number: 2 }],
  })
  const none = await agent.call('get_order', one('NOPEX'))
  assert.deepEqual([none.to, detail(none)], ['app_rejected', 'not_found'])

  const figures = await agent.use('get_event', event)
  assert.partialDeepStrictEqual(figures.body, { name: 'Sommerkonzert', revenue: '672.50', currency: 'EUR' })
  const [list] = await rowsOf(agent.use('list_check_in_lists', event), 'check_in_lists')
  assert.partialDeepStrictEqual(list, { name: 'Doors', checked_in: 1, expected: 30 })
  const here = { ...event, check_in_list_id: String(list?.['check_in_list_id']), status: 'here' }
  assert.deepEqual(field(await rowsOf(agent.use('list_attendees', here), 'attendees'), 'name'), ['Ada Özdemir'])
  assert.deepEqual(field(await rowsOf(agent.use('list_vouchers', event), 'vouchers'), 'voucher_id'), [
    'FRIENDS10',
    'PRESS-2031',
  ])
}

/** Of four form fields, one is set: the approver sees the others, and they keep their values. */
async function wholeForm({ app, agent, person }: World): Promise<void> {
  const { callId } = await asking(agent.call('comment_order', one('SOMAB', { comment: 'Aisle <seat>.\nTwo — Ünï.' })))
  const page = await person.sees(callId)
  for (const words of [
    'Asked for an aisle seat.',
    'Aisle <seat>.',
    'Bring the folding ramp.',
    'guest.somab@mail.example',
  ])
    assert.ok(page.includes(words), `the confirm page shows ${words}:\n${page}`)
  await person.approve(callId)
  await ended(agent, callId, 'executed')
  assert.partialDeepStrictEqual(orderIn(app, 'SOMAB'), {
    comment: 'Aisle <seat>.\r\nTwo — Ünï.',
    checkin_text: 'Bring the folding ramp.',
    checkin_attention: 1,
    custom_followup_at: '2031-05-04',
  })
}

async function rejected({ app, agent, person }: World): Promise<void> {
  const before = orderIn(app, 'SOMAE')
  const { callId } = await asking(agent.call('cancel_order', one('SOMAE', { message: 'Rained off.' })))
  await person.reject(callId)
  await ended(agent, callId, 'rejected')
  assert.deepEqual(orderIn(app, 'SOMAE'), before, 'a rejected call changes nothing')
  assert.deepEqual(lettersTo(app, 'guest.somae@mail.example'), [])
}

async function asked({ app, agent, person }: World): Promise<void> {
  const approved = async (came: Promise<Came>): Promise<void> => {
    const { callId } = await asking(came)
    await person.approve(callId)
    await ended(agent, callId, 'executed')
  }
  await approved(agent.use('mark_order_paid', one('SOMAB')))
  assert.equal(orderIn(app, 'SOMAB')['status'], 'p')
  assert.deepEqual(lettersTo(app, 'guest.somab@mail.example'), ['Payment received for your order: SOMAB'])

  const mail = { subject: 'Doors & times', message: 'Hello,\n\n*doors* open at six: {url}' }
  await approved(agent.call('send_order_email', one('SOMAD', mail)))
  assert.deepEqual(lettersTo(app, 'guest.somad@mail.example'), [mail.subject])
  const [sent] = await rowsOf(agent.use('list_order_emails', one('SOMAD')), 'emails')
  assert.partialDeepStrictEqual(sent, { to: 'guest.somad@mail.example', subject: mail.subject })

  await approved(agent.call('cancel_order', one('SOMBC', { message: 'Rained off.', tell_customer: false })))
  assert.equal(orderIn(app, 'SOMBC')['status'], 'c')
  assert.deepEqual(lettersTo(app, 'guest.sombc@mail.example'), [])

  await approved(agent.call('approve_order', { event_id: 'linden/lesung', order_id: 'LESAA' }))
  assert.partialDeepStrictEqual(orderIn(app, 'LESAA'), { status: 'p', require_approval: 0 })

  const voucher = { code: 'SUMMER-2031', max_usages: 5, price_effect: 'percent', value: '15.00', product_id: '1' }
  await approved(agent.use('create_voucher', { ...event, ...voucher }))
  assert.deepEqual(
    app
      .rows(`SELECT code, max_usages, price_mode, item_id FROM pretixbase_voucher WHERE code LIKE 'SUMMER%'`)
      .map(plain),
    [{ code: 'SUMMER-2031', max_usages: 5, price_mode: 'percent', item_id: 1 }],
  )
}

/** pretix refuses in its own words, and nothing changed. */
async function refused({ app, agent, person }: World): Promise<void> {
  const again = await asking(agent.call('create_voucher', { ...event, code: 'SUMMER-2031' }))
  await person.approve(again.callId)
  const record = await ended(agent, again.callId, 'failed')
  assert.partialDeepStrictEqual(record['error'], { error: 'app_rejected' })
  assert.ok(JSON.stringify(record).includes('A voucher with this code already exists.'))
  assert.equal(app.rows(`SELECT id FROM pretixbase_voucher WHERE code LIKE 'SUMMER%'`).length, 1)

  // No approval request for an action that pretix no longer offers.
  const paid = await agent.call('mark_order_paid', one('SOMAB'))
  assert.deepEqual([paid.to, detail(paid)], ['app_rejected', 'not_possible_now'])
}

async function trusted(world: World): Promise<void> {
  const { app, agent } = world
  await world.connector('trust', 'pretix', 'set_quota_size')
  const size = async (wanted: number): Promise<string> =>
    (await agent.call('set_quota_size', { ...event, quota_id: '1', size: wanted })).to
  // Processes notice it within seconds.
  for (let tries = 0; (await size(130)) !== 'executed'; tries++) {
    assert.ok(tries < 20, 'what is trusted asks no more')
    await pause(500)
  }
  const [quota] = app.rows('SELECT name, size, release_after_exit FROM pretixbase_quota WHERE id = 1')
  assert.deepEqual({ ...quota }, { name: 'Seats', size: 130, release_after_exit: 0 })
  const [item] = app.rows('SELECT count(*) AS many FROM pretixbase_quota_items WHERE quota_id = 1')
  assert.equal(item?.['many'], 1, 'the products of the quota stay')
}

/** Reads report the expired session; an approved call waits for the new sign-in, then runs. */
async function expired(world: World): Promise<void> {
  const { app, agent, person } = world
  const { callId } = await asking(agent.call('resend_order_link', one('SOMBB')))
  app.rows('DELETE FROM django_session')
  assert.equal((await agent.call('list_quotas', event)).to, 'AUTH_EXPIRED')
  await person.approve(callId)
  assert.equal((await agent.record(callId))['waiting_for'], 'reconnect')
  assert.deepEqual(lettersTo(app, 'guest.sombb@mail.example'), [])
  assert.equal(await world.signIn(), world.account, 'it is the same account')
  await ended(agent, callId, 'executed')
  assert.deepEqual(lettersTo(app, 'guest.sombb@mail.example'), ['Your order: SOMBB'])
  await agent.read('list_quotas', event)
}

/** A changed template is reported as such, never as an empty success. */
async function changed({ app, agent }: World): Promise<void> {
  const during = async (template: string, text: string, other: string, look: () => Promise<void>): Promise<void> => {
    const back = await app.changeTemplate(`pretixcontrol/${template}`, text, other)
    try {
      await look()
    } finally {
      await back()
    }
  }
  const isTold = async (endpoint: string, input: object): Promise<void> => {
    assert.equal((await agent.call(endpoint, input)).to, 'app_changed', `${endpoint} tells that pretix has changed`)
  }
  await during('orders/index.html', 'tbody', 'tfoot', () => isTold('list_orders', event))
  await during('order/index.html', 'Contact email', 'Address', () => isTold('get_order', one('SOMAD')))
  const before = orderIn(app, 'SOMAD')
  await during(
    'order/index.html',
    '{% bootstrap_field comment_form.checkin_text',
    '{% comment %}{% endcomment %}{# ',
    () => isTold('comment_order', one('SOMAD', { comment: 'Nothing.' })),
  )
  assert.deepEqual(orderIn(app, 'SOMAD'), before, 'a form that has changed is not sent')
  await agent.read('get_order', one('SOMAD'))
}

/** A call that awaits approval. */
async function asking(came: Promise<Came>): Promise<Came> {
  const call = await came
  assert.equal(call.to, 'awaiting_confirmation', JSON.stringify(call.body))
  return call
}

async function ended(agent: World['agent'], callId: string, status: string) {
  const record = await agent.record(callId)
  assert.equal(record['status'], status, JSON.stringify(record))
  return record
}

function orderIn(app: World['app'], code: string): Readonly<Record<string, unknown>> {
  const found = app.rows('SELECT * FROM pretixbase_order WHERE code = ?', code)
  assert.equal(found.length, 1)
  const { last_modified: _, ...order } = plain(found[0])
  return order
}

/** Subjects of the emails that pretix sent to an address. */
function lettersTo(app: World['app'], address: string): readonly unknown[] {
  const wanted = JSON.stringify([address])
  return field(
    app.rows(`SELECT subject FROM pretixbase_outgoingmail WHERE "to" = ? AND status = 'sent'`, wanted),
    'subject',
  )
}

type Fields = Readonly<Record<string, unknown>>

const plain = (value: unknown): Fields => (typeof value === 'object' && value !== null ? { ...value } : {})

function field(list: unknown, name: string): readonly unknown[] {
  assert.ok(Array.isArray(list))
  return list.map((each: unknown) => plain(each)[name])
}

async function rowsOf(came: Promise<Came>, name: string): Promise<readonly Fields[]> {
  const { to, body } = await came
  assert.equal(to, 'executed', JSON.stringify(body))
  const list = body[name]
  assert.ok(Array.isArray(list))
  return list.map(plain)
}

/** The app's own code for a refusal. */
function detail({ body }: Came): unknown {
  return body['app_code'] ?? plain(body['details'])['app_code']
}
