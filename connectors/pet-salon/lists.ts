import type { Answer } from '../kit/answer.ts'
import type { Parts } from '../kit/define.ts'
import { rejected } from '../kit/failures.ts'
import type { Failure } from '../kit/failures.ts'
import { ledTo } from '../kit/location.ts'
import { UnknownShape, isFields, rows } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'

/** The app's largest page of tickets, alerts or waitlist entries; these lists need one request. */
const wholeList = 1000

export function whole(filters: Fields): Parts {
  return { query: { ...filters, lim: wholeList } }
}

/** Refuses lists that exceed one page rather than truncate them. */
export function tooLong({ status, json }: Answer): Failure | undefined {
  if (status !== 200 || !isFields(json) || json['lim'] !== wholeList || !Array.isArray(json['rows'])) return undefined
  if (typeof json['tot'] !== 'number' || json['tot'] <= json['rows'].length) return undefined
  return rejected('LIST_TOO_LONG', `There are more than ${wholeList}: ask for fewer days, or narrow it down otherwise.`)
}

/** The rows of a list; throws if its counts show that it is incomplete. */
export function wholeRows({ lim, tot, rows: list }: Fields): readonly Fields[] {
  const all = rows(list)
  if (lim !== wholeList || tot !== all.length) throw new UnknownShape('not a whole list')
  return all
}

/** The outcome of a form, from its redirect to the ticket. */
export function ledToTicket(location: string, done: string) {
  const { part, query } = ledTo(location, /^cloud\/tkt\/(?<ticket>T\d+)$/, { done })
  return { appointment_id: part['ticket'], query }
}
