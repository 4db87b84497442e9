import type { Parts } from './define.ts'
import { rejected } from './failures.ts'
import type { FailureRule } from './failures.ts'
import { fields, flag, isFields, nullableText, rows } from './wire.ts'
import type { Fields } from './wire.ts'

/** GraphQL: one URL for all, operations named in the request, refusals as 200 with `errors`. */

/** A request for a named operation. Undefined variables are dropped. */
export function operation(operationName: string, variables: Fields = {}): Parts {
  return { json: { operationName, variables } }
}

/** The operation's result under this name. */
export function result(answer: Fields, name: string): Fields {
  return fields(fields(answer['data'])[name])
}

/** Code and message of the first error, at any status. */
export function operationError(body: Fields): { readonly code: unknown; readonly message: unknown } {
  const first: unknown = Array.isArray(body['errors']) ? body['errors'][0] : undefined
  if (!isFields(first)) return { code: undefined, message: undefined }
  const { message, extensions } = first
  return { code: isFields(extensions) ? extensions['code'] : undefined, message }
}

/**
 * The app's refusal: 200 with errors and no data. With data, part of it was done and which part is
 * unknown, so the failure is `changed`; also for an error without a code.
 */
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

/** Items of a GraphQL connection (`edges`, `pageInfo`), and the cursor of its next page or null. */
export function connection(value: Fields): { readonly items: readonly Fields[]; readonly next: string | null } {
  const { hasNextPage, endCursor } = fields(value['pageInfo'])
  const next = nullableText(endCursor)
  return { items: rows(value['edges']).map(({ node }) => fields(node)), next: flag(hasNextPage) ? next : null }
}
