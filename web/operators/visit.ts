import type { Form } from '../form.ts'
import type { AnyVisit } from '../visit.ts'
import type { Operator } from '../../core/http/operator-session.ts'

/** A signed-in operator's request for a page. */
export interface Visit<Name extends string = never> extends AnyVisit<Name> {
  readonly operator: Operator
}

/** A form post whose CSRF token was checked. */
export interface Posted<Name extends string = never> extends Visit<Name> {
  readonly form: Form
}
