import { fromDayFirst, toDayFirst } from '../kit/dates.ts'
import { InputRejected } from '../kit/failures.ts'
import { text } from '../kit/wire.ts'
import { inZone, offsetAt } from '../kit/zones.ts'

/** The app writes day and time separately, in the salon's time zone. */
export function fromClocks(day: unknown, time: unknown, zone: unknown): string {
  return inZone(`${fromDayFirst(day)}T${text(time)}:00`, text(zone))
}

export const toSlashed = (day: string | undefined): string | undefined =>
  day === undefined ? undefined : toDayFirst(day)

/** Before 1973, the UTC offsets of some zones were not whole minutes. */
const wholeMinutes = Date.UTC(1973, 0)

/**
 * Local time in the salon's zone. Throws `InputRejected` where the app would read another time:
 * parts of a minute, and the second pass of an hour repeated when clocks go back.
 */
export function toClocks(moment: string, zone: unknown): { readonly d: string; readonly t: string } {
  const at = Date.parse(moment)
  if (Number.isNaN(at)) throw new InputRejected('TIME_INVALID', `${moment} is no time that exists.`)
  if (at < wholeMinutes) throw new InputRejected('TIME_PASSED', `${moment} is long over.`)
  const ahead = Date.parse('1970-01-01T00:00:00Z') - Date.parse(`1970-01-01T00:00:00${offsetAt(at, text(zone))}`)
  const [day = '', time = ''] = new Date(at + ahead).toISOString().slice(0, 16).split('T')
  if (Date.parse(inZone(`${day}T${time}:00`, text(zone))) !== at)
    throw new InputRejected(
      'TIME_INVALID',
      `${moment} is no time on the salon's clocks: they have whole minutes, each once.`,
    )
  return { d: toDayFirst(day), t: time }
}
