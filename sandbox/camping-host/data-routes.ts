import { json } from '../platform/replies.ts'
import { data, free } from '../platform/routes.ts'
import { Refusal, type Reply, type Route, type SignedIn } from '../platform/types.ts'
import { sayNo, sayYes } from './asks.ts'
import { listChats, shelves } from './chats.ts'
import { ownHost, rightsOf, todayHere } from './host.ts'
import { checkSpan, cut, jsonFields, known, queryChoice, queryDay } from './input.ts'
import { choosePitches, listLands, ownLand, pitchesOf, queryLand } from './lands.ts'
import { expOf } from './money.ts'
import { changeNights, checkLength, nightsOf, priceNights } from './nights.ts'
import { listPaydays } from './paydays.ts'
import { listReviews, ownReview, repliedChoices } from './reviews.ts'
import { bookedStates, listAsks, listStays, ownStay, type Stay } from './stays.ts'
import { askOut, chatOut, landOut, paydayOut, pitchNights, reviewOut, stayFull, stayOut } from './wire.ts'

function me(request: SignedIn): Reply {
  const { account, label, person, kind } = request.viewer.account
  const host = { host_no: account, label, person, role: kind, may: rightsOf(request.viewer.account) }
  return json({ fern: request.viewer.csrf, host: { ...host, tz: ownHost(request).zone } })
}

function lands(request: SignedIn): Reply {
  known(request.query)
  return json({ rows: listLands(request).map((land) => landOut(land, pitchesOf(request.db, land))) })
}

function coins(request: SignedIn): Reply {
  known(request.query)
  return json({ rows: listLands(request).map(({ serial, cur }) => ({ land: `L${serial}`, cur, exp: expOf(cur) })) })
}

function stays(request: SignedIn): Reply {
  const { query } = request
  known(query, 'first', 'last', 'land', 'st', 'take', 'after')
  const today = todayHere(request)
  const first = queryDay(query, 'first') ?? today
  const usual = first > today + 30 ? first + 30 : today + 30
  const span = checkSpan({ first, last: queryDay(query, 'last') ?? usual })
  const rows = listStays(request, queryLand(request), span, queryChoice(query, 'st', bookedStates))
  const after = query.get('after')
  const seen = after === null ? undefined : ownStay(request, after)
  const isBehind = seen && ((row: Stay) => (row.come - seen.come || row.serial - seen.serial) > 0)
  const { shown, more } = cut(query, rows, isBehind)
  return json({ rows: shown.map(stayOut), more })
}

function stay(request: SignedIn): Reply {
  known(request.query)
  return json(stayFull(ownStay(request)))
}

function asks(request: SignedIn): Reply {
  known(request.query, 'land')
  return json({ rows: listAsks(request, queryLand(request)).map(askOut) })
}

function nights(request: SignedIn): Reply {
  const { db, query } = request
  known(query, 'pitch', 'first', 'last')
  const land = ownLand(request)
  const pitches = choosePitches(db, land, query.get('pitch') ?? undefined)
  const [first, last] = [queryDay(query, 'first'), queryDay(query, 'last')]
  if (first === undefined || last === undefined) {
    throw new Refusal(400, 'ASKED_WRONG', 'first and last are required.', first === undefined ? 'first' : 'last')
  }
  const span = checkSpan({ first, last })
  checkLength(span)
  const rows = pitches.map((pitch) => pitchNights(pitch, land.cur, nightsOf(db, pitch, span)))
  return json({ land: `L${land.serial}`, rows })
}

function chats(request: SignedIn): Reply {
  const { query } = request
  known(query, 'show', 'stay')
  const id = query.get('stay')
  const about = id === null ? undefined : ownStay(request, id)
  return json({ rows: listChats(request, queryChoice(query, 'show', shelves), about).map(chatOut) })
}

function reviews(request: SignedIn): Reply {
  const { query } = request
  known(query, 'land', 'since', 'replied', 'take', 'after')
  const replied = queryChoice(query, 'replied', repliedChoices)
  const rows = listReviews(request, queryLand(request), queryDay(query, 'since') ?? 0, replied)
  const after = query.get('after')
  const seen = after === null ? undefined : ownReview(request, after)
  const isBehind = seen && ((row: { at: number; serial: number }) => (seen.at - row.at || seen.serial - row.serial) > 0)
  const { shown, more } = cut(query, rows, isBehind)
  return json({ rows: shown.map(reviewOut), more })
}

function paydays(request: SignedIn): Reply {
  known(request.query, 'since')
  const since = queryDay(request.query, 'since') ?? todayHere(request) - 90
  return json({ rows: listPaydays(request, since).map(paydayOut) })
}

const changed = (request: SignedIn, shut: boolean): Reply => {
  const land = ownLand(request)
  const { pitches, ...rest } = changeNights(request, land, jsonFields(request.json, 'pitch', 'first', 'last'), shut)
  return json({ land: `L${land.serial}`, pitches: pitches.map((serial) => `P${serial}`), ...rest })
}

function prices(request: SignedIn): Reply {
  const land = ownLand(request)
  const { pitches, ...rest } = priceNights(request, land, jsonFields(request.json, 'pitch', 'days', 'price'))
  const ids = pitches.map((serial) => `P${serial}`)
  return json({ land: `L${land.serial}`, pitches: ids, ...rest, cur: land.cur, exp: expOf(land.cur) })
}

export const dataRoutes: readonly Route[] = [
  free('GET /host/data/me', me),
  free('GET /host/data/coins', coins),
  data('GET /host/data/lands', lands),
  data('GET /host/data/lands/{land}/nights', nights),
  data('PUT /host/data/lands/{land}/shut', (request) => changed(request, true)),
  data('PUT /host/data/lands/{land}/open', (request) => changed(request, false)),
  data('PUT /host/data/lands/{land}/prices', prices),
  data('GET /host/data/stays', stays),
  data('GET /host/data/stays/{stay}', stay),
  data('GET /host/data/asks', asks),
  data('POST /host/data/asks/{stay}/yes', (request) =>
    json(stayFull(sayYes(request, jsonFields(request.json, 'words')))),
  ),
  data('POST /host/data/asks/{stay}/no', (request) =>
    json(stayFull(sayNo(request, jsonFields(request.json, 'words')))),
  ),
  data('GET /host/data/chats', chats),
  data('GET /host/data/reviews', reviews),
  data('GET /host/data/paydays', paydays),
]
