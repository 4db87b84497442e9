import type Koa from 'koa'
import type { Api } from '../api/http/api.ts'
import type { Context } from '../core/context.ts'
import type { Form } from './form.ts'
import type { SignedIn } from './session.ts'

/** Somebody asks for a page. `Name`: the names in its address. */
export interface AnyVisit<Name extends string = never> {
  readonly api: Api
  readonly ctx: Context
  readonly koa: Koa.Context
  readonly params: Readonly<Record<Name, string>>
}

/** Somebody sends a form that a page of ours may have shown; whether it was shown to them is for the handler to check. */
export interface AnyPosted<Name extends string = never> extends AnyVisit<Name> {
  readonly form: Form
}

/** A signed-in person looks at a page. */
export interface Visit<Name extends string = never> extends AnyVisit<Name> {
  readonly person: SignedIn
}

/** And sends a form of it, which is known to be theirs. */
export interface Posted<Name extends string = never> extends Visit<Name> {
  readonly form: Form
}
