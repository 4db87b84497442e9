import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SeededAccount } from '../../scripts/demo-accounts.ts'
import { AppCaller } from './app-caller.ts'
import type { Row } from './app-caller.ts'
import { buy, ever, mails, storeDay, told, visible } from './teacher-marketplace-store.ts'

let store: AppCaller
beforeAll(async () => {
  store = await AppCaller.open('teacher-marketplace')
})
beforeEach(() => store.sandbox.reset())
afterAll(() => store.sandbox.close())

const file_url = 'https://files.example.com/cards/first%20draft.pdf'
const made = (more: Row = {}): Row => ({ title: 'Cards', price_cents: 450, file_url, ...more })
const product = (product_id: unknown) => store.call('get_product', { product_id })
const effects = async () => (await store.control.effects()).length
/** What has left nothing behind, too. */
const refusal = async (name: string, input: Row, user?: string) => {
  const code = await store.refused(name, input, user)
  expect(await effects()).toBe(0)
  return code
}

describe('a product', () => {
  test('is created hidden, at one price, with nothing that was not said', async () => {
    const created = await store.call('create_product', made())
    expect(created).toEqual({
      product_id: created['product_id'],
      title: 'Cards',
      description: '',
      price_cents: 450,
      additional_license_price_cents: 450,
      grades: [],
      subjects: [],
      tags: [],
      formats: ['PDF'],
      status: 'inactive',
      files: [{ file_name: 'first draft.pdf', size_kb: expect.any(Number), revision: 1 }],
    })
    expect(await product(created['product_id'])).toEqual(created)
    expect(await visible(store, created['product_id'])).toBe(404)
    expect(await store.rows('list_products', 'products', { limit: 1 })).toMatchObject([
      { product_id: created['product_id'], type: 'digital_download', custom_category: null },
    ])
    expect(await effects()).toBe(1)
  })

  test('is created live with all that can be said of it', async () => {
    const said = {
      title: 'Zoë & <b>José</b> "ירושלים" 😀',
      description: 'Line 1\n• two & <3\n',
      price_cents: 100_000,
      additional_license_price_cents: 99_999,
      grades: ['PreK', 'Higher Education'],
      subjects: ['U.S. History'],
      tags: ['בלי הכנה', 'a, b'],
      status: 'active',
    }
    const created = await store.call('create_product', made({ ...said, custom_category: 'New & own' }))
    expect(created).toMatchObject(said)
    expect(await product(created['product_id'])).toEqual(created)
    expect(await visible(store, created['product_id'])).toBe(200)
    const listed = await store.rows('list_products', 'products', { custom_category: 'New & own' })
    expect(listed).toMatchObject([{ product_id: created['product_id'], price_cents: 100_000, status: 'active' }])
  })

  test.each([0, 95, 100, 999, 1205, 100_000])('keeps a price of %d cents as it is', async (price_cents) => {
    const { product_id } = await store.call('create_product', made({ price_cents }))
    const prices = { price_cents, additional_license_price_cents: price_cents }
    expect(await product(product_id)).toMatchObject(prices)
  })

  test.each([
    ['a price of a few cents', { price_cents: 94 }, 'MONEY_OUT_OF_BOUNDS'],
    ['a further license that costs more', { additional_license_price_cents: 451 }, 'MORE_COST_TOO_HIGH'],
    ['a title of blanks', { title: '  ' }, 'FIELD_REQUIRED'],
    ['a title of two lines', { title: 'a\nb' }, 'TEXT_INVALID'],
    ['a grade that is not there', { grades: ['3rd', '13th'] }, 'CHOICE_UNKNOWN'],
    ['a subject that is not there', { subjects: ['Alchemy'] }, 'CHOICE_UNKNOWN'],
    ['a file at no address', { file_url: 'cards.pdf' }, 'LINK_INVALID'],
    ['a file that is not there', { file_url: 'https://files.example.com/missing/a.pdf' }, 'FILE_NOT_FOUND'],
    ['a file in a private network', { file_url: 'http://10.0.0.1/a.pdf' }, 'LINK_NOT_PUBLIC'],
    ['a file of an unknown format', { file_url: 'https://files.example.com/a.exe' }, 'FORMAT_UNKNOWN'],
  ])('is not created with %s', async (_what, more, code) => {
    expect(await refusal('create_product', made(more))).toBe(code)
  })

  test('has grades and subjects in any case, and all that the marketplace has', async () => {
    const { levels, topics } = (await told(store, 'dash/lists')) as { levels: string[]; topics: string[] }
    const input = { grades: ['3RD', 'kindergarten'], subjects: ['phonics', 'u.s. history'] }
    const spelt = { grades: ['3rd', 'Kindergarten'], subjects: ['Phonics', 'U.S. History'] }
    expect(await store.call('create_product', made(input))).toMatchObject(spelt)
    for (let at = 0; at < levels.length; at += 6) {
      const some = { grades: levels.slice(at, at + 6) }
      expect(await store.call('update_product', { product_id: '100003', ...some })).toMatchObject(some)
    }
    for (let at = 0; at < topics.length; at += 3) {
      const some = { subjects: topics.slice(at, at + 3) }
      expect(await store.call('update_product', { product_id: '100003', ...some })).toMatchObject(some)
    }
  })

  test.each(['pdf', 'DOCX', 'pptx', 'xlsx', 'zip', 'png', 'jpg', 'mp3'])('takes a %s file', async (ending) => {
    const created = await store.call('create_product', made({ file_url: `https://files.example.com/a.${ending}` }))
    expect(created['formats']).toEqual([ending.toUpperCase()])
  })

  test.each([
    { title: 'Another title' },
    { description: 'Other words' },
    { description: '' },
    { price_cents: 100_000 },
    { additional_license_price_cents: 0 },
    { grades: ['12th'] },
    { grades: [] },
    { subjects: [] },
    { tags: ['one', 'two'] },
    { tags: [] },
  ])('is changed in what is given and nothing else: %j', async (change) => {
    const before = await product('100049')
    const after = await store.call('update_product', { product_id: '100049', ...change })
    expect(after).toEqual({ ...before, ...change })
    expect(after).not.toEqual(before)
    expect(await product('100049')).toEqual(after)
    expect(await effects()).toBe(1)
  })

  test.each([
    ['a price below that of further licenses', { price_cents: 1999 }, 'MORE_COST_TOO_HIGH'],
    ['a price of a cent', { price_cents: 1, additional_license_price_cents: 0 }, 'MONEY_OUT_OF_BOUNDS'],
    ['an unknown grade', { grades: ['Prek', 'Grade 3'] }, 'CHOICE_UNKNOWN'],
    ['a tag of two lines', { tags: ['a\nb'] }, 'TEXT_INVALID'],
  ])('is not changed by %s', async (_what, change, code) => {
    expect(await refusal('update_product', { product_id: '100049', ...change })).toBe(code)
  })

  test('is not changed by nothing', () => {
    expect(store.takes('update_product', { product_id: '100049' })).toBe(false)
  })

  test('goes on sale and off again, but not where it is; who bought it keeps it', async () => {
    const status = (to: string) => ({ product_id: '100002', status: to })
    expect(await refusal('set_product_status', status('inactive'))).toBe('SHELF_SAME')
    expect(await store.call('set_product_status', status('active'))).toEqual(status('active'))
    expect(await store.refused('set_product_status', status('active'))).toBe('SHELF_SAME')
    expect([await visible(store, '100002'), (await product('100002'))['status']]).toEqual([200, 'active'])
    const download = await buy(store, '100002', 'a@mail.example')
    expect(await store.call('set_product_status', status('inactive'))).toEqual(status('inactive'))
    expect([await visible(store, '100002'), (await product('100002'))['status']]).toEqual([404, 'inactive'])
    expect((await fetch(download)).status).toBe(200)
    expect(await effects()).toBe(3)
  })

  test('gets another file, and past buyers a mail only if they are to be told', async () => {
    const { files, ...before } = await product('100037')
    const [file] = files as Row[]
    expect(file?.['revision']).toBe(1)
    const link = 'https://files.example.com/v2/cards.zip'
    const quiet = { product_id: '100037', file_url: link }
    expect(await store.call('upload_revised_file', quiet)).toEqual({
      product_id: '100037',
      revision: 2,
      notified_buyers: 0,
    })
    const { files: now, ...after } = await product('100037')
    expect(after).toEqual({ ...before, formats: ['ZIP'] })
    expect(now).toEqual([{ file_name: 'cards.zip', size_kb: expect.any(Number), revision: 2 }])
    expect(await mails(store, 'file', '100037')).toEqual([])

    const { unique_buyers } = await store.call('get_store_stats', { ...ever, product_ids: ['100037'] })
    const loud = { ...quiet, notify_buyers: true, note: 'Page 7 & more\nשלום' }
    expect(await store.call('upload_revised_file', loud)).toEqual({
      product_id: '100037',
      revision: 3,
      notified_buyers: unique_buyers,
    })
    expect(Number(unique_buyers)).toBeGreaterThan(1)
    const letters = await mails(store, 'file', '100037')
    expect(letters.length).toBe(unique_buyers)
    for (const { words } of letters) expect(words).toContain('Page 7 & more\nשלום')
    expect(await effects()).toBe(2)
  })

  test('that nobody bought has nobody to tell of its new file', async () => {
    const input = { product_id: '100132', file_url, notify_buyers: true }
    expect(await store.call('upload_revised_file', input)).toMatchObject({ notified_buyers: 0 })
  })

  test.each([
    ['of a bundle', { product_id: '100004' }, 'SORT_HAS_NO_FILE'],
    ['of a video', { product_id: '100006' }, 'SORT_HAS_NO_FILE'],
    ['of a cloud resource', { product_id: '100008' }, 'SORT_HAS_NO_FILE'],
    ['with a note that nobody would read', { product_id: '100037', note: 'Hi' }, 'NOTE_UNREAD'],
    ['that is not there', { product_id: '100037', file_url: 'https://files.example.com/404/a.pdf' }, 'FILE_NOT_FOUND'],
  ])('gets no other file %s', async (_what, more, code) => {
    expect(await refusal('upload_revised_file', { file_url, ...more })).toBe(code)
  })
})

describe('a question', () => {
  test('is answered once, for everybody, and who asked is told', async () => {
    const answer = 'Oui: l’été & <3\n"ירושלים" 😀'
    const answered = await store.call('answer_buyer_question', { question_id: '101540', answer })
    expect(answered).toMatchObject({ question_id: '101540', answer })
    const input = { status: 'answered', product_id: '100129' }
    const [listed] = await store.rows('list_buyer_questions', 'questions', input)
    const { answered_at } = answered
    expect(listed).toMatchObject({ question_id: '101540', answer: { text: answer, answered_at } })
    expect(await mails(store, 'reply', '101540')).toMatchObject([{ words: answer }])
    expect(await store.refused('answer_buyer_question', { question_id: '101540', answer: 'Again' })).toBe('ASK_REPLIED')
    expect(await effects()).toBe(1)
  })

  test.each([
    ['that has an answer', { question_id: '101548' }, 'ASK_REPLIED'],
    ['that is not there', { question_id: '100001' }, 'ASK_NOT_FOUND'],
    ['with nothing but blanks', { question_id: '101540', answer: ' \n ' }, 'FIELD_REQUIRED'],
  ])('is not answered %s', async (_what, more, code) => {
    expect(await refusal('answer_buyer_question', { answer: 'Yes.', ...more })).toBe(code)
  })
})

describe('a sale', () => {
  const costOf = async (no: string) => ((await told(store, `dash/goods/${no}`))['good'] as Row)['cost_now']
  const days = { from: storeDay(50), to: storeDay(52) }

  test('of chosen products is scheduled, 20 percent off by default', async () => {
    const product_ids = ['100043', '100041']
    const sale = await store.call('schedule_sale', { ...days, product_ids })
    const wanted = { status: 'scheduled', ...days, product_ids, discount_percent: 20 }
    expect(sale).toEqual({ sale_id: sale['sale_id'], ...wanted })
    const { rows } = (await told(store, 'dash/markdowns?per=1')) as { rows: Row[] }
    expect(String(rows[0]?.['no'])).toBe(sale['sale_id'])
    expect(rows[0]).toMatchObject({ percent: 20, goods: [100_043, 100_041], stage: 'planned' })
    const again = { ...days, product_ids: ['100041', '100050'] }
    expect(await store.refused('schedule_sale', again)).toBe('MARKDOWN_OVERLAPS')
    await store.call('schedule_sale', { ...days, product_ids: ['100050'] })
    expect(await effects()).toBe(2)
  })

  test('that begins today changes the prices at once, and only of its products', async () => {
    const today = { from: storeDay(0), to: storeDay(0), product_ids: ['100041'], discount_percent: 50 }
    expect(await store.call('schedule_sale', today)).toMatchObject({ ...today, status: 'running' })
    expect([await costOf('100041'), await costOf('100037')]).toEqual(['$3.25', '$6.00'])
    expect(await product('100041')).toMatchObject({ price_cents: 650 })
  })

  test('of the whole store is for all products, and has to be said', async () => {
    const whole = { ...days, whole_store: true, discount_percent: 5 }
    expect(await store.call('schedule_sale', whole)).toMatchObject({ status: 'scheduled', product_ids: null })
    expect(await store.refused('schedule_sale', { ...days, product_ids: ['100050'] })).toBe('MARKDOWN_OVERLAPS')
    expect(await effects()).toBe(1)
  })

  test.each([
    ['of a product that is not there', { ...days, product_ids: ['100041', '1'] }, 'GOOD_NOT_FOUND'],
    ['that ends before it begins', { from: days.to, to: days.from, whole_store: true }, 'SPAN_BACKWARDS'],
    ['that began yesterday', { from: storeDay(-1), to: storeDay(1), product_ids: ['100041'] }, 'DAY_PAST'],
    ['of 29 days', { from: storeDay(50), to: storeDay(78), whole_store: true }, 'SPAN_TOO_LONG'],
    ['in more than a year', { from: storeDay(366), to: storeDay(367), whole_store: true }, 'DAY_TOO_FAR'],
  ])('is not scheduled %s', async (_what, input, code) => {
    expect(await refusal('schedule_sale', input)).toBe(code)
  })

  test.each([
    ['without a word on what it is of', days],
    ['of chosen products and the whole store', { ...days, whole_store: true, product_ids: ['1'] }],
  ])('is not scheduled %s', (_what, input) => {
    expect(store.takes('schedule_sale', input)).toBe(false)
  })

  test('may take 28 days, and begin a year ahead', async () => {
    await store.call('schedule_sale', { from: storeDay(50), to: storeDay(77), whole_store: true })
    await store.call('schedule_sale', { from: storeDay(365), to: storeDay(366), whole_store: true })
    expect(await effects()).toBe(2)
  })
})

describe('a note to followers', () => {
  const note = 'Ça y est & <b>!</b>\nשלום 😀'

  test.each([
    ['at once', {}],
    ['today', { send_on: storeDay(0) }],
  ])('leaves %s', async (_what, when) => {
    const sent = await store.call('send_note_to_followers', { note, ...when })
    expect(sent).toMatchObject({ status: 'sent', followers: 70 })
    expect(Math.abs(Date.now() - Date.parse(String(sent['sends_at'])))).toBeLessThan(120_000)
    const letters = await mails(store, 'note', sent['note_id'])
    expect(letters.length).toBe(70)
    for (const { words } of letters) expect(words).toBe(note)
    expect(await effects()).toBe(1)
  })

  test('leaves at nine in the morning of a later day', async () => {
    const planned = await store.call('send_note_to_followers', { note, send_on: storeDay(3) })
    expect(planned).toMatchObject({ status: 'scheduled', sends_at: `${storeDay(3)}T16:00:00Z`, followers: 70 })
    expect(await mails(store, 'note', planned['note_id'])).toEqual([])
    const input = { note, send_on: storeDay(3) }
    const { sends_at } = await store.call('send_note_to_followers', input, 'two_accounts')
    const there = { timeZone: 'Australia/Sydney', dateStyle: 'short', timeStyle: 'short' } as const
    const clock = new Intl.DateTimeFormat('sv-SE', there).format(new Date(String(sends_at)))
    expect(clock).toBe(`${input.send_on} 09:00`)
  })

  test.each([
    ['on a day that is over', { send_on: storeDay(-1) }, 'DAY_PAST'],
    ['in more than a year', { send_on: storeDay(366) }, 'DAY_TOO_FAR'],
    ['without words', { note: ' ' }, 'FIELD_REQUIRED'],
  ])('does not leave %s', async (_what, more, code) => {
    expect(await refusal('send_note_to_followers', { note, ...more })).toBe(code)
  })
})

/** What an account that is nobody's own user is refused with. */
async function refusedTo(kind: string, name: string, input: Row): Promise<string> {
  const account = await newcomer(kind)
  const { outcome } = await store.sandbox.call(store.app, store.app.endpoints.get(name)!, input, account.session)
  return outcome.kind === 'rejected' ? outcome.appCode : outcome.kind
}

async function newcomer(kind: string): Promise<SeededAccount> {
  const answer = await fetch(`${store.sandbox.url}/_sandbox/${store.app.slug}/accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind, count: 1 }),
  })
  return ((await answer.json()) as { accounts: SeededAccount[] }).accounts[0]!
}

test('a store that nobody follows has nobody to write to, and a buyer has no store', async () => {
  expect(await refusedTo('starter', 'send_note_to_followers', { note: 'Hi' })).toBe('NO_FOLLOWERS')
  expect(await refusedTo('starter', 'list_products', {})).toBe('ok')
  expect(await refusedTo('buyer', 'list_products', {})).toBe('SELLERS_ONLY')
  expect(await refusedTo('buyer', 'create_product', made())).toBe('SELLERS_ONLY')
  expect(await refusedTo('buyer', 'send_note_to_followers', { note: 'Hi' })).toBe('SELLERS_ONLY')
  expect(await effects()).toBe(0)
})

test.each([
  ['update_product', { product_id: '100049', title: 'Mine' }, 'GOOD_NOT_FOUND'],
  ['set_product_status', { product_id: '100002', status: 'active' }, 'GOOD_NOT_FOUND'],
  ['upload_revised_file', { product_id: '100037', file_url }, 'GOOD_NOT_FOUND'],
  ['answer_buyer_question', { question_id: '101540', answer: 'Mine' }, 'ASK_NOT_FOUND'],
  ['schedule_sale', { from: storeDay(50), to: storeDay(51), product_ids: ['100041'] }, 'GOOD_NOT_FOUND'],
])('%s does nothing in another store, nor to what is not there', async (name, input, code) => {
  expect(await refusal(name, input, 'stranger')).toBe(code)
  const nobody = Object.keys(input).find((key) => key.endsWith('_id') || key.endsWith('_ids'))!
  const made_up = nobody === 'product_ids' ? ['none'] : 'none'
  expect(await refusal(name, { ...input, [nobody]: made_up })).toBe(code)
})
