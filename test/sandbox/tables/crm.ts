import { crm } from '../../../sandbox/crm/app.ts'
import type { AppPerson } from '../open-app.ts'
import type { Pattern, Row, Table } from './table.ts'

interface Page {
  data: Record<string, { edges?: { node: Row }[]; pageInfo?: { endCursor: string; hasNextPage: boolean } }>
}
const operations = /(\w+)\??(.*)/s

/** `BillFeed?settled=false`, or `POST BillFeed {"settled":false}`: the operation with these variables. */
function ask(person: AppPerson, request: string): Promise<Response> {
  const [, operationName = '', query = ''] = operations.exec(request.replace(/^POST /, '')) ?? []
  const variables = request.startsWith('POST ')
    ? (JSON.parse(query) as unknown)
    : Object.fromEntries([...new URLSearchParams(query)].map(([name, value]) => [name, JSON.parse(value)]))
  return person.write('POST', '/graphql', { operationName, variables })
}

async function answer(person: AppPerson, operationName: string, variables: unknown): Promise<Row> {
  const { data } = await person.wrote<Page>('POST', '/graphql', { operationName, variables })
  return Object.values(data)[0] as unknown as Row
}

const engagement = async (who: AppPerson, count: number): Promise<string> => {
  const person = { fullName: 'Ada Aa', mail: `new${count}@mail.example` }
  const { engagement } = (await answer(who, 'OpenEngagement', { headline: 'Test', person })) as {
    engagement: { id: string }
  }
  return engagement.id
}
const time =
  (name: string) =>
  (row: Row): number =>
    -Date.parse(String(row[name]))
const ofOne = (row: Row | undefined): string => String((row?.['engagement'] as Row | undefined)?.['id'])
const quoted = (...values: string[]): string =>
  encodeURIComponent(JSON.stringify(values.length === 1 ? values[0] : values))
const ofEngagement = (id: string) => ({ [`engagementId=${quoted(id)}`]: { engagement: { id } } })

export const table: Table = {
  app: crm,
  base: '',
  token: async (person) => (await person.read<{ xsrf: string }>('/boot.json')).xsrf,
  send: ask,
  size: 'first',
  page: 20,
  paged: /Feed/,
  rows: ({ data }: Page) => {
    const [found] = Object.values(data)
    return Array.isArray(found) ? (found as Row[]) : (found?.edges ?? []).map(({ node }) => node)
  },
  next: ({ data }: Page) => {
    const place = Object.values(data)[0]?.pageInfo
    return place?.hasNextPage ? `after="${place.endCursor}"` : null
  },
  lists: {
    EngagementFeed: {
      id: 'id',
      order: time('openedAt'),
      where: async (all: Row[], me) => {
        const { studio } = await me.read<{ studio: { stages: { id: string }[] } }>('/boot.json')
        const middle = String(all[40]?.['openedAt'])
        const used = studio.stages
          .slice(0, -1)
          .map(({ id }): [string, Pattern] => [`stageId=${quoted(id)}`, { stage: { id } }])
        return {
          ...Object.fromEntries(used),
          'track="INQUIRY"': { track: 'INQUIRY' },
          'track="BOOKED"': { track: 'BOOKED' },
          [`openedFrom=${quoted(middle)}`]: { openedAt: (at: string) => Date.parse(at) >= Date.parse(middle) },
        }
      },
    },
    'EngagementFeed?track="INQUIRY"': { id: 'id', least: 20, meanwhile: (who, { count }) => engagement(who, count) },
    PeopleFeed: {
      id: 'id',
      where: (all: Row[]) => ({
        'search="NUNEZ"': { fullName: /Núñez/ },
        [`search=${quoted(String(all.find(({ mail }) => mail !== null)?.['mail']).toUpperCase())}`]: {
          mail: String(all.find(({ mail }) => mail !== null)?.['mail']),
        },
      }),
      none: ['search="%"'],
      meanwhile: (who, { count }) => engagement(who, count),
      keeps: 'all',
    },
    PaperFeed: {
      id: 'id',
      where: (all: Row[]) => ({
        ...Object.fromEntries(
          ['PROPOSAL', 'CONTRACT', 'SURVEY', 'RIDER', 'INTAKE'].map((kind) => [`kinds=["${kind}"]`, { kind }]),
        ),
        ...Object.fromEntries(
          ['UNSENT', 'OUT', 'SEEN', 'COUNTERSIGN', 'DONE'].map((phase) => [`phases=["${phase}"]`, { phase }]),
        ),
        'kinds=["SURVEY","RIDER"]&phases=["OUT","DONE"]': { kind: /SURVEY|RIDER/, phase: /OUT|DONE/ },
        ...ofEngagement(ofOne(all[50])),
      }),
    },
    'PaperFeed?phases=["UNSENT"]': {
      id: 'id',
      least: 6,
      meanwhile: async (who, { count }) => {
        const { data } = await who.wrote<{ data: { blueprints: Row[] } }>('POST', '/graphql', {
          operationName: 'BlueprintShelf',
          variables: { kinds: ['SURVEY'] },
        })
        return answer(who, 'CopyBlueprint', {
          engagementId: await engagement(who, count),
          blueprintId: data.blueprints[0]?.['id'],
        })
      },
    },
    BillFeed: {
      id: 'id',
      order: time('raisedAt'),
      where: (all: Row[]) => {
        const due = all.flatMap(({ dueAt }) => (typeof dueAt === 'string' ? [dueAt.slice(0, 10)] : [])).toSorted()
        const middle = due[Math.floor(due.length / 2)] ?? ''
        return {
          'settled=true': { settled: true },
          'settled=false': { settled: false },
          [`dueBefore=${quoted(`${middle}T23:59:59-11:00`)}`]: {
            dueAt: (day: string | null) => day !== null && day.slice(0, 10) < middle,
          },
          ...ofEngagement(ofOne(all[30])),
        }
      },
    },
    'BillFeed?settled=false': {
      id: 'id',
      meanwhile: async (who, { count }) =>
        answer(who, 'DraftBill', { engagementId: await engagement(who, count), lines: [{ label: 'x', unitMinor: 5 }] }),
    },
    BlueprintShelf: { id: 'id', least: 5, where: { 'kinds=["CONTRACT","INTAKE"]': { kind: /CONTRACT|INTAKE/ } } },
  },
  refused: `
    200 ARGUMENT_INVALID first: EngagementFeed?first=0  EngagementFeed?first=101  EngagementFeed?first="5"
    200 ARGUMENT_INVALID track: EngagementFeed?track="lead"
    200 ARGUMENT_INVALID stageId: EngagementFeed?stageId="New inquiry"
    200 ARGUMENT_INVALID openedFrom: EngagementFeed?openedFrom="2026-01-01"
      EngagementFeed?openedFrom="2026-02-30T00:00:00Z"
    200 ARGUMENT_UNKNOWN stage: EngagementFeed?stage=1
    200 ARGUMENT_INVALID phases: PaperFeed?phases=[]
    200 ARGUMENT_INVALID phases.1: PaperFeed?phases=["DONE","GONE"]
    200 ARGUMENT_INVALID kinds: PaperFeed?kinds="SURVEY"
    200 ARGUMENT_INVALID settled: BillFeed?settled="true"
    200 ARGUMENT_MISSING id: EngagementSheet
    200 ARGUMENT_INVALID id: EngagementSheet?id="UGFwZXI6MTAwMDE="
    200 ARGUMENT_INVALID variables: POST EngagementFeed []
    200 CURSOR_INVALID after: EngagementFeed?after="x"
    200 OPERATION_UNKNOWN operationName: engagementFeed  toString
    200 NOTHING_TO_BILL lines: POST DraftBill {"engagementId":"<EngagementFeed|0.id>"}
    200 PERSON_OR_PERSON_ID personId: POST OpenEngagement {"headline":"x"}
    200 ARGUMENT_UNKNOWN person.age: POST OpenEngagement {"headline":"x","person":{"fullName":"x","age":5}}
  `,
  place: ['PeopleFeed', ['BillFeed'], '200 CURSOR_INVALID after', '200 PERSON_NOT_FOUND personId'],
  names: `
    EngagementFeed  PeopleFeed  PaperFeed  BillFeed  BlueprintShelf
    EngagementSheet?id="<EngagementFeed|0.id>"  BillSheet?id="<BillFeed?settled=true|0.id>"
    PaperReplies?id="<PaperFeed?phases=["DONE"]&kinds=["SURVEY"]|0.id>"
  `,
  looks: {
    EngagementFeed: {
      id: (id: string) => /^Engagement:\d+$/.test(Buffer.from(id, 'base64').toString()),
      openedAt: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/,
      eventAt: /^(null|.{10}T00:00:00.*)$/,
    },
    BillFeed: { sum: { minor: Number.isInteger, currency: /^[A-Z]{3}$/ } },
    'PaperFeed?phases=["COUNTERSIGN"]': { kind: 'CONTRACT' },
  },
  holds: {
    'EngagementFeed|eventAt': /^null$/,
    'BillFeed|dueAt': /^null$/,
    'BillFeed|sum.currency': 4,
    'BillFeed|state': 2,
    'BlueprintShelf|kind': 5,
    'EngagementFeed > EngagementSheet?id="{id}"|data.engagement.memo': [/^$/, /^.{9900}/s],
  },
  change: (me) => engagement(me, 0),
  strangers: `
    200 ENGAGEMENT_NOT_FOUND engagementId: EngagementSheet?id="<EngagementFeed|0.id>"
      PaperFeed?engagementId="<EngagementFeed|0.id>"  BillFeed?engagementId="<EngagementFeed|0.id>"
      POST MoveEngagement {"id":"<EngagementFeed|0.id>","stageId":"<my EngagementFeed|0.stage.id>"}
    200 PAPER_NOT_FOUND paperId: PaperReplies?id="<PaperFeed|0.id>"
      POST SendPaper {"id":"<PaperFeed?phases=["UNSENT"]|0.id>"}
    200 BILL_NOT_FOUND billId: BillSheet?id="<BillFeed|0.id>"  POST SendBill {"id":"<BillFeed?settled=false|0.id>"}
      POST LogPayment {"billId":"<BillFeed?settled=false|0.id>","minor":1}
    200 BLUEPRINT_NOT_FOUND blueprintId: POST CopyBlueprint {"blueprintId":"<BlueprintShelf|0.id>","engagementId":"<my EngagementFeed|0.id>"}
    200 PERSON_NOT_FOUND personId: POST OpenEngagement {"headline":"x","personId":"<PeopleFeed|0.id>"}
  `,
  kinds: {
    producer: `
      200 LEVEL_TOO_LOW: BillFeed
        POST DraftBill {"engagementId":"<EngagementFeed|0.id>","lines":[{"label":"x","unitMinor":1}]}
      200: POST OpenEngagement {"headline":"x","person":{"fullName":"x","mail":"x@mail.example"}}
        POST CopyBlueprint {"engagementId":"<EngagementFeed|0.id>","blueprintId":"<BlueprintShelf|0.id>"}
        POST SendPaper {"id":"<PaperFeed?phases=["UNSENT"]|0.id>"}
    `,
    assistant: `
      200 LEVEL_TOO_LOW: POST SendPaper {"id":"<PaperFeed?phases=["UNSENT"]|0.id>"}
        POST OpenEngagement {"headline":"x","person":{"fullName":"x"}}
    `,
  },
  pages: { shows: '', paths: '/engagements  /bills' },
}
