import type { Api, Http } from '../api/http/api.ts'
import { requestId } from '../api/http/headers.ts'
import type { CallgateError } from '../schemas/errors.ts'
import { errorCatalog } from '../api/http/error-catalog.ts'
import { pageHeaders, pageToRetry, replyErrorPage, wordsForPeople } from './reply.ts'
import { viewerOf } from './session.ts'

/** The page of an error that programs would be told in JSON. */
export async function showErrorPage({ ctx }: Api, http: Http, error: CallgateError): Promise<void> {
  const { status, code } = error
  const { title } = errorCatalog[code]
  http.set(pageHeaders)
  // When something is broken here, telling so must not need it.
  const viewer = status < 500 ? await viewerOf(ctx, http) : undefined
  const retry = status === 503 ? pageToRetry(http) : undefined
  replyErrorPage(http, { viewer, status, title, message: wordsForPeople(error), requestId: requestId(http), retry })
}
