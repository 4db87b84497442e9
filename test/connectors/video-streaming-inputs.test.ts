import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AppCaller } from './app-caller.ts'
import type { Row } from './app-caller.ts'
import { cursorKey } from './local-app.ts'

let studio: AppCaller
beforeAll(async () => {
  studio = await AppCaller.open('video-streaming')
})
afterAll(() => studio.sandbox.close())

const later = '2040-06-30T20:00:00Z'
const event = { title: 'x', start_at: later, method: 'rtmp' }
const post = { channel_id: 'r100226', text: 'x' }
const coupon = { code: 'CALM', discount: '5%' }

describe('inputs', () => {
  const upload = { file_url: 'https://a.example/a.mp4', title: 'x' }
  const texts = (count: number) => Array.from({ length: count }, (_, at) => `t${at}`)
  const set = (items: unknown) => ({ collection_id: 'k', items })
  const report = { report: 'videos', from: '2026-01-01', to: '2024-02-29' }
  test.each<[string, Row[], Row[]]>([
    ['list_videos', [{}, { status: '' }], [{ status: 'draft' }, { query: 'x' }]],
    ['get_video', [{ video_id: 'v' }], [{}, { video_id: '' }]],
    ['get_collection', [{ collection_id: 'k' }], [{}, { collection_id: '..' }]],
    [
      'get_content_analytics',
      [report, { ...report, limit: 1 }, { ...report, limit: 100 }],
      [
        { ...report, limit: 0 },
        { ...report, limit: 101 },
        { ...report, report: 'events' },
        { ...report, from: '2023-02-29' },
        { report: 'videos', from: '2026-01-01' },
        { report: 'videos', to: '2026-01-01' },
        { from: '2026-01-01', to: '2026-01-01' },
      ],
    ],
    [
      'upload_video',
      [{ ...upload, title: 'x'.repeat(200), description: 'x'.repeat(5000), category_ids: texts(20) }],
      [
        { ...upload, title: 'x'.repeat(201) },
        { ...upload, title: '' },
        { ...upload, description: 'x'.repeat(5001) },
        { ...upload, category_ids: texts(21) },
        { ...upload, category_ids: ['a', 'a'] },
        { ...upload, file_url: '' },
        { title: 'x' },
        { file_url: 'x' },
      ],
    ],
    [
      'update_video',
      [
        { video_id: 'v', title: 'x' },
        { video_id: 'v', title: 'x'.repeat(200), tags: texts(30), category_ids: [] },
      ],
      [
        { title: 'x' },
        { video_id: 'v' },
        { video_id: 'v', title: '' },
        { video_id: 'v', tags: texts(31) },
        { video_id: 'v', tags: ['x'.repeat(61)] },
        { video_id: 'v', tags: ['a', 'a'] },
        { video_id: 'v', category_ids: texts(21) },
      ],
    ],
    [
      'publish_video',
      [{ video_id: 'v', release_at: later, coming_soon: true, email_members: true }],
      [
        {},
        { video_id: 'v', release_at: '2040-01-01' },
        { video_id: 'v', release_at: '2040-01-01T20:00:00' },
        { video_id: 'v', email_members: 'yes' },
      ],
    ],
    [
      'create_collection',
      [
        { title: 'x', video_ids: texts(1), access: 'gated' },
        { title: 'x', video_ids: texts(200), access: 'free' },
      ],
      [
        { title: 'x', video_ids: [] },
        { title: 'x', video_ids: texts(201) },
        { title: 'x', video_ids: ['a', 'a'] },
        { title: 'x', video_ids: ['a'], access: 'open' },
        { title: 'x' },
        { video_ids: ['a'] },
      ],
    ],
    [
      'set_collection_playlist',
      [
        set([]),
        set(Array.from({ length: 500 }, () => ({ divider: 'x'.repeat(200) }))),
        set([{ video_id: 'v', drip_days: 0 }, { video_id: 'v', drip_days: 3650 }, { video_id: 'v' }]),
      ],
      [
        { collection_id: 'k' },
        set(Array.from({ length: 501 }, () => ({ divider: 'x' }))),
        set([{ divider: '' }]),
        set([{ divider: 'x'.repeat(201) }]),
        set([{ divider: 'x', video_id: 'v' }]),
        set([{ divider: 'x', drip_days: 1 }]),
        set([{ video_id: 'v', drip_days: -1 }]),
        set([{ video_id: 'v', drip_days: 3651 }]),
        set([{ video_id: 'v', drip_days: 1.5 }]),
        set([{}]),
      ],
    ],
    [
      'create_live_event',
      [event, { ...event, method: 'built_in_studio' }, { ...event, method: 'video_meeting', preregistration: true }],
      [
        { ...event, method: 'meeting' },
        { ...event, start_at: '2040-01-01' },
        { title: 'x', start_at: later },
        { title: 'x', method: 'rtmp' },
        { ...event, title: 'x'.repeat(201) },
      ],
    ],
    [
      'create_community_post',
      [post, { ...post, text: 'x'.repeat(5000), publish_at: later }],
      [{ ...post, text: '' }, { ...post, text: 'x'.repeat(5001) }, { text: 'x' }, { channel_id: 'r' }],
    ],
    [
      'create_coupon',
      [
        coupon,
        { ...coupon, code: 'a-_' },
        { ...coupon, code: 'x'.repeat(30), max_uses: 1_000_000, max_uses_per_member: 1000 },
        { ...coupon, max_uses: 1, max_uses_per_member: 1 },
      ],
      [
        { ...coupon, code: 'ab' },
        { ...coupon, code: 'x'.repeat(31) },
        { ...coupon, code: 'a b' },
        ...['0%', '101%', '2.5%', '-1', '1.', '1.2345', '5 %', '5 EUR'].map((discount) => ({ ...coupon, discount })),
        { ...coupon, target: 'one-series' },
        { ...coupon, max_uses: 0 },
        { ...coupon, max_uses: 1_000_001 },
        { ...coupon, max_uses_per_member: 0 },
        { ...coupon, max_uses_per_member: 1001 },
        { code: 'abc' },
        { discount: '5%' },
      ],
    ],
  ])('of %s are taken up to their bounds and not beyond', (name, good, bad) => {
    for (const input of good) expect(studio.takes(name, input), JSON.stringify(input).slice(0, 200)).toBe(true)
    for (const input of bad) expect(studio.takes(name, input), JSON.stringify(input).slice(0, 200)).toBe(false)
  })

  test('that are no item of a playlist are explained by what an item is', () => {
    const said = studio.app.endpoints
      .get('set_collection_playlist')!
      .parseInput(set([{ divider: 'x' }, { video_id: 'v', drip_days: 1.5 }]), { cursorKey })
    const message =
      'must be { divider: a text from 1 to 200 characters } or { video_id: a text from 1 to 200 characters; drip_days: a whole number from 0 to 3650 }'
    expect(said).toEqual({ ok: false, details: [{ path: 'items.1', message }] })
  })

  test('at their bounds are taken by the app too', async () => {
    const most = { title: 'é'.repeat(200), description: 'é'.repeat(5000) }
    const { video_id } = await studio.call('upload_video', { ...upload, ...most })
    const tags = Array.from({ length: 30 }, (_, at) => `${at}`.padEnd(60, 'é'))
    const category_ids = Array.from({ length: 9 }, (_, at) => `h10000${at + 1}`)
    await studio.call('update_video', { video_id, ...most, tags, category_ids })
    await studio.call('create_live_event', { ...event, ...most })
    await studio.call('create_collection', { ...most, video_ids: [video_id] })
    const divider = 'é'.repeat(200)
    const items = [{ video_id, drip_days: 3650 }, ...Array.from({ length: 499 }, () => ({ divider }))]
    await studio.call('set_collection_playlist', { collection_id: 'k100160', items })
    await studio.call('create_community_post', { ...post, text: 'é'.repeat(5000) })
    await studio.call('create_coupon', {
      ...coupon,
      code: 'x'.repeat(30),
      max_uses: 1_000_000,
      max_uses_per_member: 1000,
    })
    expect((await studio.control.effects()).length).toBe(7)
  })
})

test('what is published waits for approval, the rest does not', () => {
  const waiting = [...studio.app.endpoints.values()].filter(({ confirm }) => confirm).map(({ name }) => name)
  expect(waiting.toSorted()).toEqual([
    'create_community_post',
    'create_live_event',
    'publish_video',
    'set_collection_playlist',
    'update_video',
  ])
})
