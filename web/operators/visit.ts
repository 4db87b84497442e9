import type { Form } from '../form.ts'
import type { AnyVisit } from '../visit.ts'
import type { Operator } from './session.ts'

/** A signed-in operator looks at a page. */
export interface Visit<Name extends string = never> extends AnyVisit<Name> {
  readonly operator: Operator
}

/** And sends a form of it, which is known to be theirs. */
export interface Posted<Name extends string = never> extends Visit<Name> {
  readonly form: Form
}
