import { json } from '../platform/replies.ts'
import { data, free } from '../platform/routes.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { branchShown, crewShown, listBranches, listCrew, listTreatments } from './catalogue.ts'
import { ownChair, ownTreatment, treatmentShown } from './catalogue.ts'
import { guestShown, listGuests } from './guests.ts'
import { known } from './input.ts'
import { listNotices } from './notices.ts'
import { listOpenings } from './openings.ts'
import type { Page } from './paging.ts'
import { listReviews, ownReview, reviewShown } from './reviews.ts'
import { addLine, listTalks, ownTalk } from './talks.ts'
import { needBusiness, ownRow, type Kind, type Resource } from './things.ts'
import { bookVisit, listVisits, ownVisit, stages, visitShown } from './visits.ts'
import { addEntry, entryShown, listWaiting, ownEntry } from './waiting.ts'

function me({ viewer: { account, csrf } }: SignedIn): Reply {
  const { account: shop_no, label, person, kind } = account
  return json({ data: { type: 'logins', attributes: { shop_no, label, person, role: kind, stages } }, slip: csrf })
}

function book(request: SignedIn): Reply {
  const { visit, told } = bookVisit(request)
  return json({ data: visit, meta: { told } }, 201)
}

const whole = (find: (request: SignedIn) => Resource[]) => (request: SignedIn) => json({ data: find(request) })

const paged = (find: (request: SignedIn) => Page) => (request: SignedIn) => json(find(request))

/** Reads one thing; those of the guests are for the business login. */
const single = (kind: Kind, find: (request: SignedIn, id: unknown) => Resource): Route =>
  data(`GET /business/api/${kind}/{id}`, (request) => {
    known(request.query, [])
    return json({ data: find(request, request.params['id']) })
  })

const forBusiness = (request: SignedIn): SignedIn => {
  needBusiness(request)
  return request
}

export const apiRoutes: readonly Route[] = [
  free('GET /business/api/me', me),
  free('GET /business/api/crew', whole(listCrew)),
  data('GET /business/api/branches', whole(listBranches)),
  data('GET /business/api/treatments', whole(listTreatments)),
  data('GET /business/api/openings', (request) => json(listOpenings(request))),
  data('GET /business/api/visits', paged(listVisits)),
  data('POST /business/api/visits', book),
  data('GET /business/api/guests', paged(listGuests)),
  data('GET /business/api/waiting', paged(listWaiting)),
  data('POST /business/api/waiting', (request) => json({ data: addEntry(request) }, 201)),
  data('GET /business/api/talks', paged(listTalks)),
  data('POST /business/api/talks/{id}/lines', (request) => json({ data: addLine(request) }, 201)),
  data('GET /business/api/reviews', paged(listReviews)),
  data('GET /business/api/notices', paged(listNotices)),
  single('branches', (request, id) => branchShown(request, ownRow(request, 'branches', id))),
  single('crew', (request, id) => crewShown(ownChair(request, id))),
  single('treatments', (request, id) => treatmentShown(request, ownTreatment(request, id))),
  single('visits', (request, id) => visitShown(ownVisit(request, id))),
  single('guests', (request, id) => guestShown(ownRow(forBusiness(request), 'guests', id))),
  single('waiting', (request, id) => entryShown(ownEntry(forBusiness(request), id))),
  single('talks', ownTalk),
  single('reviews', (request, id) => reviewShown(ownReview(request, id))),
]
