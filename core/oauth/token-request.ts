import OAuth2Server from '@node-oauth/oauth2-server'
import type { Context } from '../context.ts'
import { transaction } from '../database/pool.ts'
import { isRefusal, OAuthRefusal } from './refusal.ts'
import { createModel, grantTypes } from './token-model.ts'
import type { TokenRequest } from './token-model.ts'
import { accessSeconds } from './tokens.ts'

/** The form was read before; what the library asks a request for to believe that it is one. */
const headers = { 'content-type': 'application/x-www-form-urlencoded', 'transfer-encoding': 'chunked' }

/**
 * Answers a token request (RFC 6749, 4.1.3 and 6) with the body of the answer: a code becomes a grant and its first tokens, a refresh token
 * the next ones, all in one transaction. Whether the request is a good one is the library's to judge, and the model's where it has no rule.
 * Throws what `isRefusal` knows.
 */
export async function giveTokens(
  ctx: Pick<Context, 'db' | 'secrets'>,
  sent: TokenRequest,
): Promise<Readonly<Record<string, unknown>>> {
  const type = sent.fields.get('grant_type')
  // The library knows more of them, and asks for a secret before it says that it knows one not.
  if (type === undefined) throw new OAuthRefusal('invalid_request', 'grant_type is missing.')
  if (!grantTypes.includes(type))
    throw new OAuthRefusal('unsupported_grant_type', `grant_type must be ${grantTypes.join(' or ')}.`)
  const body = {
    ...Object.fromEntries(sent.fields),
    client_id: sent.client.id,
    client_secret: sent.client.secret,
    // A grant's scope is what the person chose, whatever is asked for: clients repeat here all that they asked for at first.
    scope: undefined,
  }
  const answer = await transaction(ctx.db, async (db) => {
    const server = new OAuth2Server({
      model: createModel(ctx, db, sent),
      accessTokenLifetime: accessSeconds,
      // Who has a secret must show it, whatever it asks for; the model knows who does.
      requireClientAuthentication: Object.fromEntries(grantTypes.map((each) => [each, false])),
    })
    const response = new OAuth2Server.Response()
    try {
      await server.token(new OAuth2Server.Request({ headers, method: 'POST', query: {}, body }), response)
      return response.body as Readonly<Record<string, unknown>>
    } catch (error) {
      if (!isRefusal(error)) throw causeOf(error)
      // What a refusal has ended must stand: it is thrown after the transaction only.
      return error
    }
  })
  if (answer instanceof Error) throw answer
  // The library counts from when it made the token, in whole seconds, and so tells one less.
  return { ...answer, expires_in: accessSeconds }
}

/** What the library wrapped. */
function causeOf(error: unknown): unknown {
  return error instanceof OAuth2Server.ServerError && 'inner' in error ? error.inner : error
}
