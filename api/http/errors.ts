import type Koa from 'koa'
import { isConnectionError } from '../../core/database/failures.ts'
import { CallgateError, httpTerms } from '../../schemas/errors.ts'
import { errorWords } from './error-words.ts'
import { isApiPath } from './api.ts'
import type { Api, Http } from './api.ts'
import { requestId } from './headers.ts'
import { pageHeaders, replyErrorPage, viewerOf } from '../../web/index.ts'
import { unavailable } from './unavailable.ts'

/** The one place where an error becomes a response: JSON under /api/v1, a page elsewhere. */
export function errorFunnel(api: Api): Koa.Middleware {
  return async (http, next) => {
    try {
      await next()
      if (http.respond !== false && http.status === 404 && http.body == null) throw new CallgateError('not_found')
    } catch (thrown) {
      const error = publicError(thrown)
      if (error.code === 'internal') api.ctx.log.error({ request: requestId(http), err: thrown }, 'internal error')
      await render(api, http, error)
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

/** What a page says: a form may have been taken when the database went away, so that nobody knows whether it was. */
export function wordsForPeople({ code, message }: CallgateError): string {
  return code === 'unavailable'
    ? 'Callgate’s database is away for a moment. If you just pressed a button, it may or may not have been recorded: load the page again before you repeat it.'
    : message
}

async function render(api: Api, http: Http, error: CallgateError): Promise<void> {
  http.status = error.status
  http.set(error.headers)
  if (isApiPath(http.path)) {
    http.body = errorBody(error, requestId(http))
    return
  }
  http.set(pageHeaders)
  const { status } = error
  const { title } = errorWords[error.code]
  const message = wordsForPeople(error)
  // When something is broken here, telling so must not need it.
  const viewer = status < 500 ? await viewerOf(api.ctx, http) : undefined
  replyErrorPage(http, { viewer, status, title, message, requestId: requestId(http) })
}
