import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AppCaller } from './app-caller.ts'
import type { Row } from './app-caller.ts'
import { cursorKey } from './local-app.ts'

let store: AppCaller
beforeAll(async () => {
  store = await AppCaller.open('teacher-marketplace')
})
afterAll(() => store.sandbox.close())

const file_url = 'https://files.example.com/cards/first%20draft.pdf'
const made = (more: Row = {}): Row => ({ title: 'Cards', price_cents: 450, file_url, ...more })

describe('inputs', () => {
  const words = (count: number) => Array.from({ length: count }, (_, at) => `word ${at}`)
  const days = { from: '2026-01-01', to: '2026-01-02' }
  const sale = { ...days, whole_store: true }
  const answer = { question_id: '1', answer: 'x' }
  const revised = { product_id: '1', file_url }
  const cases: [string, Row[], Row[]][] = [
    [
      'list_products',
      [{}, { limit: 1 }, { limit: 100 }, { custom_category: 'x'.repeat(60) }],
      [{ limit: 0 }, { limit: 101 }, { status: 'live' }, { type: 'pdf' }, { cursor: 'made-up' }, { grade: '3rd' }],
    ],
    ['get_product', [{ product_id: '1' }], [{}, { product_id: '' }, { product_id: 1 }, { product_id: '../1' }]],
    [
      'get_store_stats',
      [days, { ...days, product_ids: ['1'] }, { ...days, product_ids: words(500) }],
      [
        { from: days.from },
        { to: days.to },
        { ...days, product_ids: [] },
        { ...days, product_ids: words(501) },
        { ...days, buyer_type: 'new' },
        { ...days, from: '2026-02-29' },
      ],
    ],
    ['get_product_stats', [{ ...days, product_id: '1' }], [days, { product_id: '1' }]],
    ['list_sales', [days, { ...days, product_id: '1' }], [{}, { ...days, limit: 5 }, { ...days, to: '01/02/2026' }]],
    [
      'get_search_keywords',
      ['2025-01-01', '2025-12-31', '2030-01-01', '2100-01-01'].map((from) => ({ from, to: '2100-01-01' })),
      ['2024-12-31', '2019-06-01', '1999-01-01', '2025-02-29'].map((from) => ({ from, to: '2100-01-01' })),
    ],
    [
      'list_buyer_questions',
      [{}, { limit: 1 }, { limit: 100 }, { status: 'unanswered' }],
      [{ limit: 0 }, { limit: 101 }, { status: 'open' }],
    ],
    [
      'create_product',
      [
        made({ title: 'x'.repeat(120), description: 'x'.repeat(10_000), custom_category: 'x'.repeat(60) }),
        made({ price_cents: 0, additional_license_price_cents: 0 }),
        made({ price_cents: 100_000, additional_license_price_cents: 100_000 }),
        made({ grades: words(6), subjects: words(3), tags: words(8) }),
        made({ tags: ['x'.repeat(40)], file_url: 'x'.repeat(2000) }),
      ],
      [
        { title: 'x', price_cents: 1 },
        { title: 'x', file_url },
        { price_cents: 1, file_url },
        made({ title: '' }),
        made({ title: 'x'.repeat(121) }),
        made({ description: 'x'.repeat(10_001) }),
        made({ price_cents: -1 }),
        made({ price_cents: 99.5 }),
        made({ price_cents: 100_001 }),
        made({ additional_license_price_cents: 100_001 }),
        made({ grades: words(7) }),
        made({ subjects: words(4) }),
        made({ tags: words(9) }),
        made({ tags: ['a', 'a'] }),
        made({ tags: [''] }),
        made({ tags: ['x'.repeat(41)] }),
        made({ custom_category: 'x'.repeat(61) }),
        made({ file_url: 'x'.repeat(2001) }),
        made({ status: 'all' }),
      ],
    ],
    [
      'update_product',
      [
        { product_id: '1', title: 'x' },
        { product_id: '1', tags: [], description: '' },
      ],
      [{}, { product_id: '1' }, { product_id: '1', title: '' }, { product_id: '1', title: 'x', status: 'active' }],
    ],
    [
      'set_product_status',
      ['active', 'inactive'].map((status) => ({ product_id: '1', status })),
      [{ product_id: '1' }, { product_id: '1', status: 'all' }],
    ],
    [
      'upload_revised_file',
      [revised, { ...revised, notify_buyers: true, note: 'x'.repeat(1000) }],
      [{ product_id: '1' }, { ...revised, note: 'x'.repeat(1001) }, { ...revised, notify_buyers: 'yes' }],
    ],
    [
      'answer_buyer_question',
      [answer, { ...answer, answer: '😀'.repeat(2000) }],
      [{ question_id: '1' }, { ...answer, answer: '' }, { ...answer, answer: 'x'.repeat(2001) }],
    ],
    [
      'schedule_sale',
      [sale, { ...sale, discount_percent: 5 }, { ...sale, discount_percent: 50 }, { ...days, product_ids: words(200) }],
      [
        { from: days.from, whole_store: true },
        { ...sale, discount_percent: 4 },
        { ...sale, discount_percent: 51 },
        { ...sale, discount_percent: 7.5 },
        { ...days, product_ids: [] },
        { ...days, product_ids: ['1', '1'] },
        { ...days, product_ids: words(201) },
      ],
    ],
    [
      'send_note_to_followers',
      [{ note: 'x'.repeat(2000) }, { note: 'x', send_on: '2026-01-01' }],
      [{}, { note: '' }, { note: 'x'.repeat(2001) }, { note: 'x', send_on: 'now' }],
    ],
  ]

  test.each(cases)('of %s are accepted up to their bounds and not beyond', (name, good, bad) => {
    for (const input of good) expect(store.takes(name, input), JSON.stringify(input).slice(0, 200)).toBe(true)
    for (const input of bad) expect(store.takes(name, input), JSON.stringify(input).slice(0, 200)).toBe(false)
  })

  test('at their bounds are accepted by the app too', async () => {
    const most = {
      title: 'é'.repeat(120),
      description: '😀'.repeat(10_000),
      custom_category: 'é'.repeat(60),
      tags: Array.from({ length: 8 }, (_, at) => `${at}${'é'.repeat(39)}`),
      file_url: `https://files.example.com/${'a'.repeat(2000 - 30)}.pdf`,
    }
    await store.call('create_product', made(most))
    const note = '😀'.repeat(1000)
    await store.call('upload_revised_file', { product_id: '100037', file_url, notify_buyers: true, note })
    await store.call('answer_buyer_question', { question_id: '101540', answer: '😀'.repeat(2000) })
    await store.call('send_note_to_followers', { note: 'é\n'.repeat(1000) })
    expect((await store.control.effects()).length).toBe(4)
  })

  test('say from when on searches are counted', () => {
    const early = { from: '2024-12-31', to: '2025-01-31' }
    expect(store.app.endpoints.get('get_search_keywords')!.parseInput(early, { cursorKey })).toEqual({
      ok: false,
      details: [
        {
          path: 'from',
          message: expect.stringMatching(/^must be a day .*, as its description says: .* 2025-01-01 or later/),
        },
      ],
    })
  })
})
