import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { loadApps } from '../../connectors/registry.ts'
import type { App } from '../../connectors/registry.ts'
import { startExampleSandbox } from '../../scripts/examples/sandbox.ts'
import type { ExampleSandbox } from '../../scripts/examples/sandbox.ts'
import { exchanged } from './local-app.ts'
import { SandboxControl } from '../support/sandbox.ts'

type Row = Readonly<Record<string, unknown>>

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

async function call(name: string, input: unknown, user?: string): Promise<Row> {
  const { outcome } = await exchanged(sandbox, app, name, input, user)
  expect(outcome.kind, `${name} ${JSON.stringify(input)}: ${JSON.stringify(outcome).slice(0, 200)}`).toBe('ok')
  return outcome.kind === 'ok' ? outcome.output : {}
}

async function refused(name: string, input: unknown, user?: string): Promise<string> {
  const { outcome } = await exchanged(sandbox, app, name, input, user)
  return outcome.kind === 'rejected' ? outcome.appCode : outcome.kind
}

/** All items of a list, to its end. */
async function every(name: string, key: string, input: Row, between?: () => Promise<void>): Promise<Row[]> {
  const items: Row[] = []
  let cursor: unknown = null
  do {
    const page = await call(name, cursor === null ? input : { ...input, cursor })
    items.push(...(page[key] as Row[]))
    cursor = page['next_cursor'] ?? null
    await between?.()
  } while (cursor !== null)
  return items
}

const inOrder = (texts: readonly unknown[]): string[] => texts.map(String).toSorted((a, b) => (a < b ? -1 : 1))
const values = (rows: readonly Row[], key: string): unknown[] => rows.map((row) => row[key])

describe('listings', () => {
  test('are filtered by status and operation, active ones by default', async () => {
    const listings = await every('list_listings', 'listings', { status: 'all', limit: 100 })
    expect(listings.length).toBeGreaterThanOrEqual(60)
    const active = await every('list_listings', 'listings', {})
    expect(new Set(values(active, 'status'))).toEqual(new Set(['active']))
    const inactive = await every('list_listings', 'listings', { status: 'inactive' })
    expect(new Set(values(inactive, 'status'))).toEqual(new Set(['inactive']))
    expect(active.length + inactive.length).toBe(listings.length)
    for (const operation of ['sale', 'rent']) {
      const some = await every('list_listings', 'listings', { operation, status: 'all' })
      expect(new Set(values(some, 'operation'))).toEqual(new Set([operation]))
      expect(some.length).toBe(values(listings, 'operation').filter((one) => one === operation).length)
    }
  })

  test('are paged to the end with the smallest page, none twice, none missing', async () => {
    const whole = await every('list_listings', 'listings', { limit: 100, operation: 'sale' })
    const single = await every('list_listings', 'listings', { limit: 1, operation: 'sale' })
    expect(values(single, 'listing_id')).toEqual(values(whole, 'listing_id'))
    expect(new Set(values(whole, 'listing_id')).size).toBe(whole.length)
  })

  test('show one in full, with its statistics for each period', async () => {
    const listing = await call('get_listing', { listing_id: 'CV-10094' })
    expect(listing).toMatchObject({ listing_id: 'CV-10094', operation: 'rent', currency: 'PLN', price: 2996.3 })
    const visits: unknown[] = []
    for (const period of ['7d', '30d', '90d']) {
      const stats = await call('get_listing_stats', { listing_id: 'CV-10092', period })
      expect(stats['period']).toBe(period)
      visits.push(stats['visits'])
    }
    expect(visits).toEqual([...visits].sort((a, b) => Number(a) - Number(b)))
    expect(await call('get_listing_stats', { listing_id: 'CV-10092' })).toMatchObject({
      period: '30d',
      visits: visits[1],
    })
  })

  test('change in the fields that are given, and keep the others', async () => {
    const before = await call('get_listing', { listing_id: 'CV-10094' })
    const fields = { price: 3100.5, size_m2: 40.5, features: ['lift'] }
    const answer = await call('update_listing', { listing_id: 'CV-10094', fields })
    expect(answer).toMatchObject({ listing_id: 'CV-10094', status: 'active', price: 3100.5, currency: 'PLN' })
    expect(Math.abs(Date.parse(String(answer['updated_at'])) - Date.now())).toBeLessThan(60_000)
    const after = await call('get_listing', { listing_id: 'CV-10094' })
    expect(after).toEqual({ ...before, ...fields, quality_score: after['quality_score'] })
    await call('update_listing', { listing_id: 'CV-10094', fields: { description: 'é\n"x"', rooms: 2, bathrooms: 1 } })
    expect(await call('get_listing', { listing_id: 'CV-10094' })).toMatchObject({
      description: 'é\n"x"',
      rooms: 2,
      bathrooms: 1,
      price: 3100.5,
    })
    expect((await control.effects()).length).toBe(2)
  })

  test.each([0, 0.07, 4.35, 249_999.99])('take the price %d as it is', async (price) => {
    expect(await call('update_listing', { listing_id: 'CV-10094', fields: { price } })).toMatchObject({ price })
    expect(await call('get_listing', { listing_id: 'CV-10094' })).toMatchObject({ price })
  })

  test('go off and back by an id with zeros before it, and are named by their own', async () => {
    for (const [name, status] of [
      ['deactivate_listing', 'inactive'],
      ['reactivate_listing', 'active'],
    ] as const)
      expect(await call(name, { listing_id: 'CV-0010096' })).toEqual({ listing_id: 'CV-10096', status })
  })

  test('go off the search results and back, and refuse what does not apply', async () => {
    expect(await refused('reactivate_listing', { listing_id: 'CV-10096' })).toBe('AD_ALREADY_ONLINE')
    expect(await call('deactivate_listing', { listing_id: 'CV-10096' })).toEqual({
      listing_id: 'CV-10096',
      status: 'inactive',
    })
    expect(await call('get_listing', { listing_id: 'CV-10096' })).toMatchObject({ status: 'inactive' })
    expect(await refused('deactivate_listing', { listing_id: 'CV-10096' })).toBe('AD_NOT_ONLINE')
    expect(await call('reactivate_listing', { listing_id: 'CV-10096' })).toEqual({
      listing_id: 'CV-10096',
      status: 'active',
    })
    expect(await call('get_listing', { listing_id: 'CV-10096' })).toMatchObject({ status: 'active' })
    expect((await control.effects()).length).toBe(2)
  })

  test('that were closed with their account never come back', async () => {
    const inactive = await every('list_listings', 'listings', { status: 'inactive', limit: 100 })
    const codes = new Set<string>()
    for (const listing_id of values(inactive, 'listing_id'))
      codes.add(await refused('reactivate_listing', { listing_id }))
    expect(codes).toEqual(new Set(['ok', 'AD_CLOSED_WITH_ACCOUNT']))
  })

  test.each([
    ['get_listing', { listing_id: 'CV-1' }, 'AD_NOT_FOUND'],
    ['get_listing_stats', { listing_id: 'CV-1' }, 'AD_NOT_FOUND'],
    ['deactivate_listing', { listing_id: 'CV-1' }, 'AD_NOT_FOUND'],
    ['update_listing', { listing_id: 'CV-1', fields: { price: 1 } }, 'AD_NOT_FOUND'],
    ['update_listing', { listing_id: 'CV-10094', fields: { price: 10.005 } }, 'ASKING_INVALID'],
    ['update_listing', { listing_id: 'CV-10094', fields: { price: 249_999.9999999 } }, 'ASKING_INVALID'],
    ['update_listing', { listing_id: 'CV-10094', fields: { price: 1e-7 } }, 'ASKING_INVALID'],
    ['update_listing', { listing_id: 'CV-10094', fields: { price: 1e21 } }, 'ASKING_INVALID'],
    ['update_listing', { listing_id: 'CV-10094', fields: { features: ['a', 'a'] } }, 'PERK_TWICE'],
    ['update_listing', { listing_id: 'CV-10094', fields: { rooms: -1 } }, 'NUMBER_INVALID'],
  ])('%s %j is refused', async (name, input, code) => {
    expect(await refused(name, input)).toBe(code)
    expect(await control.effects()).toEqual([])
  })

  test('of another account do not exist', async () => {
    expect(await refused('get_listing', { listing_id: 'CV-10094' }, 'stranger')).toBe('AD_NOT_FOUND')
    expect(await refused('update_listing', { listing_id: 'CV-10094', fields: { price: 1 } }, 'stranger')).toBe(
      'AD_NOT_FOUND',
    )
    expect(await refused('get_conversation', { contact_id: '10064' }, 'stranger')).toBe('THREAD_NOT_FOUND')
  })
})

describe('contacts', () => {
  test('are filtered by state, active ones by default, 50 at a time and the most recent first', async () => {
    const total: Row[] = []
    for (const state of ['active', 'unread', 'handled', 'archived']) {
      const some = await every('list_contacts', 'contacts', { state })
      expect(new Set(values(some, 'state'))).toEqual(new Set([state]))
      expect(values(some, 'updated_at')).toEqual(inOrder(values(some, 'updated_at')).toReversed())
      if (state === 'unread') expect(some.every(({ unread }) => Number(unread) > 0)).toBe(true)
      if (state === 'active') {
        const first = await call('list_contacts', {})
        expect(first['contacts']).toEqual(some.slice(0, 50))
        expect(some.length).toBeGreaterThan(50)
      }
      total.push(...some)
    }
    expect(total.length).toBeGreaterThanOrEqual(120)
    expect(new Set(values(total, 'contact_id')).size).toBe(total.length)
  })

  test('are paged to the end while conversations go on, none twice, none missing', async () => {
    const before = await every('list_contacts', 'contacts', {})
    const last = before.at(-1)?.['contact_id']
    const during = await every('list_contacts', 'contacts', {}, async () => {
      await call('reply_to_contact', { contact_id: last, message: 'Are you still looking?' })
    })
    expect(before.length).toBeGreaterThan(50)
    expect(values(during, 'contact_id')).toEqual(values(before, 'contact_id'))
    expect(values(await every('list_contacts', 'contacts', {}), 'contact_id')[0]).toBe(last)
  })

  test('are filtered by listing and by day', async () => {
    const about = await every('list_contacts', 'contacts', { listing_id: 'CV-10090', state: 'active' })
    expect(new Set(values(about, 'listing_id'))).toEqual(new Set(['CV-10090']))
    const active = await every('list_contacts', 'contacts', {})
    expect(about.length).toBeLessThan(active.length)
    const since = String(active[Math.floor(active.length / 2)]?.['updated_at']).slice(0, 10)
    const late = await every('list_contacts', 'contacts', { since })
    expect(late).toEqual(active.filter(({ updated_at }) => String(updated_at) >= since))
    expect(late.length).toBeGreaterThan(0)
    expect(late.length).toBeLessThan(active.length)
    for (const always of ['0001-01-01', '1969-12-31'])
      expect(await every('list_contacts', 'contacts', { since: always })).toEqual(active)
    expect(await every('list_contacts', 'contacts', { since: '9999-12-31' })).toEqual([])
  })

  test('get a reply, a note and listings, which the conversation then shows', async () => {
    const before = await call('get_conversation', { contact_id: '10104' })
    const text = 'Olá!\nÀs 18:00? & <b>"1"</b> 😀'
    const reply = await call('reply_to_contact', { contact_id: '10104', message: text })
    expect(reply).toEqual({ contact_id: '10104', message_id: expect.stringMatching(/^\d+$/) })
    const note = await call('add_contact_note', { contact_id: '10104', note: text })
    expect(note).toMatchObject({ contact_id: '10104', note: text })
    const shared = await call('send_listings_to_contact', {
      contact_id: '10104',
      listing_ids: ['CV-10092', 'CV-10091'],
    })
    expect(shared).toMatchObject({ contact_id: '10104', listing_ids: ['CV-10092', 'CV-10091'] })
    const after = await call('get_conversation', { contact_id: '10104' })
    const messages = after['messages'] as Row[]
    expect(messages.length).toBe((before['messages'] as Row[]).length + 2)
    expect(messages.at(-2)).toMatchObject({ from: 'me', body: text })
    expect(messages.at(-1)).toEqual({ from: 'me', body: 'CV-10092\nCV-10091', sent_at: shared['sent_at'] })
    expect(after['notes']).toEqual([...(before['notes'] as Row[]), { text, created_at: note['created_at'] }])
    expect(values(messages, 'sent_at')).toEqual(inOrder(values(messages, 'sent_at')))
    expect((await control.effects()).length).toBe(3)

    const more = { contact_id: '10104', listing_ids: ['CV-10090'], message: 'And this one?' }
    await call('send_listings_to_contact', more)
    const [latest] = (await call('list_contacts', {}))['contacts'] as Row[]
    expect(latest).toMatchObject({ contact_id: '10104', last_message: 'And this one?\nCV-10090' })
  })

  test('are handled and archived from any state, and leave the active list', async () => {
    for (const [name, state] of [
      ['mark_contact_handled', 'handled'],
      ['archive_conversation', 'archived'],
    ] as const)
      for (const from of ['active', 'unread', 'handled', 'archived']) {
        const contacts = (await call('list_contacts', { state: from }))['contacts'] as Row[]
        const contact_id = contacts.at(-1)?.['contact_id']
        expect(await call(name, { contact_id })).toEqual({ contact_id, state })
        const now = await every('list_contacts', 'contacts', { state })
        expect(values(now, 'contact_id')).toContain(contact_id)
        const active = await every('list_contacts', 'contacts', {})
        expect(values(active, 'contact_id')).not.toContain(contact_id)
      }
  })

  test.each([
    ['get_conversation', {}, 'THREAD_NOT_FOUND'],
    ['reply_to_contact', { message: 'x' }, 'THREAD_NOT_FOUND'],
    ['send_listings_to_contact', { listing_ids: ['CV-10092'] }, 'THREAD_NOT_FOUND'],
    ['add_contact_note', { note: 'x' }, 'THREAD_NOT_FOUND'],
    ['mark_contact_handled', {}, 'THREAD_NOT_FOUND'],
    ['archive_conversation', {}, 'THREAD_NOT_FOUND'],
  ])('that do not exist are refused by %s', async (name, input, code) => {
    expect(await refused(name, { contact_id: '99999', ...input })).toBe(code)
    expect(await control.effects()).toEqual([])
  })

  test('are sent only listings that are online and not what they asked about', async () => {
    const share = (listing_ids: string[]) => refused('send_listings_to_contact', { contact_id: '10104', listing_ids })
    expect(await share(['CV-10008'])).toBe('AD_SAME_AS_THREAD')
    expect(await share(['CV-10095'])).toBe('AD_NOT_ONLINE')
    expect(await share(['CV-1'])).toBe('AD_NOT_FOUND')
    expect(await refused('reply_to_contact', { contact_id: '10104', message: ' ' })).toBe('TEXT_REQUIRED')
    expect(await control.effects()).toEqual([])
  })
})

test('demands are for agencies, filtered by operation and limited', async () => {
  const demands = (await call('list_demands', { limit: 100 }))['demands'] as Row[]
  expect(demands.length).toBeGreaterThanOrEqual(60)
  for (const operation of ['sale', 'rent']) {
    const some = (await call('list_demands', { operation, limit: 100 }))['demands'] as Row[]
    expect(some).toEqual(demands.filter((demand) => demand['operation'] === operation))
    expect(some.length).toBeGreaterThan(0)
  }
  expect((await call('list_demands', {}))['demands']).toEqual(demands.slice(0, 50))
  expect((await call('list_demands', { limit: 1 }))['demands']).toEqual(demands.slice(0, 1))
  expect(await refused('list_demands', {}, 'poor')).toBe('AGENCY_ONLY')
})
