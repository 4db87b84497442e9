import type { RouterContext } from '@koa/router'
import { Type } from 'typebox'
import type { Static, TObject, TProperties } from 'typebox'
import { isOperatorName } from '../../core/operators/credentials.ts'
import { CallgateError } from '../../schemas/errors.ts'
import type { Http } from '../http/api.ts'
import { argumentReader } from '../http/argument-reader.ts'
import { readJsonBody } from '../http/body.ts'
import { allowMethods } from '../http/method.ts'
import { readNoQuery } from '../http/query.ts'
import type { Query } from '../http/query.ts'

/** The names of those who came with a token of their own. */
const named = new WeakMap<Http['req'], string>()

/** Notes whose token it came with. */
export function nameOperator(http: Http, name: string): void {
  named.set(http.req, name)
}

/** Who it is, for the log: whose token it is, or with the shared one as they say themselves. */
export function actorOf(http: Http): string {
  const name = named.get(http.req) ?? http.get('X-Operator')
  return `operator:${isOperatorName(name) ? name : 'unnamed'}`
}

/** A name or an id in the address. Throws not_found for what is none. */
export function nameIn(http: RouterContext, param: string): string {
  const name = http.params[param] ?? ''
  if (!/^[\w-]+$/.test(name)) throw new CallgateError('not_found')
  return name
}

/** Reads the JSON body of a POST with these fields and no others, of so many bytes at most. Throws what is wrong with it. */
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
