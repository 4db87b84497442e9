import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { asField, jsonToken } from '../kit/csrf.ts'
import type { Csrf } from '../kit/csrf.ts'
import { fromCompact, toCompact } from '../kit/dates.ts'
import { labelled } from '../kit/declared.ts'
import { InputRejected } from '../kit/failures.ts'
import { id, oneOf, refTo } from '../kit/inputs.ts'
import { number, text } from '../kit/wire.ts'
import { offsetAt } from '../kit/zones.ts'

/** CSRF token, the same for the whole session; reading it is free. */
export const headerToken: Csrf = jsonToken({ page: '/v3/self', field: 'wend', header: 'x-wend' })
export const formToken: Csrf = asField(headerToken, 'wend')

export const TripId = labelled('Trip', id('trip', 'Which trip: trip_id from list_trips or create_trip.'))
export const StepId = labelled('Step', id('step', 'Which step: step_id from list_steps.'))
export const TripRef = refTo(
  'trip',
  'The trip: pass it to get_trip, list_steps, add_step, import_steps, export_trip and set_trip_privacy.',
)
export const StepRef = refTo(
  'step',
  'The step: pass it to get_step, update_step, add_step_photos and list_step_comments.',
)
export const Day = Type.String({ format: 'date' })

export const audiences = codec({ only_me: 'self', followers: 'circle', everyone: 'world' })
export const privacy = (description: string) => labelled('Privacy', oneOf(audiences.words, description))
export const Privacy = privacy('Who sees the trip and its steps; only_me is the traveller alone.')

/** The app's ids are numbers. */
export const idOf = (value: unknown): string => String(number(value))

export const kilometres = (metres: unknown): number => number(metres) / 1000

/** The app writes days as numbers: `20261231`. */
export const fromDayNumber = (day: unknown): string => fromCompact(String(number(day)))
export const toDayNumber = (day: string): number => Number(toCompact(day))

/** Unix seconds as local time; in UTC if the offset is not whole minutes (local mean time). */
export function fromClock(at: unknown, zone: unknown): string {
  const ms = number(at) * 1000
  const found = /^([+-])(\d\d):(\d\d)$/.exec(offsetAt(ms, text(zone)))
  const [offset, sign, hours, minutes] = found ?? ['+00:00', '+', '0', '0']
  const ahead = Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000
  return new Date(ms + ahead).toISOString().replace(/\.\d+Z$/, offset)
}

/** A timestamp as the app takes it: whole seconds, and the offset as written. */
export function toClock(date: string): { readonly at: number; readonly zone: string } {
  const ms = Date.parse(date)
  if (Number.isNaN(ms)) throw new InputRejected('MOMENT_INVALID', `There is no such moment as ${date}.`)
  const offset = /[+-]\d\d:\d\d$/.exec(date)?.[0] ?? '+00:00'
  return { at: Math.floor(ms / 1000), zone: offset === '-00:00' ? '+00:00' : offset }
}

/** Coordinates such as `64.1466,-21.9426` become a pin, any other text a name. */
export function toSpot(place: string) {
  const [, lat, lon] = /^\s*([+-]?\d+(?:\.\d+)?)\s*,\s*([+-]?\d+(?:\.\d+)?)\s*$/.exec(place) ?? []
  if (lat === undefined || lon === undefined) return { named: place }
  return { geo: { lat6: Math.round(Number(lat) * 1e6), lng6: Math.round(Number(lon) * 1e6) } }
}
