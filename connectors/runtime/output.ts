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

/** What the endpoint makes of an answer of this kind: its output, of the thing that was asked for. Throws `Stopped` where it makes none. */
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
    return numbered ? withKinds(definition.output, plain) : plain
  })
  if (!isFields(output)) throw changed('the output is no object')
  if (!endpoint.checkOutput(output)) throw changed(endpoint.outputFault(output))
  const another = shaped(undefined, () => nameOfAnother(definition, asked, output, context.origin))
  if (another !== undefined) throw changed(`${another} is another than the one asked for`)
  return { ...output }
}

/** `decode` may say that the app did nothing. */
function orRefused<T>(decode: () => T): T {
  try {
    return decode()
  } catch (error) {
    if (!(error instanceof AppRefused)) throw error
    const failure = rejected(error.code, error.message)
    throw failure ? new Stopped(failure) : changed('refused without a code')
  }
}
