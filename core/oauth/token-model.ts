import type OAuth2Server from '@node-oauth/oauth2-server'
import type { Context } from '../context.ts'
import type { Db } from '../database/pool.ts'
import { keepClient, provenClient } from './clients.ts'
import { lockCode, makeGrant, useCode } from './exchange.ts'
import type { Code } from './exchange.ts'
import { lockRefresh, useRefresh } from './refresh.ts'
import type { Refresh } from './refresh.ts'
import { grantScope } from './resource.ts'
import { newSecret } from './secrets.ts'
import { keepTokens } from './tokens.ts'

export interface TokenRequest {
  /** Its secret undefined: it showed none. */
  readonly client: { readonly id: string; readonly secret: string | undefined }
  /** What else the form has in it. */
  readonly fields: ReadonlyMap<string, string>
  /** The path that `resource` names; undefined: not said. */
  readonly resource: string | undefined
}

export const grantTypes: readonly string[] = ['authorization_code', 'refresh_token']

/**
 * What the library asks for and has done while it answers one token request, within that request's transaction. It calls: getClient; for a
 * code getAuthorizationCode, revokeAuthorizationCode, (its check of the verifier), saveToken; for a refresh token getRefreshToken,
 * revokeToken, saveToken. What it judges by its own clock (when a code or token is over) is told it by the database's.
 */
export function createModel(
  ctx: Pick<Context, 'secrets'>,
  db: Db,
  sent: TokenRequest,
): OAuth2Server.ServerOptions['model'] {
  let code: Code | undefined
  let refresh: Refresh | undefined
  const clientOf = (id: string): OAuth2Server.Client => ({ id, grants: [...grantTypes] })
  const model: Pick<
    OAuth2Server.AuthorizationCodeModel,
    | 'generateAccessToken'
    | 'generateRefreshToken'
    | 'getAuthorizationCode'
    | 'getClient'
    | 'revokeAuthorizationCode'
    | 'saveToken'
  > &
    Pick<OAuth2Server.RefreshTokenModel, 'getRefreshToken' | 'revokeToken'> = {
    getClient: async (id, secret: string | undefined) => clientOf((await provenClient({ ...ctx, db }, id, secret)).id),

    async getAuthorizationCode(text) {
      code = await lockCode(ctx, db, text)
      if (code === undefined) return null
      return {
        authorizationCode: text,
        // One that was used before ends its grant, however old it is: useCode.
        expiresAt: fromNow(code.used ? 60 : code.seconds),
        // Checked in useCode: a program on the person's machine may have another port now, and OAuth 2.1 asks for no repetition.
        redirectUri: '',
        codeChallenge: code.challenge,
        codeChallengeMethod: 'S256',
        scope: grantScope(code.read_only),
        client: clientOf(code.client),
        user: { owner: code.owner },
      }
    },

    async revokeAuthorizationCode() {
      if (code === undefined) return false
      await useCode(db, code, { redirectUri: sent.fields.get('redirect_uri'), resource: sent.resource })
      return true
    },

    async getRefreshToken(text) {
      refresh = await lockRefresh(ctx, db, text)
      if (refresh === undefined) return null
      return {
        refreshToken: text,
        // One that was used before ends its grant, however old it is: useRefresh.
        refreshTokenExpiresAt: fromNow(refresh.replayed ? 60 : refresh.seconds),
        scope: grantScope(refresh.read_only),
        client: clientOf(refresh.client),
        user: { owner: refresh.owner },
      }
    },

    async revokeToken() {
      if (refresh === undefined) return false
      await useRefresh(db, refresh, sent.resource)
      return true
    },

    generateAccessToken: () => Promise.resolve(newSecret('access')),
    generateRefreshToken: () => Promise.resolve(newSecret('refresh')),

    async saveToken(token, client, user) {
      const key = code === undefined ? refresh?.key : await makeGrant(db, code)
      if (key === undefined || token.refreshToken === undefined) throw new Error('tokens of nothing')
      await keepClient(db, client.id)
      const pair = { access: token.accessToken, refresh: token.refreshToken }
      await keepTokens(ctx, db, { key, parent: refresh?.hash ?? null, ...pair })
      return { ...token, client, user }
    },
  }
  // Its types want what serves other requests, too: codes are made in codes.ts, access tokens are looked up in tokens.ts, many at a time.
  return model as typeof model & OAuth2Server.RefreshTokenModel
}

function fromNow(seconds: number): Date {
  return new Date(Date.now() + seconds * 1000)
}
