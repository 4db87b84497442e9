import { json } from '../platform/replies.ts'
import { data, free } from '../platform/routes.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { book, callOff, move } from './booking.ts'
import { addGuest, findGuest } from './guests.ts'
import { jot, jottingsOf } from './jottings.ts'
import { guestsFound, openingsFound, payoutsFound, takingsFound, visitsFound } from './lists.ts'
import { need, rightsOf, salonOf } from './salon.ts'
import { branchesOf, chosenBranch, menuOf, stylistsOf, wordsOf } from './shop.ts'
import { blockTime, offKinds } from './time-off.ts'
import { findVisit, visitsOf } from './visits.ts'
import {
  branchesAt,
  builtInStates,
  changedOut,
  guestFull,
  guestRow,
  itemOut,
  jottingOut,
  listOut,
  offOut,
  openingOut,
  payoutOut,
  stylistOut,
  sumOut,
  visitOut,
} from './wire.ts'
import { dayText } from './zones.ts'

function me(request: SignedIn): Reply {
  const { account, csrf } = request.viewer
  const salon = salonOf(request)
  return json({
    csrf,
    who: { account: account.account, full_name: account.person, role: account.kind, rights: rightsOf(account.kind) },
    salon: {
      title: salon.title,
      currency: { code: salon.currency, exponent: salon.exponent },
      card_payments: salon.payments,
    },
  })
}

/** The salon's own words: needs no right, counts as no action. */
function setup({ db, viewer }: SignedIn): Reply {
  const { account } = viewer.account
  return json({
    branches: branchesOf(db, account).map(({ id, title, zone }) => ({ branch: id, title, tz: zone })),
    states: [...builtInStates(), ...wordsOf(db, account, 'state').map(({ id, label }) => ({ code: 'own', id, label }))],
    call_off_reasons: wordsOf(db, account, 'reason').map(({ id, label }) => ({ reason: id, label })),
    time_off_kinds: offKinds,
  })
}

function menu(request: SignedIn): Reply {
  const { db, viewer, query } = request
  const branch = chosenBranch(db, viewer.account.account, query.get('branch'))
  const salon = salonOf(request)
  const rows = menuOf(db, salon.account).filter((item) => branch === undefined || item.branches.includes(branch))
  return json({ total: rows.length, rows: rows.map((item) => itemOut(item, salon)) })
}

function team({ db, viewer, query }: SignedIn): Reply {
  const { account } = viewer.account
  const branch = chosenBranch(db, account, query.get('branch'))
  const rows = stylistsOf(db, account).filter((one) => branch === undefined || branchesAt(one).includes(branch))
  return json({ total: rows.length, rows: rows.map(stylistOut) })
}

function visits(request: SignedIn): Reply {
  const { salon, slice, total, rows } = visitsFound(request)
  return json(listOut(salon, slice, total, rows.map(visitOut)))
}

function visit(request: SignedIn): Reply {
  need(request, 'diary')
  return json(visitOut(findVisit(request.db, request.viewer.account.account, request.params['visit'] ?? '')))
}

function openings(request: SignedIn): Reply {
  const found = openingsFound(request)
  return json({ day: dayText(found.day), total: found.openings.length, rows: found.openings.map(openingOut) })
}

function guests(request: SignedIn): Reply {
  const { salon, slice, total, rows } = guestsFound(request)
  return json(listOut(salon, slice, total, rows.map(guestRow)))
}

function guest(request: SignedIn): Reply {
  need(request, 'guests')
  const { db, viewer, params, now } = request
  const found = findGuest(db, viewer.account.account, params['guest'] ?? '')
  return json(guestFull(found, jottingsOf(db, found.id), visitsOf(db, found.id), now))
}

function takings(request: SignedIn): Reply {
  const { salon, days, split, rows, sum } = takingsFound(request)
  return json({
    first_day: dayText(days.first),
    last_day: dayText(days.last),
    currency: { code: salon.currency, exponent: salon.exponent },
    split: split ?? null,
    rows: rows.map((row) => ({ label: row.label, ...sumOut(row, salon) })),
    sum: sumOut(sum, salon),
  })
}

function payouts(request: SignedIn): Reply {
  const { salon, slice, total, rows } = payoutsFound(request)
  return json(
    listOut(
      salon,
      slice,
      total,
      rows.map((row) => payoutOut(row, salon)),
    ),
  )
}

export const apiRoutes: readonly Route[] = [
  free('GET /api/v2/me', me),
  free('GET /api/v2/setup', setup),
  data('GET /api/v2/menu', menu),
  data('GET /api/v2/team', team),
  data('POST /api/v2/team/{stylist}/time-off', (request) => json(offOut(blockTime(request, request.json)), 201)),
  data('GET /api/v2/openings', openings),
  data('GET /api/v2/visits', visits),
  data('POST /api/v2/visits', (request) => json(changedOut(book(request, request.json)), 201)),
  data('GET /api/v2/visits/{visit}', visit),
  data('POST /api/v2/visits/{visit}/move', (request) => json(changedOut(move(request, request.json)))),
  data('POST /api/v2/visits/{visit}/call-off', (request) => json(changedOut(callOff(request, request.json)))),
  data('GET /api/v2/guests', guests),
  data('POST /api/v2/guests', (request) => json(guestFull(addGuest(request, request.json), [], [], request.now), 201)),
  data('GET /api/v2/guests/{guest}', guest),
  data('POST /api/v2/guests/{guest}/jottings', (request) =>
    json(jottingOut(jot(request, request.json), request.params['guest'] ?? ''), 201),
  ),
  data('GET /api/v2/takings', takings),
  data('GET /api/v2/payouts', payouts),
]
