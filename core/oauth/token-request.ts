import OAuth2Server from '@node-oauth/oauth2-server'
import type { Context } from '../context.ts'
import { transaction } from '../database/pool.ts'
import { isRefusal, OAuthRefusal } from './refusal.ts'
import { createModel, grantTypes } from './token-model.ts'
import type { TokenRequest } from './token-model.ts'
import { accessSeconds } from './tokens.ts'

/** Headers that the library requires of a form; the form was parsed before. */
const headers = { 'content-type': 'application/x-www-form-urlencoded', 'transfer-encoding': 'chunked' }

/**
 * Answers a token request (RFC 6749, 4.1.3 and 6) in one transaction: exchanges a code for a grant
 * and tokens, or a refresh token for the next ones. The library validates the request, and the
 * model what the library does not. Throws what `isRefusal` accepts. Returns the body.
 */
export async function giveTokens(
  ctx: Pick<Context, 'db' | 'secrets' | 'config'>,
  sent: TokenRequest,
): Promise<Readonly<Record<string, unknown>>> {
  const type = sent.fields.get('grant_type')
  // Reject unknown grant types here: the library would first demand a secret.
  if (type === undefined) throw new OAuthRefusal('invalid_request', 'grant_type is missing.')
  if (!grantTypes.includes(type))
    throw new OAuthRefusal('unsupported_grant_type', `grant_type must be ${grantTypes.join(' or ')}.`)
  const body = {
    ...Object.fromEntries(sent.fields),
    client_id: sent.client.id,
    client_secret: sent.client.secret,
    // A grant's scope is the user's choice: clients repeat here what they requested at first.
    scope: undefined,
  }
  const answer = await transaction(ctx.db, async (db) => {
    const server = new OAuth2Server({
      model: createModel(ctx, db, sent),
      accessTokenLifetime: accessSeconds,
      // The model demands the secret of clients that have one.
      requireClientAuthentication: Object.fromEntries(grantTypes.map((each) => [each, false])),
    })
    const response = new OAuth2Server.Response()
    try {
      await server.token(new OAuth2Server.Request({ headers, method: 'POST', query: {}, body }), response)
      return response.body as Readonly<Record<string, unknown>>
    } catch (error) {
      if (!isRefusal(error)) throw causeOf(error)
      // Thrown after the transaction: the revocations of a refused request must be committed.
      return error
    }
  })
  if (answer instanceof Error) throw answer
  // The library counts whole seconds since it made the token, and would return one less.
  return { ...answer, expires_in: accessSeconds }
}

/** The error that the library wrapped. */
function causeOf(error: unknown): unknown {
  return error instanceof OAuth2Server.ServerError && 'inner' in error ? error.inner : error
}
