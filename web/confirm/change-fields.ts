import { isFields } from '../../connectors/kit/wire.ts'
import type { Fields } from '../../connectors/kit/wire.ts'
import type { Detail, Endpoint, JsonSchema } from '../../connectors/registry.ts'
import type { Place } from '../../core/approvals/differences.ts'
import { itemsOf, objectFor, propertiesOf } from '../parts/schema.ts'
import { hasUnseen } from '../parts/text.tsx'
import { fieldsOf, inputOf, textsOf } from '../play/form.ts'
import type { PlayField, Typed } from '../play/form.ts'

/** A leaf field of a call's input; its name is its path joined with dots. */
export interface ChangeField extends PlayField {
  readonly place: Place
  /** Current values, before the user edits them. */
  readonly now: readonly string[]
  /** The object that contains the field. */
  readonly beside: Fields
}

/** The fields of an input. List lengths are fixed: adding or removing entries needs the JSON. */
export function changeFields({ inputSchema }: Pick<Endpoint, 'inputSchema'>, input: Fields): readonly ChangeField[] {
  return fieldsIn(inputSchema, input, [])
}

function fieldsIn(schema: JsonSchema, value: Fields, around: Place): ChangeField[] {
  return fieldsOf({ inputSchema: schema, access: 'write' }).flatMap((field) => {
    const place = [...around, field.name]
    const own = Object.hasOwn(value, field.name) ? value[field.name] : undefined
    const inner = field.control === 'json' ? fieldsInside(field.schema, own, place) : undefined
    if (inner !== undefined) return inner
    // Invisible characters cannot be edited in a field; the JSON shows them escaped.
    if (hasUnseen(own)) return []
    // Browsers strip line breaks from single-line inputs.
    const control = field.control === 'text' && typeof own === 'string' && /[\r\n]/.test(own) ? 'long' : field.control
    const now = textsOf({ control }, own).map(asTyped)
    return [{ ...field, control, name: place.join('.'), place, now, beside: value }]
  })
}

/** Undefined where only the JSON can edit it: no object known to the schema, no list of such. */
function fieldsInside(schema: JsonSchema, value: unknown, place: Place): ChangeField[] | undefined {
  const of = (one: unknown, at: JsonSchema | undefined, where: Place): ChangeField[] | undefined => {
    if (!isFields(one)) return undefined
    const known = objectFor(at, one)
    return known && Object.keys(propertiesOf(known)).length > 0 ? fieldsIn(known, one, where) : undefined
  }
  if (value === undefined) return []
  if (!Array.isArray(value)) return of(value, schema, place)
  const entries = value.map((one, at) => of(one, itemsOf(schema), [...place, at]))
  return entries.includes(undefined) ? undefined : entries.flatMap((fields) => fields ?? [])
}

const asTyped = (text: string): string => text.replaceAll(/\r\n?/g, '\n')

/** The input with the edited fields applied; untouched fields keep their values. */
export function withTyped(
  fields: readonly ChangeField[],
  typed: Typed,
  input: Fields,
): { input: Fields; bad: Detail[] } {
  const bad: Detail[] = []
  let changed = input
  for (const field of fields) {
    const texts = typed.get(field.name) ?? []
    if (isSame(texts, field.now)) continue
    const given = inputOf([field], new Map([[field.name, texts]]))
    bad.push(...given.bad)
    changed = fieldsWith(changed, field.place, given.input[field.name])
  }
  return { input: changed, bad }
}

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one, at) => one === others[at])

/** A copy with the value at that path replaced; undefined removes the field. */
function fieldsWith(value: Fields, [step, ...further]: Place, put: unknown): Fields {
  if (step === undefined) return value
  const { [step]: own, ...others } = value
  const inner = further.length === 0 ? put : innerWith(own, further, put)
  return inner === undefined ? others : { ...value, [step]: inner }
}

function innerWith(value: unknown, place: Place, put: unknown): unknown {
  if (!Array.isArray(value)) return isFields(value) ? fieldsWith(value, place, put) : value
  const [at, ...further] = place
  return value.map((one: unknown, index) => (index === at ? innerWith(one, further, put) : one))
}
