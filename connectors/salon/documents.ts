import type { Csrf } from '../kit/csrf.ts'
import type { Answer } from '../kit/answer.ts'
import type { Parts } from '../kit/define.ts'
import { rejected } from '../kit/failures.ts'
import type { Failure } from '../kit/failures.ts'
import { UnknownShape, fields, isFields, rows, text } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'

/** The app's largest page of visits, waitlist entries or reviews; these lists need one request. */
const wholeList = 1000

/** The query that reads a list in one page. */
export function whole(filters: Fields): Parts {
  return { query: { ...filters, rows: wholeList } }
}

/** Refuses lists that exceed one page rather than truncate them. */
export function tooLong({ status, json }: Answer): Failure | undefined {
  const paging = isFields(json) ? json['paging'] : undefined
  if (status !== 200 || !isFields(paging) || paging['rows'] !== wholeList || typeof paging['next_row'] !== 'number')
    return undefined
  return rejected('LIST_TOO_LONG', `There are more than ${wholeList}: ask for fewer days, or narrow it down otherwise.`)
}

/** The resources of a list; throws if it is incomplete. */
export function wholeData({ data, paging }: Fields): readonly Fields[] {
  const all = rows(data)
  const { rows: count, next_row } = fields(paging)
  if (count !== all.length || next_row !== null) throw new UnknownShape('not a whole list')
  return all
}

/** Attributes of a resource: `{ type, id, attributes, links }`. */
export function attributes(resource: unknown): Fields {
  return fields(fields(resource)['attributes'])
}

/** The id of a linked resource. */
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

/** CSRF token, the same for the whole session; this read is free and needs no visit or review. */
export const formSlip: Csrf = {
  page: '/business/api/me',
  answer: 'json',
  fills: { field: 'slip' },
  from: { json: 'slip' },
}
