import { Refusal, type SignedIn } from '../platform/types.ts'
import { findGuest, knownGuest, type Guest } from './guests.ts'
import { canDo, dutyAt, latestStart, lengthOf } from './openings.ts'
import { flag, invalid, maybeWords, moment, readBody, textList } from './params.ts'
import { idOf, need, nextTick } from './salon.ts'
import {
  chosenBranch,
  chosenItems,
  chosenStylist,
  menuOf,
  stylistsOf,
  wordsOf,
  type Branch,
  type MenuItem,
  type Stylist,
} from './shop.ts'
import { busy, findVisit, nextVisitNumber, putVisit, type ShownVisit, type Span } from './visits.ts'
import { wallAt } from './zones.ts'

export interface Told {
  via: 'mail' | 'text'
  to: string
}

/** Whom the salon's message about a change goes to: by mail, else by text, else nobody. */
function tell(guest: Guest, wished: boolean): Told | null {
  if (!wished) return null
  if (guest.mail !== null) return { via: 'mail', to: guest.mail }
  return guest.mobile === null ? null : { via: 'text', to: guest.mobile }
}

function checkTime(starts: number, now: number): void {
  if (starts < now) throw invalid('begin_local', 'This time has passed.', 'TIME_PASSED')
  if (starts > latestStart(now)) throw invalid('begin_local', 'A year ahead at most.', 'TIME_TOO_FAR')
}

/** The branch where this person can do it then; refuses where not. */
function place(
  { db, viewer }: SignedIn,
  stylist: Stylist,
  items: readonly MenuItem[],
  span: Span,
  wished: string | undefined,
  except?: string,
): Branch {
  const branch = dutyAt(db, viewer.account.account, stylist, span)
  if (!branch || (wished !== undefined && branch.id !== wished)) {
    throw invalid('begin_local', `${stylist.name} is not on duty for the whole of this time.`, 'OUTSIDE_HOURS')
  }
  if (!canDo(stylist, branch.id, items)) {
    throw invalid('menu_items', `${stylist.name} does not do all of this at ${branch.title}.`, 'STYLIST_CANNOT')
  }
  if (busy(db, stylist.id, span, except).length > 0) {
    throw invalid('begin_local', `${stylist.name} is not free at this time.`, 'TIME_TAKEN')
  }
  return branch
}

/** The first in the team who is free; where nobody is, the refusal of whoever came nearest to it. */
function anybody(
  request: SignedIn,
  items: readonly MenuItem[],
  span: Span,
  wished: string | undefined,
): { stylist: Stylist; branch: Branch } {
  const order = ['OUTSIDE_HOURS', 'STYLIST_CANNOT', 'TIME_TAKEN']
  let nearest = -1
  for (const stylist of stylistsOf(request.db, request.viewer.account.account)) {
    try {
      return { stylist, branch: place(request, stylist, items, span, wished) }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      nearest = Math.max(nearest, order.indexOf(error.problem.code))
    }
  }
  throw invalid('begin_local', 'Nobody can do all of this at this time.', order[nearest] ?? 'OUTSIDE_HOURS')
}

const bookingFields = ['guest', 'menu_items', 'begin_local', 'tz', 'stylist', 'branch', 'remark', 'tell_guest']

export function book(request: SignedIn, json: unknown): { visit: ShownVisit; told: Told | null } {
  need(request, 'diary')
  const { db, viewer, now } = request
  const { account } = viewer.account
  const body = readBody(json, bookingFields)
  const guest = knownGuest(db, account, body['guest'])
  const items = chosenItems(db, account, textList(body, 'menu_items', 10))
  const starts = moment(body, 'begin_local')
  checkTime(starts, now)
  const span = { starts, ends: starts + lengthOf(items) * 60 }
  const wished = chosenBranch(db, account, body['branch'])
  const asked = chosenStylist(db, account, body['stylist'])
  const { stylist, branch } = asked
    ? { stylist: asked, branch: place(request, asked, items, span, wished) }
    : anybody(request, items, span, wished)
  const n = nextVisitNumber(db, account)
  const visit = {
    id: idOf(account, 'visit', n),
    account,
    n,
    guest: guest.id,
    stylist: stylist.id,
    branch: branch.id,
    ...span,
    day: wallAt(starts, branch.zone).day,
    items: items.map(({ id, label }) => ({ id, label })),
    state: 'planned' as const,
    own: null,
    remark: maybeWords(body, 'remark', 500) ?? '',
    reason: null,
  }
  const told = tell(guest, flag(body, 'tell_guest', true))
  putVisit(db, visit, nextTick(db, account))
  const { id, remark } = visit
  const what = { guest: guest.id, stylist: stylist.id, branch: branch.id, menu_items: items.map((item) => item.id) }
  request.effect('visit.book', { visit: id, ...what, ...span, state: visit.state, remark, told })
  return { visit: findVisit(db, account, id), told }
}

const stateWords = { done: 'is over and done', called_off: 'is called off already', missed: 'was missed' } as const

/** Neither over nor called off. */
function checkAlive(visit: ShownVisit, now: number): void {
  const { state } = visit
  if (state === 'done' || state === 'called_off' || state === 'missed') {
    throw new Refusal(422, `VISIT_${state.toUpperCase()}`, `This visit ${stateWords[state]}.`)
  }
  if (visit.ends <= now) throw new Refusal(422, 'VISIT_OVER', 'This visit lies in the past.')
}

/** To another time, and to another stylist if one is named; what is done, its state and its guest stay. */
export function move(request: SignedIn, json: unknown): { visit: ShownVisit; told: Told | null } {
  need(request, 'diary')
  const { db, viewer, now, params } = request
  const { account } = viewer.account
  const visit = findVisit(db, account, params['visit'] ?? '')
  const body = readBody(json, ['begin_local', 'tz', 'stylist', 'tell_guest'])
  checkAlive(visit, now)
  if (visit.starts <= now) throw new Refusal(422, 'VISIT_STARTED', 'This visit has begun: it cannot be moved.')
  const starts = moment(body, 'begin_local')
  checkTime(starts, now)
  const stylist = chosenStylist(db, account, body['stylist']) ?? chosenStylist(db, account, visit.stylist)
  if (!stylist) throw new Error(`Visit ${visit.id} is with nobody.`)
  const menu = menuOf(db, account)
  const items = visit.items.flatMap(({ id }) => menu.filter((item) => item.id === id))
  const span = { starts, ends: starts + lengthOf(items) * 60 }
  const branch = place(request, stylist, items, span, undefined, visit.id)
  const told = tell(findGuest(db, account, visit.guest), flag(body, 'tell_guest', true))
  const day = wallAt(starts, branch.zone).day
  putVisit(db, { ...visit, ...span, day, stylist: stylist.id, branch: branch.id }, nextTick(db, account))
  request.effect('visit.move', { visit: visit.id, stylist: stylist.id, branch: branch.id, ...span, told })
  return { visit: findVisit(db, account, visit.id), told }
}

/** Under way or still to come, for one of the salon's reasons: named by its id or its words. */
export function callOff(request: SignedIn, json: unknown): { visit: ShownVisit; told: Told | null } {
  need(request, 'diary')
  const { db, viewer, now, params } = request
  const { account } = viewer.account
  const visit = findVisit(db, account, params['visit'] ?? '')
  const body = readBody(json, ['reason', 'tell_guest'])
  const reasons = wordsOf(db, account, 'reason')
  const wanted = (maybeWords(body, 'reason', 200) ?? '').trim().toLowerCase()
  const reason = reasons.find(({ id, label }) => id === wanted || label.toLowerCase() === wanted)
  if (!reason) {
    const choice = reasons.map(({ label }) => `"${label}"`).join(', ')
    throw invalid('reason', `Choose one of your reasons: ${choice}.`, wanted ? 'REASON_UNKNOWN' : 'REASON_REQUIRED')
  }
  checkAlive(visit, now)
  const told = tell(findGuest(db, account, visit.guest), flag(body, 'tell_guest', true))
  const next = { ...visit, state: 'called_off' as const, own: null, reason: reason.label }
  putVisit(db, next, nextTick(db, account))
  request.effect('visit.call_off', { visit: visit.id, reason: reason.label, told })
  return { visit: findVisit(db, account, visit.id), told }
}
