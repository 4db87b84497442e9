import { Refusal } from '../platform/types.ts'
import { day, flag, id, instant, list, oneOf, optional, preset, text, whole, type Parse } from './arguments.ts'
import { billsOf, findBill, listBills, paymentsOf } from './bills.ts'
import { findEngagement, listEngagements } from './engagements.ts'
import { kinds, phases, tracks } from './entities.ts'
import { readCursor, type ListName } from './ids.ts'
import { may, need } from './levels.ts'
import { operation, type Operation } from './operation.ts'
import { findPaper, listPapers, papersOf } from './papers.ts'
import { engagementsOf, findPerson, listPeople } from './people.ts'
import { findStage, listBlueprints, listPackages, listStages, studioOf } from './studio.ts'
import * as wire from './wire.ts'

const cursor =
  (name: ListName): Parse<number> =>
  (value, path) => {
    const after = typeof value === 'string' ? readCursor(name, value) : undefined
    if (after === undefined) throw new Refusal(422, 'CURSOR_INVALID', `${path} is no cursor of this list.`, path)
    return after
  }

const paged = (name: ListName): { first: Parse<number>; after: Parse<number | undefined> } => ({
  first: preset(20, whole(1, 100)),
  after: optional(cursor(name)),
})

export const reads = {
  Studio: operation({}, ({ db, viewer: { account } }) => {
    const { zone, currency } = studioOf(account)
    return {
      studio: {
        number: account.account,
        tradeName: account.label,
        zone,
        currency,
        me: { fullName: account.person, level: account.kind },
        stages: listStages(db, account).map(wire.stageOut),
        packages: listPackages(db, account).map(wire.packageOut),
      },
    }
  }),

  EngagementFeed: operation(
    {
      track: optional(oneOf(tracks)),
      stageId: optional(id('Stage')),
      openedFrom: optional(instant),
      ...paged('engagements'),
    },
    ({ db, viewer }, { track, stageId, openedFrom, ...wish }) => {
      const stage = stageId === undefined ? undefined : findStage(db, viewer.account, stageId).id
      const { zone } = studioOf(viewer.account)
      const found = listEngagements(db, viewer, { track, stage, openedFrom }, wish)
      return {
        engagements: wire.connection('engagements', found, wish, (each) => wire.engagementOut(each, zone)),
      }
    },
  ),

  EngagementSheet: operation({ id: id('Engagement') }, ({ db, viewer }, given) => {
    const engagement = findEngagement(db, viewer, given.id)
    const bills = may(viewer, 'money') ? billsOf(db, engagement.id) : null
    const { zone } = studioOf(viewer.account)
    return { engagement: wire.engagementSheet(engagement, papersOf(db, engagement.id), bills, zone) }
  }),

  PeopleFeed: operation(
    { search: optional(text(0, 200)), ...paged('people') },
    ({ db, viewer }, { search, ...wish }) => {
      if (wish.after !== undefined) findPerson(db, viewer.account, wish.after)
      const found = listPeople(db, viewer, search, wish)
      return {
        people: wire.connection('people', found, wish, (person) => ({
          ...wire.personOut(person),
          engagementIds: engagementsOf(db, viewer, person.id).map(wire.engagementId),
        })),
      }
    },
  ),

  BlueprintShelf: operation({ kinds: preset([...kinds], list(oneOf(kinds), 1, 5)) }, ({ db, viewer }, given) => ({
    blueprints: listBlueprints(db, viewer.account, given.kinds).map(wire.blueprintOut),
  })),

  PaperFeed: operation(
    {
      engagementId: optional(id('Engagement')),
      kinds: preset([...kinds], list(oneOf(kinds), 1, 5)),
      phases: preset([...phases], list(oneOf(phases), 1, 5)),
      ...paged('papers'),
    },
    ({ db, viewer }, { engagementId, kinds: chosen, phases: among, ...wish }) => {
      const engagement = engagementId === undefined ? undefined : findEngagement(db, viewer, engagementId).id
      const { zone } = studioOf(viewer.account)
      const found = listPapers(db, viewer, { engagement, kinds: chosen, phases: among }, wish)
      return { papers: wire.connection('papers', found, wish, (each) => wire.paperOut(each, zone)) }
    },
  ),

  PaperReplies: operation({ id: id('Paper'), skipBlank: preset(false, flag) }, ({ db, viewer }, given) => {
    const paper = findPaper(db, viewer, given.id)
    if (paper.phase !== 'DONE') {
      throw new Refusal(409, 'REPLIES_NOT_READY', 'Nobody has completed this paper yet.', 'id')
    }
    return { paper: wire.repliesOut(paper, studioOf(viewer.account).zone, given.skipBlank) }
  }),

  BillFeed: operation(
    {
      settled: optional(flag),
      engagementId: optional(id('Engagement')),
      dueBefore: optional(day),
      ...paged('bills'),
    },
    ({ db, viewer }, { settled, engagementId, dueBefore, ...wish }) => {
      need(viewer, 'money')
      const engagement = engagementId === undefined ? undefined : findEngagement(db, viewer, engagementId).id
      const { zone } = studioOf(viewer.account)
      const found = listBills(db, viewer, { settled, engagement, dueBefore }, wish)
      return { bills: wire.connection('bills', found, wish, (each) => wire.billOut(each, zone)) }
    },
  ),

  BillSheet: operation({ id: id('Bill') }, ({ db, viewer }, given) => {
    need(viewer, 'money')
    const bill = findBill(db, viewer, given.id)
    return { bill: wire.billSheet(bill, paymentsOf(db, bill.id), studioOf(viewer.account).zone) }
  }),
} as const satisfies Record<string, Operation>
