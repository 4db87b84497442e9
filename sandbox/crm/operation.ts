import type { SignedIn } from '../platform/types.ts'
import { object, type Parsed, type Shape } from './arguments.ts'

/** A persisted operation: known by its name, its selection fixed, its variables checked. */
export interface Operation {
  run(request: SignedIn, variables: unknown): Record<string, unknown>
}

export function operation<S extends Shape>(
  shape: S,
  act: (request: SignedIn, given: Parsed<S>) => Record<string, unknown>,
): Operation {
  const parse = object(shape)
  return { run: (request, variables) => act(request, parse(variables ?? {}, 'variables')) }
}
