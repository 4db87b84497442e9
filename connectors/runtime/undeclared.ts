import { labelKey, moneyKey } from '../kit/declared.ts'
import type { ShownBy, Thing, ToldBy } from '../kit/declared.ts'
import { isFields } from '../kit/wire.ts'
import type { App, Endpoint } from './app.ts'
import { fieldAt, fieldsIn, kindsIn, objectAt, propertiesOf, requiredOf } from './schema-walk.ts'
import type { Field, Schema } from './schema-walk.ts'
import { ofApproval } from './undeclared-approval.ts'
import { ofPreviews } from './undeclared-previews.ts'
import { ofVerify } from './undeclared-verify.ts'

/** Missing or wrong declarations, a line each: `send_invoice: input amount has no label`. */
export function undeclared(app: App): readonly string[] {
  return [
    ...[...app.endpoints.values()].flatMap((endpoint) =>
      ofEndpoint(app, endpoint).map((problem) => `${endpoint.name}: ${problem}`),
    ),
    ...Object.entries(app.things).flatMap(([kind, thing]) =>
      ofThing(app, kind, thing).map((problem) => `things.${kind}: ${problem}`),
    ),
  ]
}

function ofEndpoint(app: App, endpoint: Endpoint): string[] {
  const { label, brief, inputSchema, outputSchema } = endpoint
  const inputs = propertiesOf(inputSchema)
  const required = requiredOf(inputSchema)
  const fields = fieldsIn(inputSchema)
  return [
    ...(label === '' ? ['has no label'] : []),
    ...brief.filter((name) => !Object.hasOwn(inputs, name)).map((name) => `brief names ${name}, which is no input`),
    ...(brief.length === 0 && required.length > 0 ? ['has no brief'] : []),
    ...endpoint.shownBy.flatMap((shown) => ofShownBy(app, endpoint, shown)),
    ...ofPreviews(app, endpoint),
    ...ofVerify(app, endpoint),
    ...ofApproval(app, endpoint),
    ...fields
      .filter(({ schema }) => typeof schema[labelKey] !== 'string')
      .map(({ path }) => `input ${path} has no label`),
    ...[...new Set(fields.flatMap(({ schema }) => kindsIn(schema)))]
      .filter((kind) => !Object.hasOwn(app.things, kind))
      .map((kind) => `things says nothing of ${kind}`),
    ...fields.flatMap((field) => ofMoney(field).map((problem) => `input ${field.path} ${problem}`)),
    ...fieldsIn(outputSchema).flatMap((field) => ofMoney(field).map((problem) => `output ${field.path} ${problem}`)),
  ]
}

function ofShownBy(app: App, write: Endpoint, { read: name, from = {}, set = {} }: ShownBy): string[] {
  const read = app.endpoints.get(name)
  if (read === undefined || read.access !== 'read') return [`shownBy names ${name}, which is no read`]
  const [given, taken] = [propertiesOf(write.inputSchema), propertiesOf(read.inputSchema)]
  const filled = [...Object.keys(from), ...Object.keys(set)]
  return [
    ...filled
      .filter((one) => !Object.hasOwn(taken, one))
      .map((one) => `shownBy fills ${one}, which ${name} does not take`),
    ...Object.values(from)
      .filter((one) => !Object.hasOwn(given, one))
      .map((one) => `shownBy takes ${one}, which is no input`),
    ...requiredOf(read.inputSchema)
      .filter((one) => !filled.includes(one))
      .map((one) => `shownBy does not fill ${one} of ${name}`),
  ]
}

function ofMoney({ schema, beside }: Field): string[] {
  const declared = schema[moneyKey]
  if (declared === undefined) return []
  if (!isFields(declared) || (declared['unit'] !== 'minor' && declared['unit'] !== 'major'))
    return ['has money without a unit']
  const { currency } = declared
  if (currency === null || (typeof currency === 'string' && /^[A-Z]{3}$/.test(currency))) return []
  const field = isFields(currency) ? currency['field'] : undefined
  return typeof field === 'string' && Object.hasOwn(beside, field) ? [] : ['has money of a currency that nothing says']
}

function ofThing(app: App, kind: string, { label, toldBy, title, facts }: Thing): string[] {
  const told = toldBy.map((one) => toldIn(app, kind, one))
  const problems = told.filter((one) => typeof one === 'string')
  const places = told.filter((one) => typeof one !== 'string')
  const shown = (name: string) => places.map((place) => fieldAt(place, name)).filter((one) => one !== undefined)
  return [
    ...(label === '' ? ['has no label'] : []),
    ...problems,
    ...(problems.length > 0 || toldBy.length === 0
      ? []
      : [
          ...(title.length === 0 ? ['has no title'] : []),
          ...[...title, ...facts].filter((name) => shown(name).length === 0).map((name) => `is not told ${name}`),
          ...facts
            .filter((name) => shown(name).some((schema) => typeof schema[labelKey] !== 'string'))
            .map((name) => `fact ${name} has no label`),
        ]),
  ]
}

/** The schema of one such entity in a read's output, or what is wrong. */
function toldIn(app: App, kind: string, { read: name, by, at, id }: ToldBy): Schema | string {
  const read = app.endpoints.get(name)
  if (read === undefined || read.access !== 'read') return `is told by ${name}, which is no read`
  if (by !== undefined && !kindsIn(propertiesOf(read.inputSchema)[by]).includes(kind))
    return `is told by ${name}, whose input ${by} takes no ${kind}`
  const place = objectAt(read.outputSchema, at === undefined ? [] : at.split('.'))
  if (place === undefined) return `is told at ${String(at)} of ${name}, which holds no such thing`
  if (!kindsIn(fieldAt(place, id)).includes(kind)) return `has no id ${id} in ${name}`
  return place
}
