import { Refusal } from '../platform/types.ts'
import { day, id, list, mail, object, oneOf, optional, preset, text } from './arguments.ts'
import { findEngagement, insertEngagement, moveEngagement } from './engagements.ts'
import { tracks } from './entities.ts'
import { need } from './levels.ts'
import { addressOf, sendMail } from './mails.ts'
import { operation, type Operation } from './operation.ts'
import { findPaper, insertPaper, markSent } from './papers.ts'
import { addPerson, findPerson } from './people.ts'
import { findBlueprint, findStage, listStages, studioOf } from './studio.ts'
import * as wire from './wire.ts'

const newPerson = object({
  fullName: text(1, 120),
  mail: optional(mail),
  mobile: preset('', text(0, 40)),
})

export const writes = {
  OpenEngagement: operation(
    {
      headline: text(1, 200),
      personId: optional(id('Person')),
      person: optional(newPerson),
      track: preset('INQUIRY', oneOf(tracks)),
      stageId: optional(id('Stage')),
      labels: preset([], list(text(1, 40), 0, 20)),
      eventAt: optional(day),
      memo: preset('', text(0, 10_000)),
    },
    (request, given) => {
      const { db, viewer, now } = request
      const { account } = viewer
      need(viewer, 'open')
      if ((given.personId === undefined) === (given.person === undefined)) {
        throw new Refusal(422, 'PERSON_OR_PERSON_ID', 'Give either personId or person.', 'personId')
      }
      const { zone, currency } = studioOf(account)
      const [firstStage] = listStages(db, account)
      const stage = given.stageId === undefined ? firstStage : findStage(db, account, given.stageId)
      if (!stage) throw new Error(`${account.account} has no stages.`)
      const person =
        given.personId === undefined
          ? addPerson(db, account, {
              name: given.person?.fullName ?? '',
              mail: given.person?.mail ?? '',
              mobile: given.person?.mobile ?? '',
            })
          : findPerson(db, account, given.personId)
      const engagement = insertEngagement(db, account, {
        headline: given.headline,
        person,
        track: given.track,
        stage,
        labels: [...new Set(given.labels)],
        eventOn: given.eventAt,
        zone,
        currency,
        memo: given.memo,
        assignee: account.person,
        opened: now,
      })
      const sheet = wire.engagementSheet(engagement, [], [], zone)
      request.effect('engagement.open', { ...sheet, newPerson: given.personId === undefined })
      return { openEngagement: { engagement: sheet } }
    },
  ),

  MoveEngagement: operation({ id: id('Engagement'), stageId: id('Stage') }, (request, given) => {
    const { db, viewer } = request
    const before = findEngagement(db, viewer, given.id)
    const engagement = moveEngagement(db, before, findStage(db, viewer.account, given.stageId))
    const moved = { id: wire.engagementId(engagement.id), stage: wire.stageOut(engagement.stage) }
    request.effect('engagement.move', { ...moved, from: wire.stageOut(before.stage) })
    return { moveEngagement: { engagement: wire.engagementOut(engagement, studioOf(viewer.account).zone) } }
  }),

  CopyBlueprint: operation(
    { blueprintId: id('Blueprint'), engagementId: id('Engagement'), heading: optional(text(1, 200)) },
    (request, given) => {
      const { db, viewer, now } = request
      const { zone } = studioOf(viewer.account)
      const engagement = findEngagement(db, viewer, given.engagementId)
      const blueprint = findBlueprint(db, viewer.account, given.blueprintId)
      if (blueprint.kind === 'INTAKE') {
        throw new Refusal(409, 'INTAKE_NOT_COPYABLE', 'An intake form lives on your website only.', 'blueprintId')
      }
      const paper = insertPaper(db, viewer.account, {
        engagement: { id: engagement.id, headline: engagement.headline },
        kind: blueprint.kind,
        name: given.heading ?? blueprint.name,
        phase: 'UNSENT',
        prompts: blueprint.prompts,
        replies: [],
        added: now,
        sent: undefined,
        revised: undefined,
      })
      const copy = wire.paperOut(paper, zone)
      request.effect('paper.copy', { ...copy, blueprint: wire.blueprintOut(blueprint) })
      return { copyBlueprint: { paper: copy } }
    },
  ),

  SendPaper: operation({ id: id('Paper'), note: preset('', text(0, 2000)) }, (request, given) => {
    const { db, viewer, now } = request
    need(viewer, 'send')
    const { zone } = studioOf(viewer.account)
    const unsent = findPaper(db, viewer, given.id)
    const paper = markSent(db, unsent, now)
    const { person } = findEngagement(db, viewer, paper.engagement.id)
    const link = wire.linkTo(request.base, 'p', paper.id)
    const sent = sendMail(db, viewer.account, {
      recipient: addressOf(person),
      subject: `${viewer.account.label}: ${paper.name}`,
      text: given.note === '' ? link : `${given.note}\n\n${link}`,
      at: now,
    })
    const out = { paper: wire.paperOut(paper, zone), mail: wire.mailOut(sent, zone) }
    request.effect('paper.send', { ...out, note: given.note })
    return { sendPaper: { ...out, link } }
  }),
} as const satisfies Record<string, Operation>
