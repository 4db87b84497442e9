import { UnknownShape, fields, nullableText, rows, text } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'

/** Attributes of a resource: `{ type, id, attributes, relationships }`. */
export function attributes(resource: unknown): Fields {
  return fields(fields(resource)['attributes'])
}

/** The full name of a related person, from the document's `included`. */
export function nameOf(resource: unknown, relationship: string, included: unknown): string {
  const related = fields(fields(fields(resource)['relationships'])[relationship])
  const id = text(fields(related['data'])['id'])
  const person = rows(included).find((one) => one['type'] === 'people' && one['id'] === id)
  if (!person) throw new UnknownShape('nobody included')
  return text(attributes(person)['full_name'])
}

/** The query of a list; undefined parameters are omitted. */
export function listQuery(filters: Fields, paging: { readonly limit: number; readonly anchor: string | null }): Fields {
  const query: Record<string, unknown> = { 'page[size]': paging.limit, 'page[token]': paging.anchor }
  for (const [name, value] of Object.entries(filters)) query[`filter[${name}]`] = value
  return query
}

export function nextToken(meta: unknown): string | null {
  return nullableText(fields(meta)['next_token'])
}
