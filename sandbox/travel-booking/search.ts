import { hash32 } from '../platform/random.ts'
import { Refusal, type AppRequest, type SignedIn } from '../platform/types.ts'
import { dayText, offsetOf, todayIn } from './clock.ts'
import { invalid, known, readCount } from './input.ts'
import { findSpot, isVehicle, vehicles, type Spot, type Vehicle } from './places.ts'
import { bands, runsBetween, tripOf, type Band, type Run, type Trip } from './timetable.ts'

/** Sales close that long before a departure. */
const closesMs = 15 * 60_000
const daysAhead = 180

export interface Search {
  start: Spot
  goal: Spot
  offset: number
  back: number | undefined
  riders: Band[]
}

export const partyFields = ['grownUps', 'youngsters', 'kids', 'elders'] as const

export const isOnSale = (leaves: number, now: number): boolean => leaves > now * 1000 + closesMs

/** The day, as days from the timetable's first; from today at that place to half a year on. */
export function readTravelDay({ day, now }: AppRequest, text: string, field: string, zone: string): number {
  const offset = offsetOf(text, day)
  if (offset === undefined) throw invalid('DAY_INVALID', `${field} must be a day such as 28 Feb 2027.`, field)
  const today = todayIn(zone, now, day)
  if (offset < today) throw invalid('DAY_PAST', `${text} is over.`, field)
  if (offset > today + daysAhead) {
    throw invalid('DAY_TOO_FAR', `Tickets are sold up to ${daysAhead} days ahead.`, field)
  }
  return offset
}

function readSpot(query: URLSearchParams, name: string): Spot {
  const typed = query.get(name) ?? ''
  if (typed.trim() === '') throw invalid('FIELD_REQUIRED', `${name} is required.`, name)
  const spot = findSpot(typed)
  if (!spot) throw new Refusal(404, 'PLACE_UNKNOWN', `We know no city or stop called ${typed}.`, name)
  return spot
}

function readParty(query: URLSearchParams): Band[] {
  const none = partyFields.every((name) => (query.get(name) ?? '') === '')
  const riders = bands.flatMap((band, index) => {
    const count = readCount(query, partyFields[index] ?? '', 0, 9, none && index === 0 ? 1 : 0)
    return Array.from({ length: count }, () => band)
  })
  if (riders.length === 0) throw invalid('PARTY_EMPTY', 'Somebody must travel.', 'grownUps')
  if (riders.length > 9) throw invalid('PARTY_TOO_BIG', 'Nine can travel on one booking.', 'grownUps')
  if (riders.every((band) => band === 'KID')) throw invalid('KIDS_ALONE', 'Kids travel with somebody older.', 'kids')
  return riders
}

function readVehicles(query: URLSearchParams): readonly Vehicle[] {
  const given = query.getAll('by').flatMap((text) => text.split(','))
  if (given.length === 0) return vehicles
  return given.map((text) => {
    if (!isVehicle(text)) throw invalid('VEHICLE_UNKNOWN', `by must be some of ${vehicles.join(', ')}.`, 'by')
    return text
  })
}

export interface Asked {
  search: Search
  by: readonly Vehicle[]
  take: number
}

export function readSearch(request: SignedIn): Asked {
  const { query } = request
  known(query, ['start', 'goal', 'day', 'backOn', 'take', ...partyFields], ['by'])
  const start = readSpot(query, 'start')
  const goal = readSpot(query, 'goal')
  if (start.place === goal.place) throw invalid('SAME_PLACE', 'Start and goal are the same city.', 'goal')
  const offset = readTravelDay(request, query.get('day') ?? '', 'day', start.place.zone)
  const backOn = query.get('backOn') ?? ''
  const back = backOn === '' ? undefined : readTravelDay(request, backOn, 'backOn', goal.place.zone)
  if (back !== undefined && back < offset) throw invalid('BACK_BEFORE_DAY', 'You come back before you leave.', 'backOn')
  const search = { start, goal, offset, back, riders: readParty(query) }
  return { search, by: readVehicles(query), take: readCount(query, 'take', 1, 60, 20) }
}

function runsOf(search: Search, way: Way): Run[] {
  if (way === 'O') return runsBetween(search.start, search.goal, search.offset)
  return search.back === undefined ? [] : runsBetween(search.goal, search.start, search.back)
}

/** Those that one can still book, in the order of departure. */
export function findTrips({ day, now }: AppRequest, search: Search, way: Way, by: readonly Vehicle[]): Trip[] {
  return runsOf(search, way)
    .map((run) => tripOf(day, run))
    .filter(({ vehicle, leaves }) => by.includes(vehicle) && isOnSale(leaves.ms, now))
    .sort((a, b) => a.leaves.ms - b.leaves.ms || a.reaches.ms - b.reaches.ms || a.run.line - b.run.line)
}

const seal = (account: string, text: string): string => hash32(`search ${account} ${text}`).toString(36)

const spotText = ({ place, vehicle }: Spot): string => `${place.key}${vehicle === undefined ? '' : `~${vehicle}`}`

function readSpotText(text: string): Spot | undefined {
  const [key = '', vehicle] = text.split('~')
  const spot = findSpot(key)
  return spot && { place: spot.place, vehicle: vehicles.find((one) => one === vehicle) }
}

/** All of a search in one word: nothing is kept, and nobody else can use it. */
export function tokenOf({ viewer }: SignedIn, { start, goal, offset, back, riders }: Search): string {
  const party = bands.map((band) => riders.filter((one) => one === band).length).join('')
  const { account, ordinal } = viewer.account
  const text = [ordinal, spotText(start), spotText(goal), offset, back ?? '', party].join('.')
  return Buffer.from(`${text}.${seal(account, text)}`).toString('base64url')
}

export function readToken({ viewer }: SignedIn, token: string): Search {
  const whole = Buffer.from(token, 'base64url').toString()
  const text = whole.slice(0, whole.lastIndexOf('.'))
  const [, from = '', to = '', offset = '', back = '', party = ''] = text.split('.')
  const start = readSpotText(from)
  const goal = readSpotText(to)
  if (whole !== `${text}.${seal(viewer.account.account, text)}` || !start || !goal) {
    throw new Refusal(404, 'SEARCH_UNKNOWN', 'There is no such search.', 'searchToken')
  }
  const riders = bands.flatMap((band, index) => Array.from({ length: Number(party[index]) }, () => band))
  return { start, goal, offset: Number(offset), back: back === '' ? undefined : Number(back), riders }
}

/** There or back. */
type Way = 'O' | 'B'

export const tripNo = (way: Way, { line, start, goal, run }: Run): string =>
  `${way}${line.toString(36)}${start}${goal}${String(run).padStart(2, '0')}`

/** A trip that the search found, while it is on sale. */
export function foundTrip(request: SignedIn, search: Search, no: string): Trip {
  const way = no.startsWith('B') ? 'B' : 'O'
  const run = runsOf(search, way).find((one) => tripNo(way, one) === no)
  if (!run) throw new Refusal(404, 'TRIP_NOT_FOUND', 'This search found no such trip.', 'tripNo')
  const trip = tripOf(request.day, run)
  if (!isOnSale(trip.leaves.ms, request.now))
    throw new Refusal(410, 'TRIP_GONE', 'This trip is no longer sold.', 'tripNo')
  return trip
}

export const searchedDay = ({ day }: AppRequest, offset: number): string => dayText(day * 1000 + offset * 86_400_000)
