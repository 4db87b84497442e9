import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AppPerson, OpenApp } from './open-app.ts'
import { tables } from './tables/index.ts'
import { opened } from './tables/lists.ts'
import type { Row } from './tables/table.ts'
import { codeOf } from './visitor.ts'

/** A submit by somebody without a session, such as a client who has only a link. */
const submits = async (url: string, fields: Record<string, string> = {}): Promise<number> =>
  (await fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) })).status
const shown = async (url: string): Promise<string> => (await fetch(url)).text()

/** What people without a session see and do, which changes what the connectors read. */
function of(slug: string, tests: (me: () => AppPerson, app: () => OpenApp) => void): void {
  describe(slug, () => {
    let app: OpenApp
    let me: AppPerson
    beforeAll(async () => {
      const table = tables.find((one) => one.app.slug === slug)
      if (!table) throw new Error(`${slug} has no table.`)
      app = await opened(table)
      me = await app.newcomer()
    })
    afterAll(() => app[Symbol.asyncDispose]())
    tests(
      () => me,
      () => app,
    )
  })
}

of('crm', (me, app) => {
  const ask = async (operationName: string, variables: unknown): Promise<Row> => {
    const { data, errors } = await me().wrote<{ data?: Row; errors?: unknown }>('POST', '/graphql', {
      operationName,
      variables,
    })
    return (data === undefined ? { errors } : Object.values(data)[0]) as Row
  }
  const refusal = async (body: unknown): Promise<unknown> => codeOf(await me().write('POST', '/graphql', body))
  async function sent(kind: string): Promise<{ id: string; link: string }> {
    const [blueprint] = (await ask('BlueprintShelf', { kinds: [kind] })) as unknown as Row[]
    const person = { fullName: 'Ada', mail: `${kind}@mail.example` }
    const { engagement } = (await ask('OpenEngagement', { headline: kind, person })) as { engagement: Row }
    const made = { blueprintId: blueprint?.['id'], engagementId: engagement['id'] }
    const { id } = (await ask('CopyBlueprint', made))['paper'] as { id: string }
    return { id, link: String((await ask('SendPaper', { id, note: '' }))['link']) }
  }
  const values = async (id: string, skipBlank = false): Promise<unknown> => {
    const { replies } = (await ask('PaperReplies', { id, skipBlank })) as { replies?: { values: string[] }[] }
    return replies?.map((reply) => reply.values)
  }

  test('a contract is opened, signed and countersigned, and only then has replies', async () => {
    const { id, link } = await sent('CONTRACT')
    const number = Buffer.from(id, 'base64').toString().split(':')[1]
    const countersigned = async () => (await me().form(`/papers/${number}/countersign`)).status
    expect(await submits(`${link}/answer`, { reply0: 'Too early' })).toBe(409)
    expect([await submits(`${link}/open`), await submits(`${link}/open`)]).toEqual([303, 409])
    expect(await submits(`${link}/answer`, { reply0: ' ' })).toBe(422)
    expect(await countersigned()).toBe(409)
    expect(await submits(`${link}/answer`, { reply0: 'Ada Ø' })).toBe(303)
    expect([await values(id), await submits(`${link}/answer`, { reply0: 'Again' })]).toEqual([undefined, 409])
    expect([await countersigned(), await values(id)]).toEqual([303, [['Ada Ø'], [], []]])
    const actions = (await app().effects(me())).map(({ action }) => action)
    expect(actions.slice(-4)).toEqual(['engagement.open', 'paper.copy', 'paper.send', 'paper.countersign'])
  })

  test('a survey can be answered again, and a link that was not sent leads nowhere', async () => {
    const { id, link } = await sent('SURVEY')
    await submits(`${link}/open`)
    await submits(`${link}/answer`, { reply0: 'On a ferry', reply3: 'Album\r\nDrone' })
    expect(await values(id, true)).toEqual([['On a ferry'], ['Album', 'Drone']])
    expect(await submits(`${link}/answer`, { reply1: 'שינינו' })).toBe(303)
    expect(await values(id, true)).toEqual([['שינינו']])
    expect((await fetch(`${link.slice(0, -1)}x`)).status).toBe(404)
  })

  test('requests that are no operation are refused', async () => {
    expect(await refusal({ query: '{ studio { zone } }' })).toBe('PERSISTED_ONLY')
    expect(await refusal({ operationName: 'Studio', extra: 1 })).toBe('BODY_INVALID')
    expect(await refusal([])).toBe('BODY_INVALID')
  })
})

of('field-jobs', (me) => {
  const rows = async (path: string): Promise<Row[]> => (await me().read<{ rows: Row[] }>(`/api/${path}`)).rows

  test('a customer answers an estimate once, and pays a bill', async () => {
    const [draft] = await rows('estimates?stage=draft')
    const path = `/api/estimates/${String(draft?.['uuid'])}`
    await me().write('POST', `${path}/send`, {})
    const { accept_page } = await me().read(path)
    const answers = [await submits(String(accept_page), { answer: 'accepted' })]
    answers.push(await submits(String(accept_page), { answer: 'accepted' }))
    expect([answers, (await me().read(path))['stage']]).toEqual([[303, 409], 'accepted'])
    const bill = (await rows('bills?standing=part_settled')).find(({ sent_out_at }) => sent_out_at !== null)
    const open = `/api/bills/${String(bill?.['uuid'])}`
    expect(await submits(String((await me().read(open))['pay_page']))).toBe(303)
    expect(await me().read(open)).toMatchObject({ standing: 'settled', owing_minor: 0 })
  })
})

of('photo-gallery', (me) => {
  interface Item {
    id: string
    attributes: Row
  }
  const data = async <T = Item[]>(path: string): Promise<T> => (await me().read<{ data: T }>(`/api/${path}`)).data
  const linkOf = async (id: string) => String((await data<Item>(`galleries/${id}`)).attributes['public_link'])

  test('guests like and download, but not past a password or a PIN', async () => {
    const galleries = await Promise.all(
      (await data('galleries?page[size]=60')).map(({ id }) => data<Item>(`galleries/${id}`)),
    )
    const attributes = { source: 'https://cdn.example/one.jpg' }
    const made = { data: { type: 'galleries', attributes: { title: 'Guests' } } }
    const { id } = (await me().wrote<{ data: Item }>('POST', '/api/galleries', made)).data
    const link = await linkOf(id)
    const who = 'Ada@mail.example'
    expect(await submits(`${link}/grabs`, { who })).toBe(422)
    await me().write('POST', `/api/galleries/${id}/frames`, { data: [{ type: 'frames', attributes }] })
    expect(await submits(`${link}/hearts`, { who, file: 'two.jpg' })).toBe(404)
    expect(await submits(`${link}/hearts`, { who, file: 'one.jpg', remark: 'أحبها' })).toBe(303)
    expect(await submits(`${link}/grabs`, { who })).toBe(303)
    expect(await data(`galleries/${id}/hearts`)).toMatchObject([{ attributes: { file: 'one.jpg', remark: 'أحبها' } }])
    expect(await data(`galleries/${id}/grabs`)).toMatchObject([{ attributes: { who: 'ada@mail.example', files: 1 } }])
    const locked = galleries.find((one) => one.attributes['locked'] === true)
    expect(await submits(await linkOf(locked?.id ?? ''), { password: 'wrong' })).toBe(403)
    const pinned = galleries.find(({ attributes: { locked, pin_needed } }) => locked === false && pin_needed === true)
    expect(await submits(`${await linkOf(pinned?.id ?? '')}/grabs`, { who, pin: '1' })).toBe(403)
    expect(JSON.stringify(galleries)).not.toMatch(/velvet-|"password"|"pin"/)
  })

  test('a payer pays a bill that was sent, once', async () => {
    const bill = (await data('bills?filter[owing]=yes')).find(({ attributes }) => attributes['stage'] === 'sent')
    const link = String((await data<Item>(`bills/${bill?.id}`)).attributes['pay_link'])
    expect([await submits(link), await submits(link)]).toEqual([303, 409])
    expect((await data<Item>(`bills/${bill?.id}`)).attributes['stage']).toBe('paid')
  })
})

of('course-school', (me) => {
  const rows = async (path: string): Promise<Row[]> =>
    (await me().read<{ rows: Row[] }>(`/api/schools/mine/${path}`)).rows
  const does = (path: string, fields = {}) => me().form(`/schools/mine/${path}`, fields)
  const course = async (code = ''): Promise<string> => {
    const { school } = await me().read<{ school: { no: number } }>('/api/session')
    return shown(`${me().base}/learn/${school.no}/aguarela?code=${code}`)
  }

  test('students see what is shown to them: lectures, comments and coupons', async () => {
    const no = String((await rows('courses'))[0]?.['no'])
    const { lectures } = await me().read<{ lectures: Row[] }>(`/api/schools/mine/courses/${no}/outline`)
    const lecture = String(lectures.find(({ live }) => live === false)?.['no'])
    const held = (await rows('comments?state=held&size=100')).find((row) => String(row['course']) === no)
    for (const [step, sees] of [
      [() => Promise.resolve(), [false, false, false]],
      [() => does(`courses/${no}/lectures/${lecture}/visibility`, { live: '1' }), [true, false, false]],
      [() => does(`comments/${String(held?.['no'])}/verdict`, { verdict: 'allow' }), [true, true, false]],
      [() => does('coupons', { code: 'verao-27', percent: '12.5' }), [true, true, true]],
      [() => does(`courses/${no}/lectures/${lecture}/visibility`, { live: '0' }), [false, true, true]],
      [async () => does(`coupons/${String((await rows('coupons'))[0]?.['no'])}/file`), [false, true, false]],
    ] as const) {
      await step()
      const page = await course('verao-27')
      const signs = [`id="l${lecture}"`, `id="c${String(held?.['no'])}"`, 'data-coupon="works"']
      expect(signs.map((sign) => page.includes(sign))).toEqual(sees)
    }
  })
})

of('travel-log', (me) => {
  test.each(['self', 'circle', 'world'])('a journey for %s is seen by just them', async (audience) => {
    const body = { heading: 'New', first_day: 20260301 }
    const { journey } = await me().wrote<{ journey: Row }>('POST', '/v3/journeys', body)
    const id = String(journey['journey'])
    await me().form(`/journeys/${id}/audience`, { audience })
    const pass = /pass=(\w+)/.exec(await (await me().get('/followers')).text())?.[1]
    const status = async (query: string) => (await fetch(`${me().base}/see/${id}${query}`)).status
    expect([await status(''), await status(`?pass=${pass}`), (await me().get(`/see/${id}`)).status]).toEqual([
      audience === 'world' ? 200 : 404,
      audience === 'self' ? 404 : 200,
      200,
    ])
  })
})

of('property-advertising', (me) => {
  test('an ad is public while it is online, and who asks again adds to the conversation', async () => {
    const { ads } = await me().read<{ ads: Row[] }>('/api/ads?phase=online&per_page=1')
    const ref = String(ads[0]?.['ref'])
    const enquiry = `${me().base}/ad/${ref}/enquiry`
    for (const text of ['First', 'Second']) await submits(enquiry, { name: 'Ada', email: 'ada@mail.example', text })
    const { threads } = await me().read<{ threads: Row[] }>('/api/threads?box=fresh&per_page=1')
    const thread = await me().read(`/api/threads/${String(threads[0]?.['thread'])}`)
    expect(thread).toMatchObject({ ad: ref, fresh_lines: 2, lines: [{ text: 'First' }, { text: 'Second', dir: 'in' }] })
    const statuses = [(await fetch(`${me().base}/ad/${ref}`)).status]
    await me().form(`/my/ads/${ref}/offline`)
    expect([...statuses, (await fetch(`${me().base}/ad/${ref}`)).status]).toEqual([200, 404])
  })
})
