import { findClient } from '../../core/oauth/clients.ts'
import type { OAuthClient } from '../../core/oauth/clients.ts'
import { OAuthRefusal } from '../../core/oauth/refusal.ts'
import { isSecretHash } from '../../core/oauth/secrets.ts'
import type { Api, Http } from '../http/api.ts'
import { required } from './form.ts'
import type { Fields } from './form.ts'

/** The client that sends the form, which has proven its secret if it has one. Throws invalid_client or invalid_request. */
export async function authenticateClient({ ctx }: Api, http: Http, fields: Fields): Promise<OAuthClient> {
  const { id, secret } = sent(http, fields)
  const client = id.length > 2_000 ? undefined : await findClient(ctx, id)
  if (client === undefined)
    throw new OAuthRefusal('invalid_client', 'There is no such client, or it was forgotten. Register again.')
  if (client.secretHash === null) {
    if (secret !== undefined) throw new OAuthRefusal('invalid_client', 'This client has no secret.')
  } else if (secret === undefined || !isSecretHash(ctx, 'client', secret, client.secretHash))
    throw new OAuthRefusal('invalid_client', 'The secret of the client is missing, or is another one.')
  return client
}

function sent(http: Http, fields: Fields): { readonly id: string; readonly secret: string | undefined } {
  const basic = /^basic +([\w+/=-]+)$/i.exec(http.get('Authorization'))?.[1]
  if (basic === undefined) return { id: required(fields, 'client_id'), secret: fields.get('client_secret') }
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(basic, 'base64').toString()) ?? []
  if (id === undefined || secret === undefined || fields.has('client_secret'))
    throw new OAuthRefusal('invalid_client', 'Send the client’s id and secret in one way.')
  const named = { id: decoded(id), secret: decoded(secret) }
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
