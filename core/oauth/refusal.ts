/** The error codes of OAuth 2.0 (RFC 6749, 7591, 8707) that are told here. */
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

/** What a program asked for and does not get. The message is told to it as `error_description`: no secret in it. */
export class OAuthRefusal extends Error {
  readonly code: OAuthCode
  /** The grant that was ended, because somebody else may have got at it. */
  readonly ended: string | null

  constructor(code: OAuthCode, message: string, ended: string | null = null) {
    super(message)
    this.name = 'OAuthRefusal'
    this.code = code
    this.ended = ended
  }
}
