import type { SignedIn } from '../platform/types.ts'
import { knownGuest, listGuests, type GuestRow } from './guests.ts'
import { findOpenings, type Opening } from './openings.ts'
import { invalid, readDay, readDays, readSlice, type Days, type Slice } from './params.ts'
import { listPayouts, wallet, type Payout } from './payouts.ts'
import { need, salonOf, type Salon } from './salon.ts'
import { chosenBranch, chosenItems, chosenStylist, wordsOf } from './shop.ts'
import { splits, takings, type Split, type Sum } from './takings.ts'
import { listVisits, states, type ShownVisit, type State, type VisitFilter } from './visits.ts'

/** What the lists' parameters mean: pages and JSON routes share it. */

export interface Found<T> {
  salon: Salon
  slice: Slice
  rows: T[]
  total: number
}

/** `state` is one of the built-in codes, or the word of one of the salon's own states. */
function readState({ db, viewer, query }: SignedIn): { state: State | undefined; own: string | undefined } {
  const wanted = query.get('state')
  if (wanted === null || wanted === 'any') return { state: undefined, own: undefined }
  const state = states.find((known) => known === wanted)
  if (state) return { state, own: undefined }
  const own = wordsOf(db, viewer.account.account, 'state').find(
    ({ id, label }) => id === wanted || label.toLowerCase() === wanted.toLowerCase(),
  )
  if (!own) throw invalid('state', `There is no state "${wanted}".`, 'STATE_UNKNOWN')
  return { state: 'own', own: own.label }
}

export function visitsFound(request: SignedIn, preset?: Days): Found<ShownVisit> {
  need(request, 'diary')
  const { db, viewer, query, now } = request
  const { account } = viewer.account
  const salon = salonOf(request)
  const guest = query.get('guest')
  const filter: VisitFilter = {
    days: readDays(query, preset),
    ...readState(request),
    guest: guest === null ? undefined : knownGuest(db, account, guest).id,
    stylist: chosenStylist(db, account, query.get('stylist'))?.id,
    branch: chosenBranch(db, account, query.get('branch')),
  }
  const slice = readSlice(query, salon, now)
  return { salon, slice, ...listVisits(db, account, filter, slice) }
}

export function guestsFound(request: SignedIn): Found<GuestRow> {
  need(request, 'guests')
  const { db, viewer, query, now } = request
  const { account } = viewer.account
  const salon = salonOf(request)
  const filter = {
    search: query.get('q')?.trim() || undefined,
    lastBefore: readDay(query, 'not_seen_since'),
    branch: chosenBranch(db, account, query.get('branch')),
  }
  const slice = readSlice(query, salon, now, 500)
  return { salon, slice, ...listGuests(db, account, filter, slice) }
}

export function openingsFound(request: SignedIn): { day: number; openings: Opening[] } {
  need(request, 'diary')
  const { db, viewer, query, now } = request
  const { account } = viewer.account
  const day = readDay(query, 'day')
  if (day === undefined) throw invalid('day', 'day is required, such as 2026/12/31.')
  const ids = query.getAll('menu_item').flatMap((value) => value.split(','))
  const wish = {
    items: chosenItems(
      db,
      account,
      ids.filter((id) => id !== ''),
    ),
    day,
    stylist: chosenStylist(db, account, query.get('stylist')),
    branch: chosenBranch(db, account, query.get('branch')),
  }
  return { day, openings: findOpenings(db, account, wish, now) }
}

export interface Takings {
  salon: Salon
  days: Days
  split: Split | undefined
  rows: Sum[]
  sum: Sum
}

export function takingsFound(request: SignedIn, preset?: Days): Takings {
  need(request, 'takings')
  const { db, viewer, query } = request
  const { account } = viewer.account
  const wanted = query.get('split')
  const split = splits.find((known) => known === wanted)
  if (wanted !== null && !split) throw invalid('split', `split must be one of ${splits.join(', ')}.`)
  const days = readDays(query, preset)
  const branch = chosenBranch(db, account, query.get('branch'))
  return { salon: salonOf(request), days, split, ...takings(db, account, days, branch, split) }
}

/** Without days, those of the last 30 days and of today. */
export function payoutsFound(request: SignedIn): Found<Payout> {
  const salon = wallet(request)
  const today = Math.floor(request.now / 86_400)
  const days = readDays(request.query, { first: today - 30, last: today })
  const slice = readSlice(request.query, salon, request.now)
  return { salon, slice, ...listPayouts(request.db, salon.account, days, slice) }
}
