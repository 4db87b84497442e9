import type { Detail } from '../../connectors/registry.ts'
import { invalidInput } from '../../core/calls/invalid-input.ts'

/** The query's values by name, each given once. `check` throws invalid_input with all problems. */
export function readQuery(querystring: string, names: readonly string[]) {
  const params = new URLSearchParams(querystring)
  const details: Detail[] = []
  const values: Partial<Record<string, string>> = {}
  for (const name of new Set(params.keys())) {
    if (!names.includes(name)) {
      details.push({ path: name, message: names.length === 0 ? 'is not known' : `is not one of ${names.join(', ')}` })
      continue
    }
    const [value, second] = params.getAll(name)
    if (second !== undefined) details.push({ path: name, message: 'is given more than once' })
    else if (value !== undefined) values[name] = value
  }
  return {
    values,
    refuse: (path: string, message: string): void => void details.push({ path, message }),
    check(): void {
      if (details.length > 0) throw invalidInput(details)
    },
  }
}

export type Query = ReturnType<typeof readQuery>

/** Throws invalid_input if there is any query. */
export function readNoQuery(querystring: string): void {
  readQuery(querystring, []).check()
}

const usualLimit = 25

/** `limit`, 1 to 100. */
export function readLimit(query: Query): number {
  const { limit } = query.values
  if (limit !== undefined && !/^([1-9]\d?|100)$/.test(limit))
    query.refuse('limit', 'must be a whole number from 1 to 100')
  return Number(limit ?? usualLimit)
}
