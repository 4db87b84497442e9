import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { numberOf, started, type Member, type Node, type Started } from './crm-studio.ts'

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

interface Sheet extends Node {
  stage: { id: string; label: string }
  person: Node
  papers: { id: string; kind: string; phase: string }[]
  bills: Node[] | null
}

const sheet = (id: string): Promise<Sheet> => me.ask<Sheet>('EngagementSheet', { id }, 'engagement')

async function copyOf(kind: string, engagementId?: string): Promise<Node> {
  const [blueprint] = await me.ask<Node[]>('BlueprintShelf', { kinds: [kind] }, 'blueprints')
  const into = engagementId ?? (await me.engagement()).id
  const made = { blueprintId: blueprint?.id, engagementId: into }
  return (await me.ask<{ paper: Node }>('CopyBlueprint', made, 'copyBlueprint')).paper
}

const send = (id: string): Promise<{ paper: Node; mail: Record<string, string>; link: string }> =>
  me.ask('SendPaper', { id, note: 'Olá & مرحبا' }, 'sendPaper')

/** What the client does, who has a link only. */
const client = (link: string, fields: Record<string, string> = {}): Promise<Response> =>
  fetch(link, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) })

test('an engagement opens for a new client, is found at once, keeps what was given, and sends nothing', async () => {
  const { stages } = (await me.boot()).studio
  const given = {
    headline: 'Noivado “à beira-mar” <b>',
    person: { fullName: 'Ødegård كريم', mail: 'New.One@mail.example', mobile: '+351 1' },
    track: 'BOOKED',
    stageId: stages[2]?.id,
    labels: ['vip', 'vip', 'été'],
    eventAt: '2027-03-28T23:30:00-05:00',
    memo: 'First line\r\nsecond',
  }
  const { engagement } = await me.ask<{ engagement: Sheet }>('OpenEngagement', given, 'openEngagement')
  expect(await sheet(engagement.id)).toEqual(engagement)
  expect((await me.one('EngagementFeed')).id).toBe(engagement.id)
  expect(engagement).toMatchObject({
    headline: given.headline,
    track: 'BOOKED',
    stage: stages[2],
    labels: ['vip', 'été'],
    memo: 'First line\nsecond',
    papers: [],
    bills: [],
  })
  expect(String(engagement['eventAt']).slice(0, 10)).toBe('2027-03-28')
  const [person] = await me.all('PeopleFeed', { search: 'odegard كريم' })
  expect(person).toEqual({ ...engagement.person, engagementIds: [engagement.id] })
  expect(await run.effects(me)).toEqual([{ action: 'engagement.open', body: { ...engagement, newPerson: true } }])
  expect(await me.page('/mail')).not.toContain('New.One@mail.example')
  const again = { headline: 'Second', personId: person?.id }
  const second = await me.ask<{ engagement: Sheet }>('OpenEngagement', again, 'openEngagement')
  expect(second.engagement).toMatchObject({
    track: 'INQUIRY',
    stage: stages[0],
    eventAt: null,
    person: engagement.person,
  })
})

test.each([
  [{ headline: 'x' }, 'PERSON_OR_PERSON_ID personId'],
  [{ person: { fullName: 'x' } }, 'ARGUMENT_MISSING headline'],
  [{ headline: ' ', person: { fullName: 'x' } }, 'ARGUMENT_INVALID headline'],
  [{ headline: 'x'.repeat(201), person: { fullName: 'x' } }, 'ARGUMENT_INVALID headline'],
  [{ headline: 'x', person: {} }, 'ARGUMENT_MISSING person.fullName'],
  [{ headline: 'x', person: { fullName: 'x', mail: 'nobody' } }, 'ARGUMENT_INVALID person.mail'],
  [{ headline: 'x', person: { fullName: 'x', age: 5 } }, 'ARGUMENT_UNKNOWN person.age'],
  [{ headline: 'x', personId: 'UGVyc29uOjE=' }, 'PERSON_NOT_FOUND personId'],
  [{ headline: 'x', person: { fullName: 'x' }, stageId: 'U3RhZ2U6MQ==' }, 'STAGE_NOT_FOUND stageId'],
  [{ headline: 'x', person: { fullName: 'x' }, labels: ['x'.repeat(41)] }, 'ARGUMENT_INVALID labels.0'],
  [{ headline: 'x', person: { fullName: 'x' }, eventAt: '2026-01-01' }, 'ARGUMENT_INVALID eventAt'],
])('opening %j is refused with %s and leaves nothing', async (given, refusal) => {
  const before = [(await me.list('PeopleFeed')).totalCount, await run.effects(me)]
  expect(await me.refused('OpenEngagement', given)).toBe(`200 ${refusal}`)
  expect([(await me.list('PeopleFeed')).totalCount, await run.effects(me)]).toEqual(before)
})

test('an address belongs to one person only', async () => {
  const { person } = (await me.engagement()) as unknown as Sheet
  const taken = { headline: 'x', person: { fullName: 'Other', mail: String(person['mail']).toUpperCase() } }
  expect(await me.refused('OpenEngagement', taken)).toBe('200 MAIL_TAKEN person.mail')
})

test('an engagement moves to any other stage of its studio, and nowhere else', async () => {
  const { id, stage } = (await me.one('EngagementFeed')) as Sheet
  const { stages } = (await me.boot()).studio
  for (const next of stages.filter((each) => each.id !== stage.id)) {
    const { engagement } = await me.ask<{ engagement: Sheet }>(
      'MoveEngagement',
      { id, stageId: next.id },
      'moveEngagement',
    )
    expect(engagement.stage).toEqual(next)
    expect((await sheet(id)).stage).toEqual(next)
    expect(await me.refused('MoveEngagement', { id, stageId: next.id })).toBe('200 STAGE_UNCHANGED stageId')
  }
  const foreign = (await (await run.newcomer()).boot()).studio.stages[0]?.id
  expect(await me.refused('MoveEngagement', { id, stageId: foreign })).toBe('200 STAGE_NOT_FOUND stageId')
  expect((await run.effects(me)).length).toBe(stages.length - 1)
})

test.each(['PROPOSAL', 'CONTRACT', 'SURVEY', 'RIDER'])(
  'a copy of a %s is unsent, goes out once and is mailed',
  async (kind) => {
    const { id: engagementId } = await me.engagement()
    const copy = await copyOf(kind, engagementId)
    expect(copy).toMatchObject({ kind, phase: 'UNSENT', dispatchedAt: null })
    expect((await sheet(engagementId)).papers).toMatchObject([{ id: copy.id, phase: 'UNSENT' }])
    expect(await me.page('/mail')).not.toContain('ada@mail.example')
    const { paper, mail, link } = await send(copy.id)
    expect([paper['phase'], mail['recipient']]).toEqual(['OUT', 'ada@mail.example'])
    expect(await me.one('PaperFeed', { engagementId })).toEqual(paper)
    const sent = await me.page('/mail')
    expect(sent).toContain('Olá &amp; مرحبا')
    expect(sent).toContain(link)
    expect(await me.refused('SendPaper', { id: copy.id })).toBe('200 PAPER_ALREADY_SENT paperId')
    expect((await run.effects(me)).map(({ action }) => action)).toEqual(['engagement.open', 'paper.copy', 'paper.send'])
  },
)

test.each(['OUT', 'SEEN', 'COUNTERSIGN', 'DONE'])('a paper that is %s is not sent again', async (phase) => {
  const { id } = await me.one('PaperFeed', { phases: [phase] })
  expect(await me.refused('SendPaper', { id })).toBe('200 PAPER_ALREADY_SENT paperId')
  expect((await me.one('PaperFeed', { phases: [phase] })).id).toBe(id)
  expect(await run.effects(me)).toEqual([])
})

test('an intake form is not copied, and without an address nothing is sent', async () => {
  const [intake] = await me.ask<Node[]>('BlueprintShelf', { kinds: ['INTAKE'] }, 'blueprints')
  const { id: engagementId } = await me.engagement({ fullName: 'No Mail' })
  const copy = { blueprintId: intake?.id, engagementId }
  expect(await me.refused('CopyBlueprint', copy)).toBe('200 INTAKE_NOT_COPYABLE blueprintId')
  const { id } = await copyOf('SURVEY', engagementId)
  expect(await me.refused('SendPaper', { id })).toBe('200 PERSON_HAS_NO_MAIL')
  expect((await me.one('PaperFeed', { engagementId }))['phase']).toBe('UNSENT')
})

test('a contract is opened, signed by the client, countersigned, and only then has replies', async () => {
  const { id } = await copyOf('CONTRACT')
  const notReady = '200 REPLIES_NOT_READY id'
  expect(await me.refused('PaperReplies', { id })).toBe(notReady)
  const { link } = await send(id)
  expect((await client(`${link}/answer`, { reply0: 'Too early' })).status).toBe(409)
  expect((await client(`${link}/open`)).status).toBe(303)
  expect((await client(`${link}/open`)).status).toBe(409)
  expect((await me.one('PaperFeed', { phases: ['SEEN'] })).id).toBe(id)
  expect((await client(`${link}/answer`, { reply0: ' ' })).status).toBe(422)
  expect((await me.form(`/papers/${numberOf(id)}/countersign`)).status).toBe(409)
  expect((await client(`${link}/answer`, { reply0: 'Ada Ø' })).status).toBe(303)
  expect((await me.one('PaperFeed', { phases: ['COUNTERSIGN'] })).id).toBe(id)
  expect(await me.page('/mail')).toMatch(/owner\.\d+@atelio\.example<\/td>\s*<td dir="auto"><b>[^<]*please countersign/)
  expect(await me.refused('PaperReplies', { id })).toBe(notReady)
  expect((await client(`${link}/answer`, { reply0: 'Again' })).status).toBe(409)
  expect((await me.form(`/papers/${numberOf(id)}/countersign`)).status).toBe(303)
  const { replies } = await me.ask<{ replies: { values: string[] }[] }>('PaperReplies', { id }, 'paper')
  expect(replies.map(({ values }) => values)).toEqual([['Ada Ø'], [], []])
  expect((await client(`${link}/answer`, { reply0: 'Afterwards' })).status).toBe(409)
})

test('a survey can be answered again later; blanks are shown or skipped as asked', async () => {
  const { id } = await copyOf('SURVEY')
  const { link } = await send(id)
  await client(`${link}/open`)
  const replies = async (skipBlank?: boolean): Promise<string[][]> =>
    (await me.ask<{ replies: { values: string[] }[] }>('PaperReplies', { id, skipBlank }, 'paper')).replies.map(
      ({ values }) => values,
    )
  await client(`${link}/answer`, { reply0: 'On a ferry', reply3: 'Album\r\nDrone' })
  expect(await replies()).toEqual([['On a ferry'], [], [], ['Album', 'Drone'], [], [], []])
  expect(await replies(true)).toEqual([['On a ferry'], ['Album', 'Drone']])
  expect((await client(`${link}/answer`, { reply1: 'שינינו' })).status).toBe(303)
  expect(await replies(true)).toEqual([['שינינו']])
})

test('a link that was never sent, or is made up, leads nowhere', async () => {
  const { link } = await send((await copyOf('RIDER')).id)
  expect((await fetch(link)).status).toBe(200)
  expect((await fetch(`${link.slice(0, -1)}x`)).status).toBe(404)
  expect((await fetch(`${me.base}/p/10001-0000000000000000`)).status).toBe(404)
})

test('the forms of the pages do what the operations do, with the same rules', async () => {
  const { stages } = (await me.boot()).studio
  const opened = await me.form('/engagements/new', {
    headline: '<i>By form</i>',
    fullName: 'Bo',
    mail: 'bo@mail.example',
  })
  expect(opened.status).toBe(303)
  const { id } = await me.one('EngagementFeed')
  const path = `/engagements/${numberOf(id)}`
  expect(await me.page(path)).toContain('&lt;i&gt;By form&lt;/i&gt;')
  expect((await me.form(`${path}/stage`, { stageId: stages[1]?.id ?? '' })).status).toBe(303)
  const refused = await me.form(`${path}/stage`, { stageId: stages[1]?.id ?? '' })
  expect([refused.status, /data-code="(\w+)"/.exec(await refused.text())?.[1]]).toEqual([409, 'STAGE_UNCHANGED'])
  const [blueprint] = await me.ask<Node[]>('BlueprintShelf', {}, 'blueprints')
  expect((await me.form(`${path}/papers`, { blueprintId: blueprint?.id ?? '' })).status).toBe(303)
  const { papers } = await sheet(id)
  expect((await me.form(`/papers/${numberOf(papers[0]?.id ?? '')}/send`)).status).toBe(303)
  expect((await sheet(id)).papers[0]?.phase).toBe('OUT')
})
