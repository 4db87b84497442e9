import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppCaller, values } from './app-caller.ts'
import type { Row } from './app-caller.ts'

let studio: AppCaller
beforeAll(async () => {
  studio = await AppCaller.open('video-streaming')
})
beforeEach(() => studio.sandbox.reset())
afterAll(() => studio.sandbox.close())

const inDays = (days: number): string => `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19)}Z`
const file = { file_url: 'https://media.example.com/a.mp4', title: 'Added meanwhile' }
const published = 'v100089'
const unpublished = 'v100087'
const scheduled = 'v100078'
const actions = async (): Promise<unknown[]> => (await studio.control.effects()).map(({ action }) => action)

describe('each list', () => {
  const lists = [
    { name: 'list_videos', key: 'videos', id: 'video_id', total: 90, few: { status: 'scheduled' } },
    { name: 'list_collections', key: 'collections', id: 'collection_id', total: 62, few: { search: 'sonnengruß' } },
    { name: 'list_live_events', key: 'events', id: 'event_id', total: 64, few: { search: 'sonnengruß' } },
  ]
  const additions: Readonly<Record<string, [string, Row]>> = {
    list_videos: ['upload_video', file],
    list_collections: ['create_collection', { title: file.title, video_ids: [published] }],
    list_live_events: [
      'create_live_event',
      { title: file.title, start_at: '2040-01-31T20:00:00Z', method: 'video_meeting' },
    ],
  }

  test.each(lists)('$name is read to its end, also while items are added', async ({ name, key, id, total }) => {
    const whole = values(await studio.every(name, key, { limit: 100 }), id)
    expect(whole.length).toBe(total)
    expect(new Set(whole).size).toBe(total)
    const parts = await studio.every(name, key, { limit: 3 }, (page) =>
      page % 5 === 2 ? studio.call(...additions[name]!) : undefined,
    )
    expect(values(parts, id)).toEqual(whole)
    const now = values(await studio.every(name, key, { limit: 100 }), id)
    expect(now.length).toBeGreaterThan(total)
    expect(now.slice(-total)).toEqual(whole)
  })

  test.each(lists)('$name is read one by one with a filter', async ({ name, key, id, total, few }) => {
    const whole = values(await studio.rows(name, key, { ...few, limit: 100 }), id)
    expect(whole.length).toBeGreaterThan(2)
    expect(whole.length).toBeLessThan(total)
    expect(values(await studio.every(name, key, { ...few, limit: 1 }), id)).toEqual(whole)
  })

  test.each(lists)('$name is searched by title, in any case', async ({ name, key }) => {
    const all = await studio.every(name, key, { limit: 100 })
    for (const search of [' RÉCITAL', 'łagodna', '<b>& more', 'למתקדמים']) {
      const found = await studio.every(name, key, { search, limit: 100 })
      const wanted = ({ title }: Row) => String(title).toLowerCase().includes(search.trim().toLowerCase())
      expect(found).toEqual(all.filter(wanted))
      expect(found.length).toBeGreaterThan(0)
      expect(found.length).toBeLessThan(all.length)
    }
    expect(await studio.rows(name, key, { search: 'no such title' })).toEqual([])
    expect(await studio.rows(name, key, { search: '', limit: 100 })).toEqual(all)
    expect(await studio.refused(name, { search: 'x'.repeat(201) })).toBe('PARAMETER_INVALID')
  })

  test.each(lists)('$name gives 25 items by default, and 1 to 100', async ({ name, key }) => {
    expect((await studio.rows(name, key, {})).length).toBe(25)
    expect((await studio.rows(name, key, { limit: 2 })).length).toBe(2)
    for (const limit of [1, 100]) expect(studio.takes(name, { limit })).toBe(true)
    for (const bad of [{ limit: 0 }, { limit: 101 }, { limit: 1.5 }, { cursor: 'made-up' }])
      expect(studio.takes(name, bad)).toBe(false)
  })

  test.each(lists)('$name shows another studio nothing of this one', async ({ name, key, id }) => {
    const mine = values(await studio.every(name, key, { limit: 100 }), id)
    const theirs = values(await studio.every(name, key, { limit: 100 }, undefined, 'stranger'), id)
    expect(theirs.length).toBeGreaterThan(50)
    expect(theirs.filter((one) => mine.includes(one))).toEqual([])
  })
})

describe('videos', () => {
  const videos = (input: Row) => studio.every('list_videos', 'videos', { limit: 100, ...input })

  test('are listed by status, all of them when it is empty or left out', async () => {
    const all = await videos({})
    for (const status of ['published', 'unpublished', 'scheduled']) {
      const some = await videos({ status })
      expect(some).toEqual(all.filter((one) => one['status'] === status))
      expect(some.length).toBeGreaterThan(2)
      for (const { release_at } of some) expect(release_at === null).toBe(status !== 'scheduled')
    }
    expect(await videos({ status: '' })).toEqual(all)
    expect(studio.takes('list_videos', { status: 'all' })).toBe(false)
    expect(all.filter(({ processing }) => processing).length).toBe(5)
    expect(values(all, 'category_ids')).toContainEqual([])
  })

  test.each([
    [published, null],
    [unpublished, null],
    [scheduled, true],
    ['v100071', false],
    ['v100036', true],
  ])('%s shows in full as in the list, and whether it has a Coming Soon page', async (video_id, coming_soon) => {
    const listed = (await videos({})).find((one) => one['video_id'] === video_id)
    const { description, tags, collection_ids, ...rest } = await studio.call('get_video', { video_id })
    expect(rest).toEqual({ ...listed, coming_soon })
    expect(typeof description).toBe('string')
    expect(Array.isArray(tags)).toBe(true)
    for (const collection_id of collection_ids as string[]) {
      const { items } = await studio.call('get_collection', { collection_id })
      expect(values(items as Row[], 'video_id')).toContain(video_id)
    }
  })

  test('are uploaded unpublished and processing, with categories or without', async () => {
    const title = 'Zoë & <b>José</b> "ירושלים" 😀'
    const made = await studio.call('upload_video', {
      ...file,
      title,
      description: 'Two\nlines',
      category_ids: ['h100001', 'h100002'],
    })
    const { video_id } = made
    const state = { status: 'unpublished', processing: true }
    expect(made).toEqual({ video_id, title, ...state, category_ids: ['h100001', 'h100002'] })
    expect((await studio.rows('list_videos', 'videos', { limit: 1 }))[0]).toEqual({ ...made, release_at: null })
    expect(await studio.call('get_video', { video_id })).toMatchObject({ description: 'Two\nlines', tags: [] })
    expect(await studio.call('upload_video', file)).toMatchObject({ ...state, category_ids: [] })
    expect(await actions()).toEqual(['clip.upload', 'clip.upload'])
  })

  test('are changed where something is given, and nowhere else', async () => {
    const before = await studio.call('get_video', { video_id: published })
    for (const change of [
      { title: 'New ünïcode <title>' },
      { description: '' },
      { tags: ['a', 'b, c'] },
      { category_ids: ['h100004'] },
      { tags: [], category_ids: [] },
    ]) {
      const last = await studio.call('get_video', { video_id: published })
      const changed = await studio.call('update_video', { video_id: published, ...change })
      expect(changed).toEqual({ ...last, ...change })
      expect(await studio.call('get_video', { video_id: published })).toEqual(changed)
    }
    for (const video_id of [unpublished, scheduled])
      expect(await studio.call('update_video', { video_id, title: 'Other' })).toMatchObject({ title: 'Other' })
    expect(before['status']).toBe('published')
    expect((await studio.control.effects()).length).toBe(7)
  })

  test.each([
    ['now', {}, 0],
    ['now, with email', { email_members: true }, 24],
    ['later', { release_at: inDays(3) }, 0],
    ['later, with email and a Coming Soon page', { release_at: inDays(9), email_members: true, coming_soon: true }, 24],
  ])('are published %s', async (_how, how, emailed_members) => {
    const release_at = 'release_at' in how ? how.release_at : null
    const status = release_at === null ? 'published' : 'scheduled'
    const answer = await studio.call('publish_video', { video_id: unpublished, ...how })
    expect(answer).toEqual({ video_id: unpublished, status, release_at, emailed_members })
    expect(await studio.call('get_video', { video_id: unpublished })).toMatchObject({
      status,
      release_at,
      coming_soon: release_at === null ? null : 'coming_soon' in how,
    })
    expect(await actions()).toEqual(['clip.air'])
  })

  test('are published while they are processed, and by themselves when their time has come', async () => {
    const release_at = new Date(Math.ceil(Date.now() / 1000) * 1000 + 2000).toISOString()
    const { video_id } = await studio.call('upload_video', file)
    expect(await studio.call('publish_video', { video_id, release_at })).toMatchObject({ status: 'scheduled' })
    await new Promise((resolve) => setTimeout(resolve, Date.parse(release_at) - Date.now() + 50))
    expect(await studio.call('get_video', { video_id })).toMatchObject({
      status: 'published',
      release_at: null,
      processing: true,
      coming_soon: null,
    })
  })

  test('keep the moment of their release, with whatever offset it is given', async () => {
    const release_at = '2040-06-30T23:30:00+05:45'
    const answer = await studio.call('publish_video', { video_id: unpublished, release_at })
    expect(answer['release_at']).toBe('2040-06-30T17:45:00Z')
  })

  test('that are unpublished stay in their list as it was while they are published', async () => {
    const filter = { status: 'unpublished' }
    const before = await videos(filter)
    const seen = await studio.every('list_videos', 'videos', { ...filter, limit: 4 }, (page) =>
      studio.call('publish_video', { video_id: before[page]!['video_id'] }),
    )
    expect(seen).toEqual(before)
    expect((await videos(filter)).length).toBeLessThan(before.length)
  })
})

describe('collections', () => {
  const detail = (collection_id: unknown) => studio.call('get_collection', { collection_id })

  test('are published or not, gated or free, and their items are dividers and videos in order', async () => {
    const all = await studio.every('list_collections', 'collections', { limit: 100 })
    expect(new Set(values(all, 'status'))).toEqual(new Set(['published', 'unpublished']))
    const full = await Promise.all(all.slice(0, 40).map(({ collection_id }) => detail(collection_id)))
    expect(new Set(values(full, 'access'))).toEqual(new Set(['gated', 'free']))
    for (const [at, { items, access, ...rest }] of full.entries()) {
      const { category_ids: _categories, video_count, ...row } = all[at]!
      expect(rest).toEqual(row)
      const inside = (items as Row[]).filter((item) => 'video_id' in item)
      expect(inside.length).toBe(video_count)
      if (access === 'free') expect(new Set(values(inside, 'drip_days'))).toEqual(new Set([0]))
    }
    const items = full.flatMap((one) => one['items'] as Row[])
    expect(items.some((item) => 'divider' in item)).toBe(true)
    expect(values(items, 'drip_days')).toEqual(expect.arrayContaining([0, 7, 14]))
    expect(await detail('k100105')).toMatchObject({ items: [] })
  })

  test.each([undefined, 'gated', 'free'])('are made from videos, unpublished, with access %s', async (access) => {
    const made = await studio.call('create_collection', {
      title: 'Ōta & <i>friends</i>',
      video_ids: [scheduled, unpublished, published],
      ...(access === undefined ? {} : { access, description: 'Words', category_ids: ['h100003'] }),
    })
    expect(made).toMatchObject({ status: 'unpublished', video_count: 3, access: access ?? 'gated' })
    expect(made['category_ids']).toEqual(access === undefined ? [] : ['h100003'])
    expect(values(made['items'] as Row[], 'video_id')).toEqual([scheduled, unpublished, published])
    const { category_ids: _categories, video_count: _count, ...rest } = made
    expect(await detail(made['collection_id'])).toEqual(rest)
    const video = await studio.call('get_video', { video_id: scheduled })
    expect(video['collection_ids']).toContain(made['collection_id'])
  })

  test('get a whole new playlist: order, dividers and drip days', async () => {
    const collection_id = 'k100160'
    const items = [
      { video_id: published, drip_days: 3650 },
      { divider: 'Première partie' },
      { video_id: scheduled, drip_days: 0 },
      { divider: 'Première partie' },
      { video_id: unpublished },
    ]
    const set = await studio.call('set_collection_playlist', { collection_id, items })
    const shown = [{ ...items[0] }, items[1], items[2], items[3], { ...items[4], drip_days: 0 }]
    expect(set['items']).toMatchObject(shown)
    expect((set['items'] as Row[]).map((item) => Object.keys(item).length)).toEqual([3, 1, 3, 1, 3])
    expect(await detail(collection_id)).toEqual(set)
    const [row] = await studio.rows('list_collections', 'collections', { search: 'avec Chloé 61' })
    expect(row).toMatchObject({ collection_id, video_count: 3 })
    expect(await studio.call('set_collection_playlist', { collection_id, items: [] })).toMatchObject({ items: [] })
    expect(await actions()).toEqual(['series.order', 'series.order'])
  })
})

const past = '2020-01-01T00:00:00Z'
const entry = { video_id: published }
test.each<[string, Row, string]>([
  ['get_video', { video_id: 'v1' }, 'CLIP_NOT_FOUND'],
  ['get_collection', { collection_id: 'k1' }, 'SERIES_NOT_FOUND'],
  ['upload_video', { ...file, file_url: 'ftp://media.example.com/a.mp4' }, 'SOURCE_INVALID'],
  ['upload_video', { ...file, file_url: 'http://192.168.1.4/a.mp4' }, 'SOURCE_NOT_PUBLIC'],
  ['upload_video', { ...file, file_url: 'https://media.example.com/missing.mp4' }, 'SOURCE_NOT_FOUND'],
  ['upload_video', { ...file, file_url: 'https://media.example.com/a.pdf' }, 'NOT_A_VIDEO'],
  ['upload_video', { ...file, title: 'Two\nlines' }, 'TEXT_INVALID'],
  ['upload_video', { ...file, category_ids: ['h1'] }, 'SHELF_NOT_FOUND'],
  ['update_video', { video_id: 'v1', title: 'x' }, 'CLIP_NOT_FOUND'],
  ['publish_video', { video_id: 'v1' }, 'CLIP_NOT_FOUND'],
  ['publish_video', { video_id: published }, 'NOT_HIDDEN'],
  ['publish_video', { video_id: scheduled }, 'NOT_HIDDEN'],
  ['publish_video', { video_id: scheduled, release_at: inDays(2) }, 'NOT_HIDDEN'],
  ['publish_video', { video_id: unpublished, release_at: past }, 'MOMENT_PAST'],
  ['publish_video', { video_id: unpublished, coming_soon: true }, 'NOT_WITH_NOW'],
  ['create_collection', { title: 'x', video_ids: ['v1'] }, 'CLIP_NOT_FOUND'],
  ['create_collection', { title: ' ', video_ids: [published] }, 'FIELD_REQUIRED'],
  ['set_collection_playlist', { collection_id: 'k1', items: [] }, 'SERIES_NOT_FOUND'],
  ['set_collection_playlist', { collection_id: 'k100160', items: [entry, entry] }, 'LISTED_TWICE'],
  ['set_collection_playlist', { collection_id: 'k100160', items: [{ video_id: 'v1' }] }, 'CLIP_NOT_FOUND'],
  ['set_collection_playlist', { collection_id: 'k100159', items: [{ ...entry, drip_days: 1 }] }, 'WAIT_NEEDS_GATE'],
])('%s %j is refused by the app, which does nothing', async (name, input, code) => {
  expect(await studio.refused(name, input)).toBe(code)
  expect(await studio.control.effects()).toEqual([])
})

test('publish_video is not taken with a second 60', () => {
  const takes = (release_at: string) => studio.takes('publish_video', { video_id: unpublished, release_at })
  expect(['2040-06-30T23:59:59Z', '2040-06-30T23:59:60Z'].map(takes)).toEqual([true, false])
})

test.each<[string, Row, string]>([
  ['get_video', { video_id: published }, 'CLIP_NOT_FOUND'],
  ['update_video', { video_id: published, title: 'x' }, 'CLIP_NOT_FOUND'],
  ['publish_video', { video_id: unpublished }, 'CLIP_NOT_FOUND'],
  ['create_collection', { title: 'x', video_ids: [published] }, 'CLIP_NOT_FOUND'],
  ['get_collection', { collection_id: 'k100160' }, 'SERIES_NOT_FOUND'],
  ['set_collection_playlist', { collection_id: 'k100160', items: [] }, 'SERIES_NOT_FOUND'],
])('%s %j does not reach into another studio', async (name, input, code) => {
  expect(await studio.refused(name, input, 'stranger')).toBe(code)
  expect(await studio.control.effects()).toEqual([])
})
