import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { feeds, started, type Feed, type Member, type Node, type Started } from './crm-studio.ts'

let run: Started
let me: Member
/** Of those who are refused, so that no account is made for nothing. */
let refusedOne: Member
beforeAll(async () => {
  run = await started()
  refusedOne = await run.newcomer()
})
afterAll(() => run[Symbol.asyncDispose]())
beforeEach(async ({ task }) => {
  me = task.name.includes(' is refused with ') ? refusedOne : await run.newcomer()
})

const names = Object.keys(feeds) as Feed[]
const engagementOf = (node: Node | undefined): string => (node?.['engagement'] as Node | undefined)?.id ?? ''
const ids = (nodes: readonly Node[]): string[] => nodes.map(({ id }) => id)

test.each(names)('%s read in steps of seven is the whole list, 60 or more, none twice', async (feed) => {
  const whole = await me.all(feed)
  expect(whole.length).toBeGreaterThanOrEqual(60)
  expect(new Set(ids(whole)).size).toBe(whole.length)
  expect(await me.all(feed, { first: 7 })).toEqual(whole)
  const first = await me.list(feed)
  expect([first.edges.length, first.totalCount, first.pageInfo.hasNextPage]).toEqual([20, whole.length, true])
})

const things = [
  ['EngagementFeed', { track: 'INQUIRY' }],
  ['PeopleFeed', { search: 'ada' }],
  ['PaperFeed', { phases: ['UNSENT'] }],
  ['BillFeed', { settled: false }],
] as const

test.each(things)('%s %j read one by one while new ones come in: none twice, none missing', async (feed, filter) => {
  // So that the search matches some already.
  for (let index = 0; index < 5; index++) {
    await me.engagement({ fullName: `Ada ${index}`, mail: `a${index}@mail.example` })
  }
  const before = (await me.all(feed, filter)).slice(0, 25)
  expect(before.length).toBeGreaterThan(3)
  const blueprints = await me.ask<Node[]>('BlueprintShelf', { kinds: ['SURVEY'] }, 'blueprints')
  let turn = 0
  const meanwhile = async (): Promise<void> => {
    turn += 1
    const { id: engagementId } = await me.engagement({ fullName: 'Ada Aa', mail: `new${turn}@mail.example` })
    if (feed === 'PaperFeed') {
      await me.ask('CopyBlueprint', { engagementId, blueprintId: blueprints[0]?.id }, 'copyBlueprint')
    }
    if (feed === 'BillFeed') {
      await me.ask('DraftBill', { engagementId, lines: [{ label: 'x', unitMinor: 5 }] }, 'draftBill')
    }
  }
  const seen: string[] = []
  for (let after: string | null = null; seen.length < before.length;) {
    const page = await me.list(feed, { ...filter, first: 1, after })
    seen.push(...ids(page.edges.map(({ node }) => node)))
    after = page.pageInfo.endCursor
    if (turn < 8) await meanwhile()
    if (!page.pageInfo.hasNextPage) break
  }
  // By name, a new person may stand ahead of the reader; all who were there come, once and in order.
  const known = new Set(ids(before))
  expect(seen.filter((id) => known.has(id))).toEqual(feed === 'PeopleFeed' ? ids(before) : seen)
  if (feed !== 'PeopleFeed') expect(seen).toEqual(ids(before))
  expect(new Set(seen).size).toBe(seen.length)
  expect((await me.all(feed, filter)).length).toBeGreaterThan(before.length)
})

test('engagements filter by track, by each stage and by the moment they were opened, newest first', async () => {
  const all = await me.all('EngagementFeed')
  const opened = all.map(({ openedAt }) => Date.parse(String(openedAt)))
  expect(opened).toEqual(opened.toSorted((a, b) => b - a))
  for (const track of ['INQUIRY', 'BOOKED']) {
    const some = await me.all('EngagementFeed', { track })
    expect(some).toEqual(all.filter((each) => each['track'] === track))
    expect(some.length).toBeGreaterThan(0)
  }
  const { stages } = (await me.boot()).studio
  let sum = 0
  for (const stage of stages) {
    const some = await me.all('EngagementFeed', { stageId: stage.id })
    expect(some).toEqual(all.filter((each) => (each['stage'] as Node).id === stage.id))
    sum += some.length
  }
  expect([sum, (await me.all('EngagementFeed', { stageId: stages.at(-1)?.id })).length]).toEqual([all.length, 0])
  const middle = String(all[40]?.['openedAt'])
  expect(await me.all('EngagementFeed', { openedFrom: middle })).toEqual(all.slice(0, 41))
  const later = new Date(Date.parse(middle) + 1000).toISOString()
  expect(await me.all('EngagementFeed', { openedFrom: later })).toEqual(all.slice(0, 40))
})

test('people are found by part of a name or address, whatever the case and accents, and stand by name', async () => {
  const all = await me.all('PeopleFeed')
  const nunez = await me.all('PeopleFeed', { search: 'NUNEZ' })
  expect(nunez).toEqual(all.filter(({ fullName }) => String(fullName).includes('Núñez')))
  expect(nunez.length).toBeGreaterThan(0)
  expect(await me.all('PeopleFeed', { search: 'wójcik' })).toEqual(await me.all('PeopleFeed', { search: 'Wojcik' }))
  const [withMail] = all.filter(({ mail }) => mail !== null)
  expect(ids(await me.all('PeopleFeed', { search: String(withMail?.['mail']).toUpperCase() }))).toEqual([withMail?.id])
  expect(await me.all('PeopleFeed', { search: '%' })).toEqual([])
  const plain = all.map(({ fullName }) => String(fullName)).filter((name) => /^[A-Z][a-z -]+$/.test(name))
  expect(plain).toEqual(plain.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)))
  const engaged = await me.all('EngagementFeed')
  for (const { id, engagementIds } of all.slice(0, 30)) {
    expect(engagementIds).toEqual(ids(engaged.filter((each) => (each['person'] as Node).id === id)))
  }
})

test('papers filter by engagement, kind and phase, alone and together', async () => {
  const all = await me.all('PaperFeed')
  for (const kind of ['PROPOSAL', 'CONTRACT', 'SURVEY', 'RIDER', 'INTAKE']) {
    const some = await me.all('PaperFeed', { kinds: [kind] })
    expect(some).toEqual(all.filter((each) => each['kind'] === kind))
    expect(some.length).toBeGreaterThan(10)
  }
  for (const phase of ['UNSENT', 'OUT', 'SEEN', 'COUNTERSIGN', 'DONE']) {
    const some = await me.all('PaperFeed', { phases: [phase] })
    expect(some).toEqual(all.filter((each) => each['phase'] === phase))
    expect(some.length).toBeGreaterThan(5)
    if (phase === 'COUNTERSIGN') expect(new Set(some.map(({ kind }) => kind))).toEqual(new Set(['CONTRACT']))
  }
  const both = await me.all('PaperFeed', { kinds: ['SURVEY', 'RIDER'], phases: ['OUT', 'DONE'] })
  expect(both).toEqual(
    all.filter(({ kind, phase }) => /SURVEY|RIDER/.test(String(kind)) && /OUT|DONE/.test(String(phase))),
  )
  const id = engagementOf(all[50])
  const ofOne = await me.all('PaperFeed', { engagementId: id, first: 1 })
  expect(ofOne).toEqual(all.filter((each) => engagementOf(each) === id))
  expect(ofOne.length).toBeGreaterThan(0)
})

test('bills filter by what is settled, by engagement and by due day, newest first', async () => {
  const all = await me.all('BillFeed')
  const raised = all.map(({ raisedAt }) => Date.parse(String(raisedAt)))
  expect(raised).toEqual(raised.toSorted((a, b) => b - a))
  for (const settled of [true, false]) {
    const some = await me.all('BillFeed', { settled })
    expect(some).toEqual(all.filter((each) => each['settled'] === settled))
    expect(some.length).toBeGreaterThanOrEqual(60)
  }
  const due = all.map(({ dueAt }) => dueAt).filter((day) => day !== null)
  const middle = String(due.map(String).toSorted()[Math.floor(due.length / 2)])
  const early = await me.all('BillFeed', { dueBefore: `${middle.slice(0, 10)}T23:59:59-11:00` })
  expect(early).toEqual(
    all.filter(({ dueAt }) => typeof dueAt === 'string' && dueAt.slice(0, 10) < middle.slice(0, 10)),
  )
  expect(early.length).toBeGreaterThan(20)
  expect(all.some(({ dueAt }) => dueAt === null)).toBe(true)
  const id = engagementOf(all[30])
  expect(await me.all('BillFeed', { engagementId: id })).toEqual(all.filter((each) => engagementOf(each) === id))
})

test('the shelf holds blueprints of every kind, and shows the kinds asked for', async () => {
  const all = await me.ask<Node[]>('BlueprintShelf', {}, 'blueprints')
  expect(new Set(all.map(({ kind }) => kind)).size).toBe(5)
  const some = await me.ask<Node[]>('BlueprintShelf', { kinds: ['CONTRACT', 'INTAKE'] }, 'blueprints')
  expect(some).toEqual(all.filter(({ kind }) => kind === 'CONTRACT' || kind === 'INTAKE'))
})

test.each([
  ['EngagementFeed', { first: 0 }, 'ARGUMENT_INVALID first'],
  ['EngagementFeed', { first: 101 }, 'ARGUMENT_INVALID first'],
  ['EngagementFeed', { first: '5' }, 'ARGUMENT_INVALID first'],
  ['EngagementFeed', { after: 'x' }, 'CURSOR_INVALID after'],
  ['EngagementFeed', { track: 'lead' }, 'ARGUMENT_INVALID track'],
  ['EngagementFeed', { stageId: 'New inquiry' }, 'ARGUMENT_INVALID stageId'],
  ['EngagementFeed', { openedFrom: '2026-01-01' }, 'ARGUMENT_INVALID openedFrom'],
  ['EngagementFeed', { openedFrom: '2026-02-30T00:00:00Z' }, 'ARGUMENT_INVALID openedFrom'],
  ['EngagementFeed', { stage: 1 }, 'ARGUMENT_UNKNOWN stage'],
  ['PaperFeed', { phases: [] }, 'ARGUMENT_INVALID phases'],
  ['PaperFeed', { phases: ['DONE', 'GONE'] }, 'ARGUMENT_INVALID phases.1'],
  ['PaperFeed', { kinds: 'SURVEY' }, 'ARGUMENT_INVALID kinds'],
  ['BillFeed', { settled: 'true' }, 'ARGUMENT_INVALID settled'],
  ['EngagementSheet', {}, 'ARGUMENT_MISSING id'],
  ['EngagementSheet', { id: 'UGFwZXI6MTAwMDE=' }, 'ARGUMENT_INVALID id'],
  ['engagementFeed', {}, 'OPERATION_UNKNOWN operationName'],
  ['toString', {}, 'OPERATION_UNKNOWN operationName'],
  ['EngagementFeed', [], 'ARGUMENT_INVALID variables'],
])('%s %j is refused with %s', async (operation, variables, refusal) => {
  expect(await me.refused(operation, variables)).toBe(`200 ${refusal}`)
})

test('a cursor of one list is none of another', async () => {
  const { pageInfo } = await me.list('PeopleFeed', { first: 1 })
  expect(await me.refused('BillFeed', { after: pageInfo.endCursor })).toBe('200 CURSOR_INVALID after')
})
