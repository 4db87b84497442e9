import type Koa from 'koa'
import { isConnectionError } from '../../core/database/failures.ts'
import { logUnopened } from '../../core/security-log.ts'
import { CallgateError, httpTerms } from '../../schemas/errors.ts'
import type { Api, Http } from '../../core/http/api.ts'
import { requestId } from '../../core/http/api.ts'
import { unavailable } from '../../core/http/unavailable.ts'

/** The one place where an error becomes a response: JSON for API paths, elsewhere a page. */
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
      const error = refused(api, http, thrown)
      if (isForPrograms(http.path)) http.body = errorBody(error, requestId(http))
      else await showPage(api, http, error)
    }
  }
}

/** The public form of an error, with its status and headers set; internal errors are logged. */
export function refused(api: Api, http: Http, thrown: unknown): CallgateError {
  const error = publicError(thrown)
  if (error.code === 'internal') logUnopened(api.ctx, { request: requestId(http) }, thrown, 'internal error')
  http.status = error.status
  http.set(error.headers)
  return error
}

/** The error's body, as in the contract. */
export function errorBody(error: CallgateError, id: string, terms = httpTerms): Record<string, unknown> {
  return { error: error.code, message: error.messageIn(terms), request_id: id, ...error.fields }
}

/** The public form of an error. */
export function publicError(thrown: unknown): CallgateError {
  if (thrown instanceof CallgateError) return thrown
  return isConnectionError(thrown) ? unavailable(thrown) : new CallgateError('internal', { cause: thrown })
}
