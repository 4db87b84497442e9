import type Koa from 'koa'
import type { Api } from '../../api/http/api.ts'
import type { Form } from '../form.ts'
import type { Operator } from './session.ts'

/** A signed-in operator looks at a page. */
export interface Visit {
  readonly api: Api
  readonly koa: Koa.Context
  readonly operator: Operator
  /** The last part of the address, where it is a name. */
  readonly name: string
}

/** And sends a form of it, which is known to be theirs. */
export interface Posted extends Visit {
  readonly form: Form
}
