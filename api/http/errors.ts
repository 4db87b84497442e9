import type Koa from 'koa'
import { isConnectionError } from '../../core/database/failures.ts'
import { logUnopened } from '../../core/security-log.ts'
import { CallgateError, httpTerms } from '../../schemas/errors.ts'
import type { Api, Http } from './api.ts'
import { requestId } from './headers.ts'
import { unavailable } from './unavailable.ts'

/** The one place where an error becomes a response: JSON where programs ask, elsewhere a page. */
export function errorFunnel(
  api: Api,
  isForPrograms: (path: string) => boolean,
  showPage: (api: Api, http: Http, error: CallgateError) => Promise<void> | void,
): Koa.Middleware {
  return async (http, next) => {
    try {
      await next()
      if (http.respond !== false && http.status === 404 && http.body == null) throw new CallgateError('not_found')
    } catch (thrown) {
      const error = publicError(thrown)
      if (error.code === 'internal') logUnopened(api.ctx, { request: requestId(http) }, thrown, 'internal error')
      http.status = error.status
      http.set(error.headers)
      if (isForPrograms(http.path)) http.body = errorBody(error, requestId(http))
      else await showPage(api, http, error)
    }
  }
}

/** The error's body, as the contract has it. */
export function errorBody(error: CallgateError, id: string, terms = httpTerms): Record<string, unknown> {
  return { error: error.code, message: error.messageIn(terms), request_id: id, ...error.fields }
}

/** What of an error leaves the building. */
export function publicError(thrown: unknown): CallgateError {
  if (thrown instanceof CallgateError) return thrown
  return isConnectionError(thrown) ? unavailable(thrown) : new CallgateError('internal', { cause: thrown })
}
