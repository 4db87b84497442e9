import type { Parts } from './define.ts'
import { rejected } from './failures.ts'
import type { FailureRule } from './failures.ts'
import { fields, flag, isFields, nullableText, rows } from './wire.ts'
import type { Fields } from './wire.ts'

/** Apps with one address for everything: the request names an operation, and a refusal comes as 200 with `errors` (GraphQL). */

/** A request for an operation that the app knows by name. Variables that are undefined are left out. */
export function operation(operationName: string, variables: Fields = {}): Parts {
  return { json: { operationName, variables } }
}

/** What an operation answered under this name. */
export function result(answer: Fields, name: string): Fields {
  return fields(fields(answer['data'])[name])
}

/** The code and the words of the first error, for an answer of any status. */
export function operationError(body: Fields): { readonly code: unknown; readonly message: unknown } {
  const first: unknown = Array.isArray(body['errors']) ? body['errors'][0] : undefined
  if (!isFields(first)) return { code: undefined, message: undefined }
  const { message, extensions } = first
  return { code: isFields(extensions) ? extensions['code'] : undefined, message }
}

/** The app's own refusal, with 200: errors and no data. With data as well, something was done and something not: nobody knows what. */
export const operationRefusal: FailureRule = ({ status, json }) => {
  if (status !== 200 || !isFields(json) || json['errors'] === undefined) return undefined
  const { code, message } = operationError(json)
  return (
    (isFields(json['data']) ? undefined : rejected(code, message)) ?? {
      kind: 'changed',
      rule: 'errors beside data, or without a code',
    }
  )
}

/** The items of a connection (`edges`, `pageInfo`), and the place to go on from. */
export function connection(value: Fields): { readonly items: readonly Fields[]; readonly next: string | null } {
  const { hasNextPage, endCursor } = fields(value['pageInfo'])
  const next = nullableText(endCursor)
  return { items: rows(value['edges']).map(({ node }) => fields(node)), next: flag(hasNextPage) ? next : null }
}
