import type { RouterContext } from '@koa/router'
import { Type } from 'typebox'
import type { Static, TObject, TProperties } from 'typebox'
import { isOperatorName } from '../../core/operators/credentials.ts'
import { CallgateError } from '../../schemas/errors.ts'
import type { Http } from '../../core/http/api.ts'
import { argumentReader } from '../http/argument-reader.ts'
import { readJsonBody } from '../http/body.ts'
import { allowMethods } from '../http/method.ts'
import { readNoQuery } from '../http/query.ts'
import type { Query } from '../http/query.ts'

/** Names of operators, by request, if it carries a personal token. */
const named = new WeakMap<Http['req'], string>()

/** Notes whose token the request carries. */
export function nameOperator(http: Http, name: string): void {
  named.set(http.req, name)
}

/** The actor for the audit log: the token's owner, or X-Operator with the shared token. */
export function actorOf(http: Http): string {
  const name = named.get(http.req) ?? http.get('X-Operator')
  return `operator:${isOperatorName(name) ? name : 'unnamed'}`
}

/** A name or an id in the path. Throws not_found for anything else. */
export function nameIn(http: RouterContext, param: string): string {
  const name = http.params[param] ?? ''
  if (!/^[\w-]+$/.test(name)) throw new CallgateError('not_found')
  return name
}

/** Reads a POST's JSON body with exactly these fields, of at most `longest` bytes, or throws. */
export function postReader<P extends TProperties>(
  fields: P,
  longest?: number,
): (http: Http) => Promise<Static<TObject<P>>> {
  const checked = argumentReader(Type.Object(fields, { additionalProperties: false }))
  return async (http) => {
    allowMethods(http, 'POST')
    const body = await readJsonBody(http, longest)
    readNoQuery(http.querystring)
    return checked(body)
  }
}

/** `limit`, 1 to 500. */
export function readOperatorLimit(query: Query): number {
  const { limit = '50' } = query.values
  if (!/^([1-9]\d?|[1-4]\d\d|500)$/.test(limit)) query.refuse('limit', 'must be a whole number from 1 to 500')
  return Number(limit)
}
