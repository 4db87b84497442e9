import type { Csrf } from '../kit/csrf.ts'
import type { Answer } from '../kit/answer.ts'
import type { Parts } from '../kit/define.ts'
import { rejected } from '../kit/failures.ts'
import type { Failure } from '../kit/failures.ts'
import { UnknownShape, fields, isFields, rows, text } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'

/** The most that one page of visits, waiting entries or reviews holds: those lists are given whole, in one request. */
const wholeList = 1000

/** The query of a list that is given whole. */
export function whole(filters: Fields): Parts {
  return { query: { ...filters, rows: wholeList } }
}

/** A list that is longer than a whole one can be is refused, never cut short. */
export function tooLong({ status, json }: Answer): Failure | undefined {
  const paging = isFields(json) ? json['paging'] : undefined
  if (status !== 200 || !isFields(paging) || paging['rows'] !== wholeList || typeof paging['next_row'] !== 'number')
    return undefined
  return rejected('LIST_TOO_LONG', `There are more than ${wholeList}: ask for fewer days, or narrow it down otherwise.`)
}

/** The resources of a list that was asked for whole, when nothing of it is left. */
export function wholeData({ data, paging }: Fields): readonly Fields[] {
  const all = rows(data)
  const { rows: count, next_row } = fields(paging)
  if (count !== all.length || next_row !== null) throw new UnknownShape('not a whole list')
  return all
}

/** A resource of the app's documents: `{ type, id, attributes, links }`. */
export function attributes(resource: unknown): Fields {
  return fields(fields(resource)['attributes'])
}

/** The id of another resource that this one links to. */
export function linked(resource: unknown, name: string): string {
  return (
    text(fields(fields(resource)['links'])[name])
      .split('/')
      .at(-1) ?? ''
  )
}

export function document(type: string, content: Fields): Parts {
  return { json: { data: { type, attributes: content } } }
}

/** The session's slip is the same in every page; this answer is free, and is there whatever state the visit or review is in. */
export const formSlip: Csrf = {
  page: '/business/api/me',
  answer: 'json',
  fills: { field: 'slip' },
  find: (page) => text(fields(JSON.parse(page))['slip']),
}
