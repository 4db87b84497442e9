import OAuth2Server from '@node-oauth/oauth2-server'

/** The error codes of OAuth 2.0 (RFC 6749, 7591, 8707) that are used here. */
export type OAuthCode =
  | 'access_denied'
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_grant'
  | 'invalid_redirect_uri'
  | 'invalid_request'
  | 'invalid_target'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'

/** An OAuth error response. Clients read the message as `error_description`: no secrets in it. */
export class OAuthRefusal extends OAuth2Server.OAuthError {
  declare readonly name: OAuthCode
  /** The grant that was ended because it may be compromised. */
  readonly ended: string | null

  constructor(name: OAuthCode, message: string, ended: string | null = null) {
    super(message, { name, code: name === 'invalid_client' ? 401 : 400 })
    this.ended = ended
  }
}

/** Whether the error is for the client, from this gateway or the library. Others are faults. */
export function isRefusal(error: unknown): error is OAuth2Server.OAuthError {
  return error instanceof OAuth2Server.OAuthError && error.code < 500
}
