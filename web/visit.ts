import type Koa from 'koa'
import type { Api } from '../core/http/api.ts'
import type { Context } from '../core/context.ts'
import type { Form } from './form.ts'
import type { SignedIn } from './session.ts'

/** A request for a page. `Name`: the parameters in its path. */
export interface AnyVisit<Name extends string = never> {
  readonly api: Api
  readonly ctx: Context
  readonly koa: Koa.Context
  readonly params: Readonly<Record<Name, string>>
}

/** A form post that passed the same-site check; the handler checks that the user was shown it. */
export interface AnyPosted<Name extends string = never> extends AnyVisit<Name> {
  readonly form: Form
}

/** A signed-in user's request for a page. */
export interface Visit<Name extends string = never> extends AnyVisit<Name> {
  readonly person: SignedIn
}

/** A form post whose CSRF token was checked. */
export interface Posted<Name extends string = never> extends Visit<Name> {
  readonly form: Form
}
