import type { Api, Http } from '../core/http/api.ts'
import { requestId } from '../core/http/api.ts'
import type { CallgateError } from '../schemas/errors.ts'
import { errorCatalog } from '../core/http/error-catalog.ts'
import { pageHeaders, pageToRetry, replyErrorPage, wordsForPeople } from './reply.ts'
import { viewerOf } from './session.ts'

/** HTML page of an error that API clients receive as JSON. */
export async function showErrorPage({ ctx }: Api, http: Http, error: CallgateError): Promise<void> {
  const { status, code } = error
  const { title } = errorCatalog[code]
  http.set(pageHeaders)
  // On a 5xx, skip the session lookup: the error page must not depend on what failed.
  const viewer = status < 500 ? await viewerOf(ctx, http) : undefined
  const retry = status === 503 ? pageToRetry(http) : undefined
  replyErrorPage(http, { viewer, status, title, message: wordsForPeople(error), requestId: requestId(http), retry })
}
