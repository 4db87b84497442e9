import { isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'

/** A value that an output has lost although the schema does not declare it optional. */
export interface Loss {
  /** Where: `$.items[*].tags`. */
  readonly path: string
  /** What is there now, as text. */
  readonly instead: string
}

/**
 * Values of `was` that the equally valid `is` has lost: list entries, and values that became empty,
 * zero or false. Null, absent fields and defaults are fine, as the schema declares them.
 */
export function losses(schema: unknown, was: Fields, is: Fields): readonly Loss[] {
  const found = new Map<string, Loss>()
  const lose = (path: string, instead: string): void => {
    if (!found.has(path)) found.set(path, { path, instead })
  }
  const compare = (at: readonly Fields[], before: unknown, after: unknown, path: string): void => {
    if (before === null || before === undefined || after === null || after === undefined) return
    if (Array.isArray(before)) {
      const [had, has] = [before.length, Array.isArray(after) ? after.length : 0]
      if (has < had) return lose(path, has === 0 ? `an empty list, not ${entries(had)}` : `${has} of ${entries(had)}`)
      const inner = at.flatMap(({ items }) => choices(items))
      if (Array.isArray(after)) before.forEach((one, index) => compare(inner, one, after[index], `${path}[*]`))
      return
    }
    if (isFields(before)) {
      if (!isFields(after)) return
      for (const [name, one] of Object.entries(before)) {
        const declared = at.flatMap(({ properties }) => (isFields(properties) ? choices(properties[name]) : []))
        // In a map, each field is an entry.
        if (declared.length === 0 && !Object.hasOwn(after, name)) lose(path, 'fewer entries')
        compare(declared, one, after[name], `${path}.${name}`)
      }
      return
    }
    const isEmpty = after === '' || after === 0 || after === false
    if (isEmpty && before !== after && !at.some((one) => one['default'] === after))
      lose(path, after === '' ? 'an empty text' : String(after))
  }
  compare(choices(schema), was, is, '$')
  return [...found.values()]
}

/** A schema and all of its alternatives. */
function choices(schema: unknown): readonly Fields[] {
  if (!isFields(schema)) return []
  const further = ['anyOf', 'oneOf', 'allOf'].flatMap((word) => {
    const parts = schema[word]
    return Array.isArray(parts) ? parts.flatMap(choices) : []
  })
  return [schema, ...further]
}

function entries(count: number): string {
  return count === 1 ? '1 entry' : `${count} entries`
}
