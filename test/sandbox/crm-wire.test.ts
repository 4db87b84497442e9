import { afterAll, beforeAll, expect, test } from 'vitest'
import { feeds, Member, numberOf, started, type Feed, type Node, type Started } from './crm-studio.ts'

let run: Started
beforeAll(async () => {
  run = await started()
})
afterAll(() => run[Symbol.asyncDispose]())

const member = async (index: number): Promise<Member> => {
  const account = (await run.accounts())[index]
  if (!account) throw new Error(`There is no account ${index}.`)
  return new Member(run.url, account)
}

/** The field names of the documents for this app. */
const documented =
  `project_id title client client_id name email category status tags project_date created_at notes forms invoices
  form_id type project_title phone projects clients template_id templates responses question answer project total
  amount_paid balance due_date created_since query include_empty due_before limit cursor next_cursor`.split(/\s+/)

function namesIn(value: unknown, names: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) namesIn(item, names)
  else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      names.add(name)
      namesIn(item, names)
    }
  }
}

test('at least half of the names on the wire are the app’s own, and so are the words, ids, money and days', async () => {
  const demo = await member(0)
  const names = new Set<string>()
  for (const feed of Object.keys(feeds) as Feed[]) namesIn(await demo.list(feed, { first: 50 }), names)
  const engagement = await demo.one('EngagementFeed')
  const bill = await demo.one('BillFeed', { settled: true })
  namesIn(await demo.ask('EngagementSheet', { id: engagement.id }, 'engagement'), names)
  namesIn(await demo.ask('BillSheet', { id: bill.id }, 'bill'), names)
  namesIn(await demo.ask('BlueprintShelf', {}, 'blueprints'), names)
  const { id } = await demo.one('PaperFeed', { phases: ['DONE'], kinds: ['SURVEY'] })
  namesIn(await demo.ask('PaperReplies', { id }, 'paper'), names)
  expect(names.size).toBeGreaterThan(40)
  const shared = documented.filter((name) => names.has(name))
  expect(shared.length).toBeLessThanOrEqual(documented.length / 2)
  expect(shared.length).toBeLessThanOrEqual(names.size / 2)
  expect(Buffer.from(engagement.id, 'base64').toString()).toMatch(/^Engagement:\d+$/)
  expect(engagement['openedAt']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/)
  expect(bill['sum']).toEqual({ minor: expect.any(Number), currency: expect.stringMatching(/^[A-Z]{3}$/) })
})

test('seeds hold what is awkward: accents, right-to-left text, currencies, offsets, empty and very long texts', async () => {
  for (const index of [0, 1, 2]) {
    const visitor = await member(index)
    const engagements = await visitor.all('EngagementFeed')
    const text = JSON.stringify([engagements, await visitor.all('PeopleFeed')])
    expect(text).toMatch(/[\u0590-\u06ff]/)
    expect(text).toMatch(/[\u00c0-\u017f]/)
    expect(text).toMatch(/<b>/)
    const days = engagements.map(({ eventAt }) => eventAt).filter((day) => typeof day === 'string')
    expect(days.length).toBeLessThan(engagements.length)
    expect(new Set(days.map((day) => day.slice(19))).size).toBeGreaterThan(4)
    expect(days.every((day) => day.slice(10, 19) === 'T00:00:00')).toBe(true)
    const bills = (await visitor.all('BillFeed')) as unknown as { sum: { currency: string }; state: string }[]
    expect(new Set(bills.map(({ sum }) => sum.currency)).size).toBeGreaterThan(3)
    expect(new Set(bills.map(({ state }) => state)).size).toBe(2)
    const memos = []
    for (const { id } of engagements.slice(0, 30)) {
      memos.push((await visitor.ask<{ memo: string }>('EngagementSheet', { id }, 'engagement')).memo)
    }
    expect([memos.includes(''), memos.some((memo) => memo.length > 9900)]).toEqual([true, true])
  }
})

test('what belongs to another studio does not exist, for reads, writes and pages', async () => {
  const [mine, theirs] = [await run.newcomer(), await run.newcomer()]
  const engagement = await theirs.one('EngagementFeed')
  const bill = await theirs.one('BillFeed', { settled: false })
  const paper = await theirs.one('PaperFeed', { phases: ['UNSENT'] })
  const person = await theirs.one('PeopleFeed')
  const [blueprint] = await theirs.ask<Node[]>('BlueprintShelf', {}, 'blueprints')
  const own = await mine.one('EngagementFeed')
  const stageId = (await mine.boot()).studio.stages.at(-1)?.id
  const refused: [string, unknown, string][] = [
    ['EngagementSheet', { id: engagement.id }, 'ENGAGEMENT_NOT_FOUND engagementId'],
    ['MoveEngagement', { id: engagement.id, stageId }, 'ENGAGEMENT_NOT_FOUND engagementId'],
    ['PaperFeed', { engagementId: engagement.id }, 'ENGAGEMENT_NOT_FOUND engagementId'],
    ['PaperReplies', { id: paper.id }, 'PAPER_NOT_FOUND paperId'],
    ['SendPaper', { id: paper.id }, 'PAPER_NOT_FOUND paperId'],
    ['BillFeed', { engagementId: engagement.id }, 'ENGAGEMENT_NOT_FOUND engagementId'],
    ['BillSheet', { id: bill.id }, 'BILL_NOT_FOUND billId'],
    ['SendBill', { id: bill.id }, 'BILL_NOT_FOUND billId'],
    ['LogPayment', { billId: bill.id, minor: 1 }, 'BILL_NOT_FOUND billId'],
    ['CopyBlueprint', { blueprintId: blueprint?.id, engagementId: own.id }, 'BLUEPRINT_NOT_FOUND blueprintId'],
    ['OpenEngagement', { headline: 'x', personId: person.id }, 'PERSON_NOT_FOUND personId'],
  ]
  for (const [operation, variables, refusal] of refused) {
    expect(`${operation} ${await mine.refused(operation, variables)}`).toBe(`${operation} 200 ${refusal}`)
  }
  expect((await mine.send('GET', `/engagements/${numberOf(engagement.id)}`)).status).toBe(404)
  expect((await mine.form(`/bills/${numberOf(bill.id)}/send`)).status).toBe(404)
  expect([await run.effects(mine), await run.effects(theirs)]).toEqual([[], []])
  for (const feed of Object.keys(feeds) as Feed[]) {
    const theirIds = new Set((await theirs.all(feed)).map(({ id }) => id))
    expect((await mine.all(feed)).some(({ id }) => theirIds.has(id))).toBe(false)
  }
})

test('a producer does everything but money', async () => {
  const producer = await run.newcomer('producer')
  const { id } = await producer.engagement()
  expect(await producer.ask('EngagementSheet', { id }, 'engagement')).toMatchObject({ bills: null })
  const draft = { engagementId: id, lines: [{ label: 'x', unitMinor: 1 }] }
  expect(await producer.refused('DraftBill', draft)).toBe('200 LEVEL_TOO_LOW')
  expect(await producer.refused('BillFeed', {})).toBe('200 LEVEL_TOO_LOW')
  expect((await producer.send('GET', '/bills')).status).toBe(403)
  const paper = await producer.ask<{ paper: Node }>(
    'CopyBlueprint',
    { engagementId: id, blueprintId: (await producer.ask<Node[]>('BlueprintShelf', {}, 'blueprints'))[0]?.id },
    'copyBlueprint',
  )
  expect(await producer.ask('SendPaper', { id: paper.paper.id }, 'sendPaper')).toMatchObject({
    paper: { phase: 'OUT' },
  })
})

test('an assistant sees what is assigned to them, moves it, and sends nothing', async () => {
  const assistant = await run.newcomer('assistant')
  const { me, stages } = (await assistant.boot()).studio
  const engagements = await assistant.all('EngagementFeed')
  expect([engagements.length >= 60, engagements.length < 160]).toEqual([true, true])
  for (const { id } of engagements.slice(0, 10)) {
    expect(await assistant.ask('EngagementSheet', { id }, 'engagement')).toMatchObject({
      assignee: me.fullName,
      bills: null,
    })
  }
  const known = new Set(engagements.map(({ id }) => id))
  const people = (await assistant.all('PeopleFeed')) as (Node & { engagementIds: string[] })[]
  expect(people.length).toBeGreaterThanOrEqual(60)
  expect(people.every((each) => each.engagementIds.length > 0 && each.engagementIds.every((id) => known.has(id)))).toBe(
    true,
  )
  const papers = await assistant.all('PaperFeed')
  expect(papers.every(({ engagement }) => known.has((engagement as Node).id))).toBe(true)
  const hidden = [...known].map((id) => Number(numberOf(id))).toSorted((a, b) => a - b)[0] ?? 0
  const notMine = Buffer.from(`Engagement:${hidden + 1}`).toString('base64')
  expect(await assistant.refused('EngagementSheet', { id: notMine })).toBe('200 ENGAGEMENT_NOT_FOUND engagementId')
  const [id, stageId] = [engagements[0]?.id, stages.at(-1)?.id]
  expect(await assistant.ask('MoveEngagement', { id, stageId }, 'moveEngagement')).toMatchObject({ engagement: { id } })
  const unsent = await assistant.one('PaperFeed', { phases: ['UNSENT'] })
  expect(await assistant.refused('SendPaper', { id: unsent.id })).toBe('200 LEVEL_TOO_LOW')
  expect(await assistant.refused('OpenEngagement', { headline: 'x', person: { fullName: 'x' } })).toBe(
    '200 LEVEL_TOO_LOW',
  )
  expect((await run.effects(assistant)).map(({ action }) => action)).toEqual(['engagement.move'])
})

test('requests that are no operation are told apart: bodies, documents, tokens, sessions', async () => {
  const me = await run.newcomer()
  const { xsrf } = await me.boot()
  const json = { 'content-type': 'application/json' }
  const outcome = async (answer: Response): Promise<unknown[]> => {
    const { errors } = (await answer.json()) as { errors: { extensions: { code: string; go?: string } }[] }
    return [answer.status, errors[0]?.extensions.code, errors[0]?.extensions.go].filter((part) => part !== undefined)
  }
  expect(await outcome(await me.post('{'))).toEqual([200, 'BODY_INVALID'])
  expect(await outcome(await me.post({ query: '{ studio { zone } }' }))).toEqual([200, 'PERSISTED_ONLY'])
  expect(await outcome(await me.post({ operationName: 'Studio', extra: 1 }))).toEqual([200, 'BODY_INVALID'])
  const body = { operationName: 'Studio' }
  expect(await outcome(await me.post(body, json))).toEqual([403, 'TOKEN_INVALID'])
  const bare = await fetch(`${me.base}/graphql`, {
    method: 'POST',
    headers: { ...json, 'x-atelio-xsrf': xsrf },
    body: JSON.stringify(body),
  })
  expect(await outcome(bare)).toEqual([401, 'SIGN_IN_REQUIRED', '/crm/enter'])
  expect((await me.send('GET', '/graphql')).status).toBe(405)
  expect(await me.ask('Studio', undefined, 'studio')).toEqual((await me.boot()).studio)
})

test('the seven named accounts are there, with their levels', async () => {
  expect((await run.accounts()).slice(0, 7).map(({ user, kind }) => `${user} ${kind}`)).toEqual([
    'demo owner',
    'stranger owner',
    'poor owner',
    'narrow owner',
    'revoked producer',
    'two_accounts owner',
    'two_accounts assistant',
  ])
})
