import { json } from '../platform/replies.ts'
import { data, free } from '../platform/routes.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { listBookings } from './bookings.ts'
import { crowds, gatheringOut, listGatherings, organizers, ownGathering, passesOf } from './gatherings.ts'
import { guestNames, listGuests, putGuest } from './guests.ts'
import { readBody, readQuery } from './input.ts'
import { listMails } from './mailings.ts'
import { addSlot, changeNames, changeSlot, listSlots, slotNames, slotsOf, streamsOf } from './slots.ts'
import { listVoices } from './voice-list.ts'
import { readWrapUp } from './wrap-ups.ts'

function me({ viewer, query }: SignedIn): Reply {
  readQuery(query, [])
  const { account, label, person, kind } = viewer.account
  return json({ organizer_no: account, house: label, person, role: kind, stamp: viewer.csrf })
}

function setup(request: SignedIn): Reply {
  readQuery(request.query, [])
  const gathering = ownGathering(request)
  const { serial, cur, signup } = gathering
  const passes = passesOf(request.db, gathering).map(({ serial: pass, label, price }) => ({
    pass_no: String(pass),
    label,
    price: { minor: price, cur },
  }))
  const streams = streamsOf(slotsOf(request.db, gathering))
  return json({ gathering_no: String(serial), passes, crowds, streams, signup_path: `/signup/${signup}` })
}

const gatherings = (request: SignedIn): Reply =>
  json({ gatherings: listGatherings(request).map((one) => gatheringOut(one, request.now)) })

function guests(request: SignedIn): Reply {
  const { items, pagination } = listGuests(request)
  return json({ pagination, guests: items })
}

function bookings(request: SignedIn): Reply {
  const { items, pagination } = listBookings(request)
  return json({ pagination, bookings: items })
}

function mails(request: SignedIn): Reply {
  const { items, pagination } = listMails(request)
  return json({ pagination, mails: items })
}

function put(request: SignedIn): Reply {
  const { guest, fresh } = putGuest(request, readBody(request.json, guestNames))
  return json({ guest, fresh }, fresh ? 201 : 200)
}

const api = '/organizer/v1'
const gathering = `${api}/gatherings/{gathering}` as const

export const apiRoutes: readonly Route[] = [
  free(`GET ${api}/me`, me),
  free(`GET ${gathering}/setup`, setup),
  data(`GET ${api}/gatherings`, gatherings),
  data(`GET ${gathering}/guests`, guests),
  data(`PUT ${gathering}/guests`, organizers(put)),
  data(`GET ${gathering}/bookings`, organizers(bookings)),
  data(`GET ${gathering}/slots`, (request) => json({ slots: listSlots(request) })),
  data(
    `POST ${gathering}/slots`,
    organizers((request) => json({ slot: addSlot(request, readBody(request.json, slotNames)) }, 201)),
  ),
  data(
    `PATCH ${api}/slots/{slot}`,
    organizers((request) => json({ slot: changeSlot(request, readBody(request.json, changeNames)) })),
  ),
  data(`GET ${gathering}/voices`, (request) => json({ voices: listVoices(request) })),
  data(
    `GET ${gathering}/wrap-up`,
    organizers((request) => json({ wrap_up: readWrapUp(request) })),
  ),
  data(`GET ${api}/mails`, organizers(mails)),
]
