import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cursorKey } from './local-app.ts'
import { AppCaller, dayFromNow, values } from './app-caller.ts'
import type { Row } from './app-caller.ts'

let studio: AppCaller
beforeAll(async () => {
  studio = await AppCaller.open('photo-gallery')
})
beforeEach(() => studio.sandbox.reset())
afterAll(() => studio.sandbox.close())

describe('each list', () => {
  const lists = [
    { name: 'list_collections', key: 'collections', id: 'collection_id', size: 25, filter: {}, least: 60 },
    { name: 'list_contacts', key: 'contacts', id: 'contact_id', size: 50, filter: {}, least: 60 },
    { name: 'list_invoices', key: 'invoices', id: 'invoice_id', size: 50, filter: { unpaid_only: true }, least: 60 },
  ]
  const additions: Readonly<Record<string, [string, Row]>> = {
    list_collections: ['create_collection', { name: 'Added meanwhile' }],
    list_contacts: ['create_contact', { name: 'Added meanwhile', email: 'meanwhile@mail.example' }],
    list_invoices: [
      'create_invoice',
      { contact_id: 'ppl_259e', line_items: [{ description: 'Added meanwhile', unit_price: 1 }] },
    ],
  }

  test.each(lists)('$name is paged to its end with the smallest page, also while items are added', async (list) => {
    const { name, key, id, filter, least } = list
    const whole = values(await studio.every(name, key, { ...filter, limit: 100 }), id)
    expect(whole.length).toBeGreaterThanOrEqual(least)
    const single = await studio.every(name, key, { ...filter, limit: 1 }, (page) =>
      page === 2 ? studio.call(...additions[name]!) : undefined,
    )
    expect(values(single, id)).toEqual(whole)
    expect(new Set(whole).size).toBe(whole.length)
    const now = values(await studio.rows(name, key, { ...filter, limit: 2 }), id)
    expect(now[1]).toBe(whole[0])
    expect(whole).not.toContain(now[0])
  })

  test.each(lists)('$name gives $size items by default', async ({ name, key, size }) => {
    expect((await studio.rows(name, key, {})).length).toBe(size)
    expect((await studio.rows(name, key, { limit: 3 })).length).toBe(3)
  })
})

describe('collections', () => {
  test('are searched by name, in any case', async () => {
    const all = await studio.every('list_collections', 'collections', { limit: 100 })
    const found = await studio.every('list_collections', 'collections', { query: ' FIANÇAILLES ', limit: 100 })
    expect(found).toEqual(all.filter(({ name }) => String(name).toLowerCase().includes('fiançailles')))
    expect(found.length).toBeGreaterThan(0)
    expect(found.length).toBeLessThan(all.length)
    expect(await studio.rows('list_collections', 'collections', { query: 'no such name' })).toEqual([])
    expect(values(all, 'event_date')).toContain(null)
  })

  test.each([
    ['gal_258g', false, false],
    ['gal_258f', true, true],
    ['gal_258c', true, false],
    ['gal_258b', false, true],
  ])('%s shows in full as in the list, and what it asks guests for', async (collection_id, password, pin) => {
    const listed = await studio.rows('list_collections', 'collections', {})
    const detail = await studio.call('get_collection', { collection_id })
    expect(detail).toEqual({
      ...listed.find((one) => one['collection_id'] === collection_id),
      password_protected: password,
      download_pin: pin,
    })
  })

  test('show favorites, all or only those with a comment', async () => {
    const favorites = (input: Row) =>
      studio.rows('list_favorites', 'favorites', { collection_id: 'gal_258b', ...input })
    const all = await favorites({})
    expect(all.length).toBe(70)
    const commented = await favorites({ with_comments_only: true })
    expect(commented).toEqual(all.filter(({ comment }) => comment !== null))
    expect(commented.length).toBeGreaterThan(0)
    expect(commented.length).toBeLessThan(all.length)
    expect(await favorites({ with_comments_only: false })).toEqual(all)
    expect(await studio.rows('list_favorites', 'favorites', { collection_id: 'gal_258e' })).toEqual([])
  })

  test('show who downloaded, latest first, and nobody where nobody did', async () => {
    const downloads = await studio.rows('get_download_activity', 'downloads', { collection_id: 'gal_258c' })
    expect(downloads.length).toBe(65)
    const times = values(downloads, 'downloaded_at').map((time) => Date.parse(String(time)))
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    expect(downloads.every(({ email }) => /^\S+@\S+$/.test(String(email)))).toBe(true)
    expect(await studio.call('get_download_activity', { collection_id: 'gal_258b' })).toEqual({
      collection_id: 'gal_258b',
      downloads: [],
    })
  })

  test('are created empty, take photos, and say which could not be fetched', async () => {
    const name = 'Zoë & <b>José</b> "ירושלים" 😀'
    const made = await studio.call('create_collection', { name, event_date: '2024-02-29' })
    const { collection_id } = made
    expect(made).toMatchObject({ name, event_date: '2024-02-29', photos: 0 })
    expect((await studio.rows('list_collections', 'collections', { limit: 1 }))[0]).toEqual(made)
    expect(await studio.call('create_collection', { name })).toMatchObject({ event_date: null })

    const good = ['https://images.example.com/a.jpg', 'https://images.example.com/a.jpg']
    const bad = ['ftp://images.example.com/a.jpg', 'http://127.0.0.1/a.jpg', 'https://images.example.com/404/a.jpg']
    const answer = await studio.call('upload_photos', { collection_id, photo_urls: [...bad, ...good] })
    expect(answer).toEqual({ collection_id, added: 2, failed: bad, photos_total: 2 })
    const none = await studio.call('upload_photos', { collection_id, photo_urls: bad })
    expect(none).toEqual({ collection_id, added: 0, failed: bad, photos_total: 2 })
    expect(await studio.call('get_collection', { collection_id })).toMatchObject({ photos: 2 })
  })

  test('take no more photos than the plan has room for', async () => {
    const collection = (await studio.rows('list_collections', 'collections', { limit: 1 }, 'poor'))[0]
    const photo_urls = Array.from({ length: 60 }, (_, at) => `https://images.example.com/${at}.jpg`)
    const input = { collection_id: collection?.['collection_id'], photo_urls }
    expect(await studio.refused('upload_photos', input, 'poor')).toBe('PLAN_STORAGE_FULL')
    expect(await studio.control.effects()).toEqual([])
  })

  test.each([
    ['a locked one with a note', 'gal_258f', { note: 'Olá!\n& <b>"1"</b>; a, b 😀' }],
    ['an empty one without', 'gal_258e', {}],
  ])('are shared by e-mail: %s', async (_what, collection_id, more) => {
    const emails = Array.from({ length: 50 }, (_, at) => `guest+${at}@mail.example`)
    const input = { collection_id, emails, ...more }
    expect(await studio.call('share_collection', input)).toEqual({ collection_id, invited: 50 })
    expect(await studio.call('share_collection', { ...input, emails: emails.slice(0, 1) })).toEqual({
      collection_id,
      invited: 1,
    })
    const effects = await studio.control.effects()
    expect(effects.length).toBe(2)
    for (const address of emails) expect(JSON.stringify(effects[0]?.body)).toContain(`"${address}"`)
  })
})

describe('contacts', () => {
  test('are searched by name and by e-mail, in any case', async () => {
    const all = await studio.every('list_contacts', 'contacts', { limit: 100 })
    expect(new Set(values(all, 'type'))).toEqual(new Set(['lead', 'client', 'visitor']))
    for (const query of ['petrov', 'MIA', '@mail.example', 'łukasz']) {
      const found = await studio.every('list_contacts', 'contacts', { query, limit: 100 })
      const wanted = ({ name, email }: Row) =>
        `${String(name)}\n${String(email)}`.toLowerCase().includes(query.toLowerCase())
      expect(found).toEqual(all.filter(wanted))
      expect(found.length).toBeGreaterThan(0)
      expect(found.length).toBeLessThan(all.length)
    }
  })

  test('are created as a lead by default, or as a client, once per address', async () => {
    const lead = await studio.call('create_contact', { name: 'Ōta 光', email: 'ota@mail.example' })
    expect(lead).toMatchObject({ name: 'Ōta 光', email: 'ota@mail.example', phone: null, type: 'lead' })
    for (const type of ['lead', 'client']) {
      const input = { name: 'Ann', email: `${type}@mail.example`, phone: '+44 20 5550', type }
      expect(await studio.call('create_contact', input)).toMatchObject(input)
    }
    expect((await studio.rows('list_contacts', 'contacts', { query: 'ota@' }))[0]).toEqual(lead)
    expect(await studio.refused('create_contact', { name: 'Other', email: 'OTA@mail.example' })).toBe('MAIL_TAKEN')
    expect((await studio.control.effects()).length).toBe(3)
  })
})

test.each([
  ['get_collection', {}],
  ['list_favorites', {}],
  ['get_download_activity', {}],
  ['upload_photos', { photo_urls: ['https://images.example.com/a.jpg'] }],
  ['share_collection', { emails: ['a@mail.example'] }],
])('%s finds neither a made-up collection nor one of another studio', async (name, input) => {
  expect(await studio.refused(name, { collection_id: 'gal_none', ...input })).toBe('GALLERY_NOT_FOUND')
  expect(await studio.refused(name, { collection_id: 'gal_258f', ...input }, 'stranger')).toBe('GALLERY_NOT_FOUND')
  expect(await studio.control.effects()).toEqual([])
})

test.each([
  ['share_collection', { collection_id: 'gal_258f', emails: ['a@mail.example', 'A@mail.example'] }, 'ADDRESS_TWICE'],
  ['create_collection', { name: '  ' }, 'FIELD_REQUIRED'],
  ['create_contact', { name: ' ', email: 'a@mail.example' }, 'FIELD_REQUIRED'],
])('%s %j is refused by the app', async (name, input, code) => {
  expect(await studio.refused(name, input)).toBe(code)
  expect(await studio.control.effects()).toEqual([])
})

describe('inputs', () => {
  const line = { description: 'x', unit_price: 1 }
  const bill = (more: Row) => ({ contact_id: 'ppl_1', line_items: [{ ...line, ...more }] })
  const contact = (more: Row) => ({ name: 'x', email: 'a@b.example', ...more })
  const emails = (count: number) => Array.from({ length: count }, (_, at) => `a${at}@b.example`)
  const urls = (count: number) => Array.from({ length: count }, (_, at) => `https://b.example/${at}.jpg`)
  const cases: [string, Row[], Row[]][] = [
    ...['list_collections', 'list_contacts', 'list_invoices'].map((name): [string, Row[], Row[]] => [
      name,
      [{}, { limit: 1 }, { limit: 100 }],
      [{ limit: 0 }, { limit: 101 }, { limit: 1.5 }, { cursor: 'made-up' }],
    ]),
    ['list_sessions', [{}, { from: '2024-02-29' }, { to: '2026-01-01' }], [{ from: '2023-02-29' }, { to: '1/1/2026' }]],
    ['create_collection', [{ name: 'x'.repeat(200) }], [{ name: '' }, { name: 'x'.repeat(201) }, {}]],
    [
      'upload_photos',
      [{ photo_urls: urls(1) }, { photo_urls: urls(200) }].map((one) => ({ collection_id: 'a', ...one })),
      [{ photo_urls: [] }, { photo_urls: urls(201) }, {}].map((one) => ({ collection_id: 'a', ...one })),
    ],
    [
      'share_collection',
      [{ emails: emails(1), note: 'x'.repeat(2000) }, { emails: emails(50) }].map((one) => ({
        collection_id: 'a',
        ...one,
      })),
      [
        { emails: [] },
        { emails: emails(51) },
        { emails: ['a@b.example', 'a@b.example'] },
        { emails: ['a@b.example,c@d.example'] },
        { emails: ['a@b.example;c@d.example'] },
        { emails: ['a@b.example\nc@d.example'] },
        { emails: ['"a@b.example,b"@d.example'] },
        { emails: ['nobody'] },
        { emails: emails(1), note: 'x'.repeat(2001) },
      ].map((one) => ({ collection_id: 'a', ...one })),
    ],
    [
      'create_contact',
      [
        contact({ name: 'x'.repeat(120), phone: '1'.repeat(40) }),
        contact({ type: 'lead' }),
        contact({ type: 'client' }),
      ],
      [
        contact({ name: 'x'.repeat(121) }),
        contact({ phone: '1'.repeat(41) }),
        contact({ type: 'visitor' }),
        { name: 'x' },
      ],
    ],
    [
      'create_invoice',
      [bill({ quantity: 1 }), bill({ quantity: 1000 }), bill({ unit_price: 0 }), { ...bill({}), currency: 'EUR' }],
      [
        bill({ quantity: 0 }),
        bill({ quantity: 1001 }),
        bill({ unit_price: -0.01 }),
        bill({ description: '' }),
        bill({ description: 'x'.repeat(201) }),
        { ...bill({}), currency: 'eur' },
        { ...bill({}), line_items: [] },
        { ...bill({}), line_items: Array.from({ length: 51 }, () => line) },
        { line_items: [line] },
      ],
    ],
  ]

  test.each(cases)('of %s are accepted up to their bounds and not beyond', (name, good, bad) => {
    const endpoint = studio.app.endpoints.get(name)!
    for (const input of good)
      expect(endpoint.parseInput(input, { cursorKey }), JSON.stringify(input)).toHaveProperty('ok', true)
    for (const input of bad)
      expect(endpoint.parseInput(input, { cursorKey }).ok, JSON.stringify(input).slice(0, 200)).toBe(false)
  })

  test('at their bounds are accepted by the app too', async () => {
    await studio.call('create_collection', { name: 'é'.repeat(200), event_date: dayFromNow(400) })
    await studio.call('create_contact', contact({ name: 'é'.repeat(120), phone: '1'.repeat(40) }))
    await studio.call('upload_photos', { collection_id: 'gal_258g', photo_urls: urls(200) })
    await studio.call('share_collection', { collection_id: 'gal_258g', emails: emails(50), note: 'é\n'.repeat(1000) })
    expect((await studio.control.effects()).length).toBe(4)
  })
})
