import type { AnswerKind, DecodeContext, Input } from '../kit/define.ts'
import { rejected } from '../kit/failures.ts'
import { withKinds } from '../kit/numbered-ids.ts'
import { AppRefused } from '../kit/refusals.ts'
import { nameOfAnother } from '../kit/same-thing.ts'
import { isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { fieldsOf } from './answer.ts'
import type { AnswerOf } from './answer.ts'
import type { Endpoint } from './app.ts'
import { Stopped, changed, shaped } from './outcome.ts'

/** The output from an answer, for the entity asked for. Throws `Stopped` if there is none. */
export function outputOf(
  endpoint: Endpoint,
  asked: Fields,
  {
    answer,
    kind,
    context,
  }: { readonly answer: AnswerOf; readonly kind: AnswerKind; readonly context: DecodeContext<Input> },
): Record<string, unknown> {
  const { definition, numbered } = endpoint
  const output = shaped(answer.json, (json): unknown => {
    const decoded = orRefused(() => definition.decode(fieldsOf({ ...answer, json }, kind), context))
    const plain: unknown = JSON.parse(JSON.stringify(decoded))
    const typed = withNumbers(endpoint.outputSchema, plain)
    return numbered ? withKinds(definition.output, typed) : typed
  })
  if (!isFields(output)) throw changed('the output is no object')
  if (!endpoint.checkOutput(output)) throw changed(endpoint.outputFault(output))
  const another = shaped(undefined, () => nameOfAnother(definition, asked, output, context.origin))
  if (another !== undefined) throw changed(`${another} is another than the one asked for`)
  return { ...output }
}

/** Digits that `parseWithDigits` kept become numbers again where the schema allows no string. */
function withNumbers(schema: unknown, value: unknown): unknown {
  if (!isFields(schema)) return value
  if (Array.isArray(value)) return value.map((item) => withNumbers(schema['items'], item))
  if (isFields(value)) {
    const properties = isFields(schema['properties']) ? schema['properties'] : {}
    const named = Object.entries(value).map(([name, item]) => [name, withNumbers(properties[name], item)])
    return Object.fromEntries(named)
  }
  const takes = typesOf(schema)
  const isNumber = !takes.includes('string') && takes.some((type) => type === 'number' || type === 'integer')
  return typeof value === 'string' && isNumber && /^-?\d{16,}$/.test(value) ? Number(value) : value
}

function typesOf({ type, anyOf }: Fields): readonly unknown[] {
  return Array.isArray(anyOf) ? anyOf.filter(isFields).flatMap(typesOf) : [type].flat()
}

/** `decode` may report that the app did nothing. */
function orRefused<T>(decode: () => T): T {
  try {
    return decode()
  } catch (error) {
    if (!(error instanceof AppRefused)) throw error
    const failure = rejected(error.code, error.message)
    throw failure ? new Stopped(failure) : changed('refused without a code')
  }
}
