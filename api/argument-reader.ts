import type { Static, TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import { explain } from '../connectors/explain.ts'
import { invalidInput } from './call-request.ts'

/** Checks arguments and fills in defaults. Throws invalid_input. */
export function argumentReader<T extends TObject>(schema: T): (args: unknown) => Static<T> {
  let compiled: ReturnType<typeof Compile<T>> | undefined
  return (args) => {
    compiled ??= Compile(schema)
    const value: unknown = compiled.Default(structuredClone(args))
    if (!compiled.Check(value)) throw invalidInput(explain(schema, compiled.Errors(value), value))
    return value
  }
}
