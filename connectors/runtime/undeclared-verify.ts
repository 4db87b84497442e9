import type { Proof, Verify } from '../kit/declared.ts'
import type { App, Endpoint } from './app.ts'
import { fieldAt, objectAt, propertiesOf, requiredOf } from './schema-walk.ts'
import type { Schema } from './schema-walk.ts'

/** Problems of a write's verification, a line each. */
export function ofVerify(app: App, write: Endpoint): string[] {
  return write.verify === null ? [] : problems(app, write, write.verify).map((problem) => `verify ${problem}`)
}

function problems(app: App, write: Endpoint, verify: Verify): string[] {
  const { read: name, from = {}, set = {}, at, id, same, is = {}, since } = verify
  const read = app.endpoints.get(name)
  if (read === undefined || read.access !== 'read') return [`names ${name}, which is no read`]
  const place = objectAt(read.outputSchema, at === undefined ? [] : at.split('.'))
  if (place === undefined) return [`finds no such thing in ${name}`]
  const [given, taken] = [requiredOf(write.inputSchema), propertiesOf(read.inputSchema)]
  const filled = [...Object.keys(from), ...Object.keys(set)]
  const shown = [id, ...Object.keys(same), ...Object.keys(is), since].filter((path) => path !== undefined)
  return [
    ...filled.filter((input) => !Object.hasOwn(taken, input)).map((input) => `fills ${input}, which ${name} lacks`),
    ...requiredOf(read.inputSchema)
      .filter((input) => !filled.includes(input))
      .map((input) => `does not fill ${input} of ${name}`),
    ...requiredOf(read.inputSchema)
      .filter((input) => Object.hasOwn(from, input) && !given.includes(String(from[input])))
      .map((input) => `fills ${input} of ${name} from what may be left out`),
    ...[...Object.values(from), ...Object.values(same)]
      .filter((input) => fieldAt(write.inputSchema, input) === undefined)
      .map((input) => `takes ${input}, which is no input`),
    ...shown
      .filter((path) => fieldAt(place, path) === undefined)
      .map((path) => `goes by ${path}, which ${name} does not tell`),
    ...(Object.keys(same).length === 0 ? ['would take any thing for the one'] : []),
    ...(verify.proof === undefined ? [] : ofProof(write, verify.proof, { place, same })),
  ]
}

function ofProof(
  { preview, outputSchema }: Endpoint,
  { words, before, output }: Proof,
  { place, same }: { readonly place: Schema; readonly same: Verify['same'] },
): string[] {
  const told = preview.flatMap(({ matters }) => matters)
  const fields = Object.keys(propertiesOf(outputSchema))
  return [
    ...(Object.values(same).includes(words) ? [] : [`takes ${words} for its own words, by which it does not go`]),
    ...(Object.keys(before).length === 0 ? ['proves what may have been before'] : []),
    ...Object.keys(before)
      .filter((path) => !told.includes(path))
      .map((path) => `proves by ${path}, which does not matter in a preview`),
    ...[...new Set([...fields, ...Object.keys(output)])]
      .filter((field) => !fields.includes(field) || output[field] === undefined)
      .map((field) => `does not say what the output's ${field} is`),
    ...Object.values(output)
      .filter((path) => fieldAt(place, path) === undefined)
      .map((path) => `gives out ${path}, which it does not tell`),
  ]
}
