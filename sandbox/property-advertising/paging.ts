import { Refusal } from '../platform/types.ts'

/**
 * Page numbers shift when something comes in while a client reads on. `before` does not: it continues after a given row.
 */
export interface PageWish<Anchor> {
  page: number | null
  size: number
  offset: number
  before: Anchor | undefined
}

function wholeParameter(query: URLSearchParams, name: string, preset: number, high: number): number {
  const text = query.get(name)
  if (text === null) return preset
  const value = Number(text)
  if (!/^\d{1,9}$/.test(text) || value < 1 || value > high) {
    throw new Refusal(400, 'PARAMETER_INVALID', `${name} must be a whole number from 1 to ${high}.`, name)
  }
  return value
}

export function readPage<Anchor>(
  query: URLSearchParams,
  parse: (text: string) => Anchor | undefined,
): PageWish<Anchor> {
  const size = wholeParameter(query, 'per_page', 50, 100)
  const anchor = query.get('before')
  if (anchor === null) {
    const page = wholeParameter(query, 'page', 1, 1_000_000)
    return { page, size, offset: (page - 1) * size, before: undefined }
  }
  if (query.has('page')) throw new Refusal(400, 'PARAMETER_INVALID', 'Give either page or before.', 'page')
  const before = parse(anchor)
  if (before === undefined) throw new Refusal(400, 'PARAMETER_INVALID', 'before is no anchor of this list.', 'before')
  return { page: null, size, offset: 0, before }
}

/** One of the values, several with commas, or `any`. */
export function readChoice<T extends string>(query: URLSearchParams, name: string, values: readonly T[]): readonly T[] {
  const given = query.get(name)
  if (given === null || given === 'any') return values
  return given.split(',').map((word) => {
    const value = values.find((known) => known === word)
    if (value === undefined) {
      throw new Refusal(400, 'PARAMETER_INVALID', `${name} must be any, or some of ${values.join(', ')}.`, name)
    }
    return value
  })
}

/** Cuts the surplus row that says whether there is a next page. */
export function cut<T>(rows: T[], size: number): { rows: T[]; last: T | undefined } {
  const shown = rows.slice(0, size)
  return { rows: shown, last: rows.length > size ? shown.at(-1) : undefined }
}
