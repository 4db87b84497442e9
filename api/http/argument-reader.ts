import type { Static, TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import { badTexts, fillIn } from '../../connectors/runtime/validate.ts'
import { invalidInput } from '../../core/calls/invalid-input.ts'

/** Checks arguments and fills in defaults. Throws invalid_input. */
export function argumentReader<T extends TObject>(schema: T): (args: unknown) => Static<T> {
  let compiled: ReturnType<typeof Compile<T>> | undefined
  return (args) => {
    compiled ??= Compile(schema)
    const { input, details } = fillIn(compiled, schema, args)
    if (details.length > 0 || !compiled.Check(input)) throw invalidInput(details)
    // An action's own schema checks its inputs.
    const texts = Object.entries(input).filter(([, item]) => typeof item === 'string')
    const bad = badTexts(Object.fromEntries(texts), '')
    if (bad.length > 0) throw invalidInput(bad)
    return input
  }
}
