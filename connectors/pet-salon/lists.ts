import type { Answer } from '../kit/answer.ts'
import type { Parts } from '../kit/define.ts'
import { rejected } from '../kit/failures.ts'
import type { Failure } from '../kit/failures.ts'
import { UnknownShape, isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'

/** The most that one part of tickets, alerts or waiting entries holds: those lists are given whole, in one request. */
const wholeList = 1000

export function whole(filters: Fields): Parts {
  return { query: { ...filters, lim: wholeList } }
}

/** A list that is longer than a whole one can be is refused, never cut short. */
export function tooLong({ status, json }: Answer): Failure | undefined {
  if (status !== 200 || !isFields(json) || json['lim'] !== wholeList || !Array.isArray(json['rows'])) return undefined
  if (json['tot'] === json['rows'].length) return undefined
  return rejected('LIST_TOO_LONG', `There are more than ${wholeList}: ask for fewer days, or narrow it down otherwise.`)
}

/** Where a form led: to its ticket, with what it did. */
export function ledTo(
  location: string,
  done: string,
): { readonly appointment_id: string; readonly query: URLSearchParams } {
  const [, appointment_id, search] = /^cloud\/tkt\/(T\d+)\?(.*)$/.exec(location) ?? []
  const query = new URLSearchParams(search)
  if (appointment_id === undefined || query.get('done') !== done) throw new UnknownShape('led elsewhere')
  return { appointment_id, query }
}
