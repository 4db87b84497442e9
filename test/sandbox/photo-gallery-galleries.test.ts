import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ids, prooflight, refusal, type Item, type Photographer, type Prooflight } from './photo-gallery-studio.ts'

let run: Prooflight
let me: Photographer
/** All that it tries is refused. */
let calm: Photographer
beforeAll(async () => {
  run = await prooflight()
  calm = await run.newcomer()
})
afterAll(() => run[Symbol.asyncDispose]())
beforeEach(async () => {
  me = await run.newcomer()
})

const mails = async (who = me): Promise<number> => (await who.read('/mailings?page[size]=1')).meta.matching

test('a new gallery is empty and first in the list, and nobody is written to', async () => {
  const before = await mails()
  const gallery = await me.make('galleries', { title: ' Été à Évora <b> ', shoot_day: '20260228' })
  expect(gallery.attributes).toMatchObject({ title: 'Été à Évora <b>', shoot_day: '20260228', frames: 0, invited: 0 })
  expect(await me.item(`/galleries/${gallery.id}`)).toEqual(gallery)
  expect((await me.read('/galleries')).data[0]?.id).toBe(gallery.id)
  expect((await me.read('/galleries?filter[q]=évora <B>')).data.map(({ id }) => id)).toEqual([gallery.id])
  expect(await mails()).toBe(before)
  const body = { id: gallery.id, title: 'Été à Évora <b>', shoot_day: '20260228' }
  expect(await run.effects(me.account)).toEqual([{ action: 'gallery.create', body }])
  expect((await me.make('galleries', { title: 'ő'.repeat(200) })).attributes['shoot_day']).toBeNull()
  expect(await (await fetch(String(gallery.attributes['public_link']))).text()).toContain('Été à Évora &lt;b&gt;')
})

test.each([
  [{}, '422 FIELD_REQUIRED'],
  [{ title: '  ' }, '422 FIELD_REQUIRED'],
  [{ title: 'x'.repeat(201) }, '422 TEXT_TOO_LONG'],
  [{ title: 'x', shoot_day: '2026-02-28' }, '422 DAY_INVALID'],
  [{ title: 'x', shoot_day: '20260229' }, '422 DAY_INVALID'],
  [{ title: 'x', password: 'secret' }, '422 FIELD_UNKNOWN'],
])('a gallery of %j is refused with %s', async (attributes, code) => {
  expect(await refusal(await calm.post('/galleries', { type: 'galleries', attributes }))).toBe(code)
  expect(await run.effects(calm.account)).toEqual([])
})

test('what can be fetched is stored, the rest is rejected and said', async () => {
  const { id } = await me.make('galleries', { title: 'Upload' })
  const good = ['https://cdn.example/a/bride.jpg', 'http://cdn.example/b/bride.jpg?x=1', 'https://cdn.example/photo/77']
  const bad = [
    ['ftp://cdn.example/a.jpg', 'no_web_address'],
    ['not an address', 'no_web_address'],
    ['http://127.0.0.1/a.jpg', 'not_public'],
    ['https://localhost/a.jpg', 'not_public'],
    ['https://[::1]/a.jpg', 'not_public'],
    ['https://172.20.1.1/a.jpg', 'not_public'],
    ['https://cdn.example/missing.jpg', 'not_found'],
    ['https://cdn.example/page.html', 'not_an_image'],
    ['https://cdn.example/', 'not_an_image'],
  ] as const
  const answer = await me.upload(id, [...bad.map(([source]) => source), ...good])
  expect(answer.status).toBe(201)
  const { data, meta } = (await answer.json()) as { data: Item[]; meta: unknown }
  const rejects = bad.map(([source, why]) => ({ source, why }))
  expect(meta).toEqual({ gallery: id, stored: 3, rejects, frames_now: 3 })
  expect(data.map(({ attributes }) => attributes['file'])).toEqual(['bride.jpg', 'bride (2).jpg', '77.jpg'])
  expect((await me.item(`/galleries/${id}`)).attributes['frames']).toBe(3)
  expect(await me.all(`/galleries/${id}/frames`, 1)).toEqual(data.toReversed())
  const stored = data.map((frame) => ({
    id: frame.id,
    file: frame.attributes['file'],
    source: frame.attributes['source'],
  }))
  const effect = { action: 'frames.add', body: { gallery: id, stored, rejects } }
  expect((await run.effects(me.account)).at(-1)).toEqual(effect)
  const none = await me.upload(id, ['http://10.0.0.1/a.jpg'])
  expect(await none.json()).toMatchObject({ data: [], meta: { stored: 0, frames_now: 3 } })
})

test('storage counts against the plan: what does not fit is refused as a whole', async () => {
  const small = await run.newcomer('starter')
  const { id } = await small.make('galleries', { title: 'Full' })
  const sources = Array.from({ length: 30 }, (_, index) => `https://cdn.example/${index}.jpg`)
  const before = await small.studio()
  expect(await refusal(await small.upload(id, sources))).toBe('409 PLAN_STORAGE_FULL')
  expect(await small.studio()).toEqual(before)
  expect((await small.item(`/galleries/${id}`)).attributes['frames']).toBe(0)
  expect((await small.upload(id, sources.slice(0, 3))).status).toBe(201)
  const [{ used_kb: used }, { data }] = [await small.studio(), await small.read(`/galleries/${id}/frames`)]
  const added = data.reduce((sum, { attributes }) => sum + Number(attributes['kb']), 0)
  expect(used).toBe(before.used_kb + added)
  const mine = await me.make('galleries', { title: 'Room' })
  expect((await me.upload(mine.id, sources)).status).toBe(201)
})

test('an upload has 1 to 200 frames', async () => {
  const { id } = await me.make('galleries', { title: 'Many' })
  const many = Array.from({ length: 201 }, (_, index) => `https://cdn.example/${index}.jpg`)
  expect(await refusal(await me.upload(id, []))).toBe('422 FRAMES_REQUIRED')
  expect(await refusal(await me.upload(id, many))).toBe('422 TOO_MANY_FRAMES')
  expect((await me.upload(id, many.slice(1))).status).toBe(201)
})

test('a share writes to each address once, with the note and the link', async () => {
  const [gallery] = (await me.read('/galleries')).data
  const id = gallery?.id ?? ''
  const before = await me.item(`/galleries/${id}`)
  const note = 'Voilà!\nשלום <b>'
  const answer = await me.form(`/galleries/${id}/share`, [
    ['to', 'ana@mail.example'],
    ['to', 'bo@mail.example; cy@mail.example\r\n'],
    ['note', note.replace('\n', '\r\n')],
  ])
  expect(answer.status).toBe(303)
  const place = new URL(answer.headers.get('location') ?? '', me.base)
  expect([place.pathname, place.searchParams.get('invited')]).toEqual([`/photo-gallery/studio/galleries/${id}`, '3'])
  const batch = place.searchParams.get('batch')
  const { data } = await me.read(`/mailings?filter[batch]=${batch}`)
  const to = ['ana@mail.example', 'bo@mail.example', 'cy@mail.example']
  expect(data.map(({ attributes }) => attributes['recipient'])).toEqual(to.toReversed())
  for (const { attributes, relationships } of data) {
    expect(attributes['words']).toBe(`${note}\n\n${String(before.attributes['public_link'])}`)
    expect(relationships?.['about']?.data.id).toBe(id)
  }
  const invited = Number(before.attributes['invited']) + 3
  expect((await me.item(`/galleries/${id}`)).attributes['invited']).toBe(invited)
  expect(await run.effects(me.account)).toEqual([{ action: 'gallery.share', body: { gallery: id, batch, to, note } }])
})

test.each([
  [[], 'FIELD_REQUIRED'],
  [['nobody'], 'ADDRESS_INVALID'],
  [['a@b.example', 'A@b.example'], 'ADDRESS_TWICE'],
  [Array.from({ length: 51 }, (_, index) => `g${index}@mail.example`), 'TOO_MANY_ADDRESSES'],
])('a share with %j is refused with %s and writes to nobody', async (to, code) => {
  const [gallery] = (await calm.read('/galleries')).data
  const before = await mails(calm)
  const pairs = to.map((mail): [string, string] => ['to', mail])
  expect(await refusal(await calm.form(`/galleries/${gallery?.id}/share`, pairs))).toBe(`422 ${code}`)
  const long: [string, string][] = [
    ['to', 'a@b.example'],
    ['note', 'x'.repeat(2001)],
  ]
  expect(await refusal(await calm.form(`/galleries/${gallery?.id}/share`, long))).toBe('422 TEXT_TOO_LONG')
  expect(await mails(calm)).toBe(before)
  expect(await run.effects(calm.account)).toEqual([])
})

const guest = (link: string, what: string, fields: Record<string, string>): Promise<Response> =>
  fetch(`${link}${what}`, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) })

test('guests like and download where nothing is asked of them, and both are seen', async () => {
  const open = (await me.read('/galleries?page[size]=40')).data
  const { id } = await me.make('galleries', { title: 'Guests' })
  const link = String((await me.item(`/galleries/${id}`)).attributes['public_link'])
  expect(open.length).toBe(40)
  const who = 'Ada@mail.example'
  expect(await refusal(await guest(link, '/grabs', { who }))).toBe('422 GALLERY_EMPTY')
  await me.upload(id, ['https://cdn.example/one.jpg'])
  expect(await refusal(await guest(link, '/hearts', { who, file: 'two.jpg' }))).toBe('404 FRAME_NOT_FOUND')
  expect((await guest(link, '/hearts', { who, file: 'one.jpg' })).status).toBe(303)
  expect((await guest(link, '/hearts', { who, file: 'one.jpg', remark: 'أحبها' })).status).toBe(303)
  expect((await guest(link, '/grabs', { who })).status).toBe(303)
  const hearts = (await me.read(`/galleries/${id}/hearts`)).data
  expect(hearts.map(({ attributes }) => attributes)).toMatchObject([{ file: 'one.jpg', remark: 'أحبها' }])
  const grabs = (await me.read(`/galleries/${id}/grabs`)).data
  expect(grabs.map(({ attributes }) => attributes)).toMatchObject([{ who: 'ada@mail.example', files: 1 }])
})

test('passwords and PINs keep guests out and are never shown', async () => {
  const galleries = await Promise.all(
    (await calm.all('/galleries')).slice(0, 60).map(({ id }) => calm.item(`/galleries/${id}`)),
  )
  const needs = (name: string, value: boolean): Item[] => galleries.filter((g) => g.attributes[name] === value)
  for (const name of ['locked', 'pin_needed']) {
    expect(needs(name, true).length).toBeGreaterThan(5)
    expect(needs(name, false).length).toBeGreaterThan(5)
  }
  const link = (gallery: Item | undefined): string => String(gallery?.attributes['public_link'])
  const locked = link(needs('locked', true)[0])
  expect(await (await fetch(locked)).text()).not.toContain('/hearts')
  expect(await refusal(await guest(locked, '', { password: 'wrong' }))).toBe('403 PASSWORD_WRONG')
  const pinned = needs('pin_needed', true).find(({ attributes }) => attributes['locked'] === false)
  const tried = await guest(link(pinned), '/grabs', { who: 'a@b.example', pin: '1' })
  expect(await refusal(tried)).toBe('403 PIN_WRONG')
  const shown = JSON.stringify(galleries) + (await (await calm.get(`/studio/galleries/${pinned?.id}`)).text())
  expect(shown).not.toMatch(/velvet-|"password"|"pin"/)
})

test('two studios never see nor change each other’s', async () => {
  const other = await run.newcomer()
  const lists = ['/galleries', '/people', '/bills', '/mailings'] as const
  for (const path of lists) {
    const [mine, theirs] = [ids(await me.all(path)), new Set(ids(await other.all(path)))]
    expect(mine.some((id) => theirs.has(id))).toBe(false)
  }
  const [gallery, person, bill] = await Promise.all(
    lists.slice(0, 3).map(async (path) => (await other.read(path)).data[0]?.id ?? ''),
  )
  for (const path of ['', '/frames', '/hearts', '/grabs']) {
    expect(await refusal(await me.get(`/api/galleries/${gallery}${path}`))).toBe('404 GALLERY_NOT_FOUND')
  }
  expect(await refusal(await me.upload(gallery ?? '', ['https://cdn.example/a.jpg']))).toBe('404 GALLERY_NOT_FOUND')
  const share = await me.form(`/galleries/${gallery}/share`, { to: 'a@b.example' })
  expect(await refusal(share)).toBe('404 GALLERY_NOT_FOUND')
  expect(await refusal(await me.get(`/api/people/${person}`))).toBe('404 PERSON_NOT_FOUND')
  expect(await refusal(await me.get(`/api/bills/${bill}`))).toBe('404 BILL_NOT_FOUND')
  expect(await refusal(await me.form(`/bills/${bill}/send`))).toBe('404 BILL_NOT_FOUND')
  const payer = { payer: { data: { type: 'people', id: person } } }
  const attributes = { lines: [{ label: 'x', each: '1,00' }] }
  const foreign = await me.post('/bills', { type: 'bills', attributes, relationships: payer })
  expect(await refusal(foreign)).toBe('404 PERSON_NOT_FOUND')
  expect(await run.effects(me.account)).toEqual([])
})
