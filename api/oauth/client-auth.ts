import { OAuthRefusal } from '../../core/oauth/refusal.ts'
import type { Http } from '../../core/http/api.ts'
import { required } from '../../core/oauth/form.ts'
import type { Fields } from '../../core/oauth/form.ts'

/**
 * The client's id and secret, as sent. Read here, as the library does not decode the header and has
 * no revocation endpoint. An empty secret counts as none (RFC 6749, 2.3.1). Throws invalid_client
 * or invalid_request.
 */
export function credentialsOf(
  http: Http,
  fields: Fields,
): { readonly id: string; readonly secret: string | undefined } {
  const basic = /^basic +([\w+/=-]+)$/i.exec(http.get('Authorization'))?.[1]
  if (basic === undefined) return { id: required(fields, 'client_id'), secret: fields.get('client_secret') }
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(basic, 'base64').toString()) ?? []
  if (id === undefined || secret === undefined || fields.has('client_secret'))
    throw new OAuthRefusal('invalid_client', 'Send the client’s id and secret in one way.')
  const named = { id: decoded(id), secret: decoded(secret) || undefined }
  if ((fields.get('client_id') ?? named.id) !== named.id)
    throw new OAuthRefusal('invalid_client', 'client_id is not that of the Authorization header.')
  return named
}

/** RFC 6749, 2.3.1: both are form-encoded within the header. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    throw new OAuthRefusal('invalid_client', 'The Authorization header cannot be read.')
  }
}
