import { isRecord } from '../platform/body.ts'
import { json } from '../platform/replies.ts'
import { data, free } from '../platform/routes.ts'
import { Refusal, type Reply, type Route, type SignedIn } from '../platform/types.ts'
import { listCards } from './cards.ts'
import { asStage, asTrack, presets, tracks, trackWords } from './entities.ts'
import { addGuests, allGuests, heldTotal, listGuests, ownGuest, tallyOf } from './guests.ts'
import { invalid } from './input.ts'
import { labelsOf } from './labels.ts'
import { listLetters, messagesTo } from './letters.ts'
import { known, numberIn, pageOf, readCode, readFind } from './paging.ts'
import { listParties, ownParty } from './parties.ts'
import { sheetLink } from './sheet.ts'
import { cardOut, guestFull, guestRow, letterOut, partyFull, partyRow } from './wire.ts'

function whoami({ viewer }: SignedIn): Reply {
  const { account, person, label } = viewer.account
  return json({
    member: { memberCode: account, person, household: label },
    formKey: viewer.csrf,
    tracks: tracks.map((code) => ({ code, caption: trackWords[code] })),
    presets,
  })
}

function parties(request: SignedIn): Reply {
  const { query, now } = request
  known(query, 'stage', 'pageSize', 'moreToken')
  const stage = readCode(query, 'stage', asStage)
  const { rows, moreToken } = pageOf(request, `parties ${stage}`, (wish) => listParties(request, stage, wish))
  return json({ parties: rows.map((party) => partyRow(party, now * 1000)), moreToken })
}

function party(request: SignedIn): Reply {
  const { db, query } = request
  const now = request.now * 1000
  known(query)
  const found = ownParty(request)
  return json({ party: partyFull(found, tallyOf(db, found, now), labelsOf(db, found), now) })
}

function guests(request: SignedIn): Reply {
  const { query, now } = request
  known(query, 'track', 'label', 'find', 'pageSize', 'moreToken')
  const found = ownParty(request)
  const filter = {
    track: readCode(query, 'track', asTrack),
    label: query.get('label') ?? undefined,
    find: readFind(query),
  }
  const list = `guests ${found.serial} ${JSON.stringify(filter)}`
  const { rows, moreToken } = pageOf(request, list, (wish) => listGuests(request, found, filter, wish))
  return json({ guests: rows.map((guest) => guestRow(guest, now * 1000)), moreToken })
}

function guest(request: SignedIn): Reply {
  known(request.query)
  const found = ownGuest(request, ownParty(request))
  return json({ guest: guestFull(found, messagesTo(request.db, found), request.now * 1000) })
}

function newGuests(request: SignedIn): Reply {
  const found = ownParty(request)
  if (!isRecord(request.json)) throw new Refusal(400, 'BODY_INVALID', 'The body must be { "people": [ … ] }.')
  for (const name of Object.keys(request.json)) {
    if (name !== 'people') throw invalid('FIELD_UNKNOWN', `There is no field ${name} here.`, name)
  }
  const added = addGuests(request, found, request.json['people'])
  const guestNos = added.map(({ serial }) => serial)
  return json({ partyNo: found.serial, guestNos, track: 'HELD', heldTotal: heldTotal(request.db, found) }, 201)
}

function sheetOffer(request: SignedIn): Reply {
  const { db, query, base, now } = request
  known(query)
  const found = ownParty(request)
  return json({ partyNo: found.serial, lines: allGuests(db, found).length, ...sheetLink(db, found, base, now * 1000) })
}

function addressBook(request: SignedIn): Reply {
  const { query } = request
  known(query, 'find', 'pageSize', 'moreToken')
  const find = readFind(query)
  const { rows, moreToken } = pageOf(request, `cards ${find}`, (wish) => listCards(request, find, wish))
  return json({ cards: rows.map(cardOut), moreToken })
}

function outbox(request: SignedIn): Reply {
  const { query, now } = request
  known(query, 'batchNo', 'pageSize', 'moreToken')
  const given = query.get('batchNo')
  const batch = given === null ? undefined : numberIn(given)
  const { rows, moreToken } = pageOf(request, `letters ${batch}`, (wish) => listLetters(request, batch, wish))
  return json({ letters: rows.map((letter) => letterOut(letter, now * 1000)), moreToken })
}

export const apiRoutes: readonly Route[] = [
  free('GET /api/whoami', whoami),
  data('GET /api/parties', parties),
  data('GET /api/parties/{party}', party),
  data('GET /api/parties/{party}/guests', guests),
  data('POST /api/parties/{party}/guests', newGuests),
  data('GET /api/parties/{party}/guests/{guest}', guest),
  data('GET /api/parties/{party}/sheet', sheetOffer),
  data('GET /api/addressBook', addressBook),
  data('GET /api/outbox', outbox),
]
