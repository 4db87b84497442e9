import type OAuth2Server from '@node-oauth/oauth2-server'
import type { Db } from '../database/pool.ts'
import type { Mailing } from '../mails/queue.ts'
import { keepClient, provenClient } from './clients.ts'
import { lockCode, makeGrant, useCode } from './exchange.ts'
import type { Code } from './exchange.ts'
import { noteNetwork } from './networks.ts'
import { lockRefresh, useRefresh } from './refresh.ts'
import type { Refresh } from './refresh.ts'
import { grantScope } from './resource.ts'
import { newSecret } from './secrets.ts'
import { keepTokens, repeatTokens } from './tokens.ts'

export interface TokenRequest {
  /** `secret` undefined: none was sent. */
  readonly client: { readonly id: string; readonly secret: string | undefined }
  /** The form's fields. */
  readonly fields: ReadonlyMap<string, string>
  /** The path that `resource` names; undefined: not sent. */
  readonly resource: string | undefined
  /** The client's IP address. */
  readonly ip: string
}

export const grantTypes: readonly string[] = ['authorization_code', 'refresh_token']

/**
 * The library's model for one token request, in that request's transaction. The library calls
 * getClient; for a code getAuthorizationCode, revokeAuthorizationCode, (its check of the verifier),
 * saveToken; for a refresh token getRefreshToken, revokeToken, saveToken. It checks expiry with its
 * own clock, so we pass dates computed from the database's.
 */
export function createModel(ctx: Mailing, db: Db, sent: TokenRequest): OAuth2Server.ServerOptions['model'] {
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
        // A used code must reach useCode, which ends its grant, however old it is.
        expiresAt: fromNow(code.used ? 60 : code.seconds),
        // Checked in useCode: a loopback port may differ, and OAuth 2.1 does not require the field.
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
        // A used token must reach useRefresh, however old it is.
        refreshTokenExpiresAt: fromNow(refresh.ended || refresh.state !== 'live' ? 60 : refresh.seconds),
        scope: grantScope(refresh.read_only),
        client: clientOf(refresh.client),
        user: { owner: refresh.owner },
      }
    },

    async revokeToken() {
      if (refresh === undefined) return false
      await useRefresh(ctx, db, refresh, sent)
      return true
    },

    generateAccessToken: () => Promise.resolve(refresh?.next.access ?? newSecret('access')),
    generateRefreshToken: () => Promise.resolve(refresh?.next.refresh ?? newSecret('refresh')),

    async saveToken(token, client, user) {
      const key = code === undefined ? refresh?.key : await makeGrant(db, code)
      if (key === undefined || token.refreshToken === undefined) throw new Error('tokens of nothing')
      await keepClient(db, client.id)
      const pair = { access: token.accessToken, refresh: token.refreshToken }
      if (code !== undefined) await noteNetwork(db, key, sent.ip)
      if (refresh?.made === true) await repeatTokens(ctx, db, { key, access: pair.access })
      else await keepTokens(ctx, db, { key, parent: refresh?.hash ?? null, ...pair })
      return { ...token, client, user }
    },
  }
  // The types also require methods of other requests: codes.ts makes codes, tokens.ts finds tokens.
  return model as typeof model & OAuth2Server.RefreshTokenModel
}

function fromNow(seconds: number): Date {
  return new Date(Date.now() + seconds * 1000)
}
