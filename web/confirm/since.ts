import { sameLine } from '../../core/approvals/look-ups.ts'
import type { Seen, Told } from '../../core/approvals/look-ups.ts'
import { canonicalJson } from '../../core/canonical-json.ts'
import { fieldsOf, thingsIn } from '../parts/told.ts'
import type { Telling, ToldField } from '../parts/told.ts'

/** A field of an entity that changed since the approval. */
export interface ChangedField {
  readonly before: ToldField
  readonly after: ToldField
}

/** An entity that changed since the approval, or no longer exists. */
export interface ChangedThing {
  readonly label: string
  readonly name: string | undefined
  readonly isGone: boolean
  readonly fields: readonly ChangedField[]
}

/** What changed in the app since the approval, starting with what triggered the new request. */
export function changesSince(telling: Telling, before: Seen, now: Seen | undefined): readonly ChangedThing[] {
  const changed = before.things.flatMap((told): ChangedThing[] => {
    const after = now?.things.find((one) => sameLine(one, told))
    if (told.values === undefined || after === undefined) return []
    const isGone = after.problem === 'absent' || after.problem === 'not_found'
    const fields = after.values === undefined ? [] : changedFields(telling, told, after)
    if (!isGone && fields.length === 0) return []
    const [thing] = thingsIn(telling, { things: [told], omitted: 0 })
    return [{ label: thing?.label ?? told.of, name: thing?.name, isGone, fields }]
  })
  return changed.toSorted((a, b) => rank(b) - rank(a))
}

function changedFields(telling: Telling, before: Told, after: Told): readonly ChangedField[] {
  const now = fieldsOf(telling, after)
  return fieldsOf(telling, before)
    .flatMap((field): ChangedField[] => {
      const other = now.find(({ path }) => path === field.path)
      return other === undefined || isSame(field.value, other.value) ? [] : [{ before: field, after: other }]
    })
    .toSorted((a, b) => Number(b.after.matters) - Number(a.after.matters))
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(one ?? null) === canonicalJson(other ?? null)
}

function rank({ isGone, fields }: ChangedThing): number {
  return isGone || fields.some(({ after }) => after.matters) ? 1 : 0
}
