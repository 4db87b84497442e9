import { isFields } from '../kit/wire.ts'

/** The value of a field, or of a nested one: `client.name`; undefined if there is none. */
export function valueAt(value: unknown, path: string): unknown {
  let at = value
  for (const name of path.split('.')) at = isFields(at) && Object.hasOwn(at, name) ? at[name] : undefined
  return at
}

/** The values of such a field, through lists and lists in lists. */
export function valuesAt(value: unknown, path: string): readonly unknown[] {
  let at: unknown[] = [value]
  for (const name of path.split('.')) at = at.map((one) => valueAt(one, name)).flat(2)
  return at
}
