import { json } from '../platform/replies.ts'
import { data, free } from '../platform/routes.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { draftBill, listBills, ownBill } from './bills.ts'
import { listBookings, readSpan } from './bookings.ts'
import { idOf } from './entities.ts'
import { listFrames, upload } from './frames.ts'
import { createGallery, listGalleries, ownGallery } from './galleries.ts'
import { listGrabs, listHearts } from './guests.ts'
import { dataOf, readSent } from './input.ts'
import { listMails } from './mails.ts'
import { cut, known, readSearch, readWish, readYesNo, type Wish } from './parameters.ts'
import { addPerson, findPeople, listPeople, ownPerson } from './people.ts'
import { ownStudio } from './studio.ts'
import { billFull, billRow, bookingOut, frameOut, galleryFull, galleryRow } from './wire.ts'
import { grabOut, heartOut, mailOut, personOut } from './wire.ts'

interface Listed<T> {
  rows: T[]
  matching: number
}

/** One page of a list: `name` and its filters are what the page's token is good for. */
function paged<T extends { serial: number }>(
  request: SignedIn,
  name: string,
  find: (wish: Wish) => Listed<T>,
  show: (row: T) => unknown,
  beside?: (rows: T[]) => unknown[],
): Reply {
  const wish = readWish(request, name)
  const found = find(wish)
  const { rows, token } = cut(request, name, found.rows, wish)
  const included = beside?.(rows)
  return json({
    data: rows.map(show),
    ...(included ? { included } : {}),
    meta: { matching: found.matching, next_token: token },
  })
}

function me(request: SignedIn): Reply {
  const { account, label, person, kind } = request.viewer.account
  const { zone, money, quotaKb, usedKb } = ownStudio(request)
  const attributes = { label, person, plan: kind, zone, money, quota_kb: quotaKb, used_kb: usedKb }
  return json({ data: { type: 'studios', id: account, attributes }, meta: { proof: request.viewer.csrf } })
}

function galleries(request: SignedIn): Reply {
  const { db, viewer, query, base } = request
  known(query, 'filter[q]', 'page[size]', 'page[token]')
  const search = readSearch(query)
  const find = (wish: Wish): ReturnType<typeof listGalleries> => listGalleries(db, viewer.account.account, search, wish)
  return paged(request, `galleries ${search}`, find, (gallery) => galleryRow(gallery, base))
}

function newGallery(request: SignedIn): Reply {
  const sent = readSent(dataOf(request.json), 'galleries', ['title', 'shoot_day'])
  return json({ data: galleryFull(createGallery(request, sent), request.base) }, 201)
}

function frames(request: SignedIn): Reply {
  const { db, query } = request
  known(query, 'page[size]', 'page[token]')
  const { serial } = ownGallery(request)
  return paged(request, `frames ${serial}`, (wish) => listFrames(db, serial, wish), frameOut)
}

const ofGallery = ({ serial }: { serial: number }): { gallery: string } => ({ gallery: idOf('galleries', serial) })

function newFrames(request: SignedIn): Reply {
  const gallery = ownGallery(request)
  const { stored, rejects, framesNow } = upload(request, gallery, dataOf(request.json))
  const meta = { ...ofGallery(gallery), stored: stored.length, rejects, frames_now: framesNow }
  return json({ data: stored.map(frameOut), meta }, 201)
}

function hearts(request: SignedIn): Reply {
  known(request.query, 'filter[noted]')
  const gallery = ownGallery(request)
  const rows = listHearts(request.db, gallery.serial, readYesNo(request.query, 'filter[noted]'))
  return json({ data: rows.map(heartOut), meta: { ...ofGallery(gallery), matching: rows.length } })
}

function grabs(request: SignedIn): Reply {
  known(request.query)
  const gallery = ownGallery(request)
  const rows = listGrabs(request.db, gallery.serial)
  return json({ data: rows.map(grabOut), meta: { ...ofGallery(gallery), matching: rows.length } })
}

function people(request: SignedIn): Reply {
  const { db, viewer, query } = request
  known(query, 'filter[q]', 'page[size]', 'page[token]')
  const search = readSearch(query)
  return paged(request, `people ${search}`, (wish) => listPeople(db, viewer.account.account, search, wish), personOut)
}

function newPerson(request: SignedIn): Reply {
  const sent = readSent(dataOf(request.json), 'people', ['full_name', 'mail', 'tel', 'standing'])
  return json({ data: personOut(addPerson(request, sent)) }, 201)
}

function calendar(request: SignedIn): Reply {
  const { db, viewer } = request
  const span = readSpan(request)
  const rows = listBookings(db, viewer.account.account, span)
  const sitters = findPeople(
    db,
    viewer.account.account,
    rows.map(({ sitter }) => sitter),
  )
  return json({ data: rows.map(bookingOut), included: sitters.map(personOut), meta: { ...span } })
}

function bills(request: SignedIn): Reply {
  const { db, viewer, query } = request
  const { account } = viewer.account
  known(query, 'filter[owing]', 'page[size]', 'page[token]')
  const owing = readYesNo(query, 'filter[owing]')
  return paged(
    request,
    `bills ${owing}`,
    (wish) => listBills(db, account, owing, wish),
    billRow,
    (rows) =>
      findPeople(
        db,
        account,
        rows.map(({ payer }) => payer),
      ).map(personOut),
  )
}

const billReply = (request: SignedIn, bill: ReturnType<typeof ownBill>, status: number): Reply =>
  json(
    {
      data: billFull(bill, request.base),
      included: findPeople(request.db, bill.account, [bill.payer]).map(personOut),
    },
    status,
  )

function newBill(request: SignedIn): Reply {
  const sent = readSent(dataOf(request.json), 'bills', ['lines', 'due_day', 'money', 'memo'], ['payer'])
  return billReply(request, draftBill(request, sent), 201)
}

function mailings(request: SignedIn): Reply {
  const { db, viewer, query } = request
  known(query, 'filter[batch]', 'page[size]', 'page[token]')
  const batch = query.get('filter[batch]') ?? ''
  return paged(request, `mails ${batch}`, (wish) => listMails(db, viewer.account.account, batch, wish), mailOut)
}

export const apiRoutes: readonly Route[] = [
  free('GET /api/me', me),
  data('GET /api/galleries', galleries),
  data('POST /api/galleries', newGallery),
  data('GET /api/galleries/{gallery}', (request) => json({ data: galleryFull(ownGallery(request), request.base) })),
  data('GET /api/galleries/{gallery}/frames', frames),
  data('POST /api/galleries/{gallery}/frames', newFrames),
  data('GET /api/galleries/{gallery}/hearts', hearts),
  data('GET /api/galleries/{gallery}/grabs', grabs),
  data('GET /api/people', people),
  data('POST /api/people', newPerson),
  data('GET /api/people/{person}', (request) =>
    json({ data: personOut(ownPerson(request, request.params['person'] ?? '')) }),
  ),
  data('GET /api/calendar', calendar),
  data('GET /api/bills', bills),
  data('POST /api/bills', newBill),
  data('GET /api/bills/{bill}', (request) => billReply(request, ownBill(request), 200)),
  data('GET /api/mailings', mailings),
]
