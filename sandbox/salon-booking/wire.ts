import type { Told } from './booking.ts'
import type { Guest, GuestRow } from './guests.ts'
import type { Jotting } from './jottings.ts'
import type { Opening } from './openings.ts'
import type { Payout } from './payouts.ts'
import { asOfText, type Salon } from './salon.ts'
import type { MenuItem, Stylist } from './shop.ts'
import type { Slice } from './params.ts'
import type { Sum } from './takings.ts'
import type { TimeOff } from './time-off.ts'
import type { ShownVisit, Visit } from './visits.ts'
import { dayText, wallText } from './zones.ts'

type Out = Record<string, unknown>

export const money = (minor: number, { currency, exponent }: Salon): Out => ({
  minor,
  currency: { code: currency, exponent },
})

export const listOut = ({ account }: Salon, slice: Slice, total: number, rows: Out[]): Out => ({
  total,
  offset: slice.offset,
  limit: slice.limit,
  as_of: asOfText(account, slice.asOf),
  rows,
})

const stateLabels = {
  planned: 'Booked',
  agreed: 'Confirmed',
  done: 'Completed',
  called_off: 'Cancelled',
  missed: 'No-show',
}

export const stateOut = ({ state, own }: Pick<Visit, 'state' | 'own'>): { code: string; label: string } => ({
  code: state,
  label: state === 'own' ? (own ?? '') : stateLabels[state],
})

export const builtInStates = (): Out[] => Object.entries(stateLabels).map(([code, label]) => ({ code, label }))

export const visitOut = (visit: ShownVisit): Out => ({
  visit: visit.id,
  guest: { guest: visit.guest, full_name: visit.guestName },
  begin_local: wallText(visit.starts, visit.zone),
  finish_local: wallText(visit.ends, visit.zone),
  tz: visit.zone,
  what: visit.items.map(({ id, label }) => ({ menu_item: id, label })),
  stylist: { stylist: visit.stylist, full_name: visit.stylistName },
  state: stateOut(visit),
  branch: visit.branch,
  remark: visit.remark === '' ? null : visit.remark,
  call_off_reason: visit.reason,
})

export const changedOut = ({ visit, told }: { visit: ShownVisit; told: Told | null }): Out => ({
  ...visitOut(visit),
  told,
})

export const openingOut = (opening: Opening): Out => ({
  begin_local: wallText(opening.starts, opening.branch.zone),
  finish_local: wallText(opening.ends, opening.branch.zone),
  tz: opening.branch.zone,
  stylist: { stylist: opening.stylist.id, full_name: opening.stylist.name },
  branch: opening.branch.id,
})

const guestHead = (guest: Guest): Out => ({
  guest: guest.id,
  full_name: guest.name,
  mail: guest.mail,
  mobile: guest.mobile,
  branch: guest.branch,
  ads: { mail: guest.mailAds, text: guest.textAds },
})

export const guestRow = ({ guest, last }: GuestRow): Out => ({
  ...guestHead(guest),
  last_seen: last === undefined ? null : dayText(last),
})

export const jottingOut = ({ id, author, text, at, zone }: Jotting, guest: string): Out => ({
  jotting: id,
  guest,
  by: author,
  text,
  written_local: wallText(at, zone),
  tz: zone,
})

const shortVisit = (visit: ShownVisit): Out => ({
  visit: visit.id,
  begin_local: wallText(visit.starts, visit.zone),
  tz: visit.zone,
  what: visit.items.map(({ label }) => label),
})

/** Still to take place, or under way. */
export const isAhead = ({ state, ends }: Visit, now: number): boolean =>
  ends > now && (state === 'planned' || state === 'agreed' || state === 'own')

export const guestFull = (guest: Guest, jottings: Jotting[], visits: ShownVisit[], now: number): Out => ({
  ...guestHead(guest),
  sensitivities: guest.allergies,
  jottings: jottings.map((jotting) => jottingOut(jotting, guest.id)),
  ahead: visits.filter((visit) => isAhead(visit, now)).map(shortVisit),
  behind: visits
    .filter((visit) => !isAhead(visit, now))
    .map((visit) => ({ ...shortVisit(visit), state: stateOut(visit) })),
})

export const itemOut = (item: MenuItem, salon: Salon): Out => ({
  menu_item: item.id,
  label: item.label,
  section: item.section,
  minutes: item.minutes,
  cost: money(item.price, salon),
  branches: item.branches,
})

export const branchesAt = (stylist: Stylist): string[] => [...new Set(stylist.shifts.map(({ branch }) => branch))]

export const stylistOut = (stylist: Stylist): Out => ({
  stylist: stylist.id,
  full_name: stylist.name,
  branches: branchesAt(stylist),
  menu_items: stylist.items,
})

export const offOut = ({ off, zone }: { off: TimeOff; zone: string }): Out => ({
  time_off: off.id,
  stylist: off.stylist,
  kind: off.kind,
  label: off.label === '' ? null : off.label,
  begin_local: wallText(off.starts, zone),
  finish_local: wallText(off.ends, zone),
  tz: zone,
})

export const sumOut = (sum: Sum, salon: Salon): Out => ({
  pieces: sum.pieces,
  gross: money(sum.gross, salon),
  rebate: money(sum.rebate, salon),
  given_back: money(sum.refund, salon),
})

export const payoutOut = ({ id, day, kind, gross, fee }: Payout, salon: Salon): Out => ({
  payout: id,
  paid_on: dayText(day),
  kind,
  gross: money(gross, salon),
  charges: money(fee, salon),
  arrives: money(gross - fee, salon),
})
