import { CallgateError } from '../../schemas/errors.ts'
import type { Http } from '../../core/http/api.ts'

/** Throws method_not_allowed, with Allow, unless the request's method is one of these. */
export function allowMethods(http: Http, ...methods: readonly string[]): void {
  if (methods.includes(http.method)) return
  throw new CallgateError('method_not_allowed', {
    message: `Use ${methods.join(' or ')} here, not ${http.method}.`,
    headers: { Allow: methods.join(', ') },
  })
}
