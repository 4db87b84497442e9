import type { ChainedPreview, Preview, ToldBy } from '../kit/declared.ts'
import type { App, Endpoint } from './app.ts'
import { fieldAt, fieldsIn, kindsIn, objectAt, propertiesOf, requiredOf } from './schema-walk.ts'
import type { Schema } from './schema-walk.ts'

/** Problems of a write's previews, and ids that a read could preview, a line each. */
export function ofPreviews(app: App, endpoint: Endpoint): string[] {
  const { preview, inputSchema, access } = endpoint
  if (access === 'read') return []
  const seen = new Set(preview.map(({ of }) => of))
  const given = propertiesOf(inputSchema)
  /** The write has every input that the read requires besides the id, under the same name. */
  const canBeAsked = ({ read, by }: ToldBy): boolean =>
    requiredOf(app.endpoints.get(read)?.inputSchema ?? {}).every((name) => name === by || Object.hasOwn(given, name))
  const riddles = fieldsIn(inputSchema).filter(({ schema }) =>
    kindsIn(schema).some((kind) => app.things[kind]?.toldBy.some(canBeAsked)),
  )
  return [
    ...riddles
      .map(({ path }) => path.replaceAll('[]', ''))
      .filter((path) => !seen.has(path))
      .map((path) => `no preview of ${path}`),
    ...preview.flatMap((one) => ofPreview(app, endpoint, one).map((problem) => `preview of ${one.of} ${problem}`)),
  ]
}

function ofPreview(app: App, write: Endpoint, one: Preview): string[] {
  const { of, read: name, by, from = {}, set = {}, at, id, shows, matters, conclusive, needs = {}, rules = [] } = one
  const { goesOnTo = [] } = one
  const read = app.endpoints.get(name)
  if (read === undefined || read.access !== 'read') return [`names ${name}, which is no read`]
  const known = fieldsIn(write.inputSchema).map((one) => ({ ...one, path: one.path.replaceAll('[]', '') }))
  const inputs = new Set(known.map(({ path }) => path))
  const field = known.find(({ path }) => path === of)
  if (field === undefined) return ['is of no input']
  const place = objectAt(read.outputSchema, at === undefined ? [] : at.split('.'))
  if (place === undefined) return [`finds no such thing in ${name}`]
  const [given, taken] = [propertiesOf(write.inputSchema), propertiesOf(read.inputSchema)]
  const filled = [...(by === undefined ? [] : [by]), ...Object.keys(from), ...Object.keys(set)]
  const kinds = kindsIn(field.schema)
  /** A value that is not an id, such as the month of a settlement, matches as text. */
  const sameKind = (schema: Schema | undefined): boolean =>
    schema !== undefined && (kinds.length === 0 || kindsIn(schema).some((kind) => kinds.includes(kind)))
  return [
    ...filled.filter((input) => !Object.hasOwn(taken, input)).map((input) => `fills ${input}, which ${name} lacks`),
    ...Object.values(from)
      .filter((input) => !Object.hasOwn(given, input))
      .map((input) => `takes ${input}, which is no input`),
    ...requiredOf(read.inputSchema)
      .filter((input) => !filled.includes(input))
      .map((input) => `does not fill ${input} of ${name}`),
    ...(by !== undefined && Object.hasOwn(taken, by) && !sameKind(taken[by]) ? [`asks by ${by}, of another kind`] : []),
    ...(by === undefined && id === undefined ? ['has neither by nor id'] : []),
    ...(id !== undefined && !sameKind(fieldAt(place, id)) ? [`has no id ${id} in ${name}`] : []),
    ...(shows.length === 0 ? ['shows nothing'] : []),
    ...[...shows, ...Object.keys(needs), ...rules.map(({ field: path }) => path)]
      .filter((path) => fieldAt(place, path) === undefined)
      .map((path) => `shows ${path}, which ${name} does not tell`),
    ...matters.filter((path) => !shows.includes(path)).map((path) => `has ${path} matter, which it does not show`),
    ...goesOnTo.flatMap((next) => ofChained(app, place, next)),
    ...rules
      .flatMap(({ is, isNot, where }) => [is, isNot, where])
      .filter((path) => path !== undefined && !inputs.has(path))
      .map((path) => `goes by ${path}, which is no input`),
    ...([...Object.keys(needs), ...rules].length > 0 && conclusive !== true
      ? ['needs a state without being conclusive']
      : []),
  ]
}

/** A preview of entities that another preview's entity refers to. */
function ofChained(
  app: App,
  around: Schema,
  { of, read: name, by, set = {}, at, shows, matters }: ChainedPreview,
): string[] {
  const read = app.endpoints.get(name)
  if (read === undefined || read.access !== 'read') return [`goes on to ${name}, which is no read`]
  const place = objectAt(read.outputSchema, at === undefined ? [] : at.split('.'))
  const taken = propertiesOf(read.inputSchema)
  const filled = [by, ...Object.keys(set)]
  return [
    ...(fieldAt(around, of) === undefined ? [`goes on by ${of}, which is not told`] : []),
    ...filled.filter((input) => !Object.hasOwn(taken, input)).map((input) => `fills ${input}, which ${name} lacks`),
    ...requiredOf(read.inputSchema)
      .filter((input) => !filled.includes(input))
      .map((input) => `does not fill ${input} of ${name}`),
    ...shows
      .filter((path) => fieldAt(place, path) === undefined)
      .map((path) => `shows ${path}, which ${name} does not tell`),
    ...matters.filter((path) => !shows.includes(path)).map((path) => `has ${path} matter, which it does not show`),
  ]
}
