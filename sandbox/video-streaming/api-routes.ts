import { all, count, number, text } from '../platform/rows.ts'
import { json } from '../platform/replies.ts'
import { data, free } from '../platform/routes.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { editClip, listClips, ownClip, seriesOf, uploadClip } from './clips.ts'
import { createPost, listPosts, listRooms } from './community.ts'
import { couponFull, listCoupons } from './coupons.ts'
import { listMails, mailListSize } from './mails.ts'
import { numbersOf, reportOf } from './numbers.ts'
import { asOfNow, known, type Page } from './paging.ts'
import { createSeries, listSeries, ownSeries, seriesFull, setOrder } from './series.ts'
import { createShow, feedAddress, listShows, showFull } from './shows.ts'
import { idOf, ownStudio } from './tables.ts'
import { clipFull, clipRow, postOut, showRow } from './wire.ts'

const payload = (value: unknown, status = 200): Reply => json({ payload: value }, status)

const list =
  (find: (request: SignedIn) => Page<unknown>) =>
  (request: SignedIn): Reply => {
    const { items, info } = find(request)
    return json({ payload: items, 'page-info': info })
  }

/** A read without parameters. */
const plain =
  (find: (request: SignedIn) => unknown) =>
  (request: SignedIn): Reply => {
    known(request.query, [])
    return payload(find(request))
  }

function whoAmI(request: SignedIn): Reply {
  const { account, csrf } = request.viewer
  const { zone, currency } = ownStudio(request)
  const { account: studio, label, person, kind } = account
  return payload({
    studio,
    label,
    person,
    role: kind,
    zone,
    currency,
    'mail-list': mailListSize(request),
    ticket: csrf,
  })
}

const shelves = ({ db, viewer }: SignedIn) =>
  all(db, 'SELECT * FROM shelves WHERE account = ? ORDER BY serial', viewer.account.account).map((shelf) => {
    const id = idOf('shelves', number(shelf, 'serial'))
    const quoted = `"${id}"`
    const holding = 'clips WHERE account = ? AND instr(shelves, ?) > 0'
    return { shelf: id, label: text(shelf, 'label'), 'clip-count': count(db, holding, viewer.account.account, quoted) }
  })

const fullClip = (request: SignedIn, clip: ReturnType<typeof ownClip>) =>
  clipFull(clip, asOfNow(request.now), ownStudio(request).zone, seriesOf(request, clip))

function newClip(request: SignedIn): Reply {
  return payload(clipRow(uploadClip(request), asOfNow(request.now), ownStudio(request).zone), 201)
}

function newShow(request: SignedIn): Reply {
  const { show, key } = createShow(request)
  const ingest = key === null ? {} : { ingest: { address: feedAddress, secret: key } }
  return payload({ ...showRow(show, request), ...ingest }, 201)
}

function newPost(request: SignedIn): Reply {
  return payload(postOut(createPost(request), { now: request.now, zone: ownStudio(request).zone }), 201)
}

export const apiRoutes: readonly Route[] = [
  free('GET /api/whoami', whoAmI),
  free('GET /api/shelves', plain(shelves)),
  data('GET /api/clips', list(listClips)),
  data('POST /api/clips', newClip),
  data(
    'GET /api/clips/{clip}',
    plain((request) => fullClip(request, ownClip(request))),
  ),
  data('PATCH /api/clips/{clip}', (request) => payload(fullClip(request, editClip(request)))),
  data('GET /api/series', list(listSeries)),
  data('POST /api/series', (request) => payload(seriesFull(request, createSeries(request)), 201)),
  data(
    'GET /api/series/{series}',
    plain((request) => seriesFull(request, ownSeries(request))),
  ),
  data('PATCH /api/series/{series}/running-order', (request) => payload(seriesFull(request, setOrder(request)))),
  data('GET /api/shows', list(listShows)),
  data('POST /api/shows', newShow),
  data('GET /api/shows/{show}', plain(showFull)),
  data('GET /api/numbers/{report}', (request) => payload(numbersOf(request, reportOf(request)))),
  data('GET /api/community/rooms', plain(listRooms)),
  data('GET /api/community/rooms/{room}/posts', list(listPosts)),
  data('POST /api/community/rooms/{room}/posts', newPost),
  data('GET /api/coupons', list(listCoupons)),
  data('GET /api/coupons/{coupon}', plain(couponFull)),
  data('GET /api/outbox', list(listMails)),
]
