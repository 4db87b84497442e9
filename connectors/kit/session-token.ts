/** A header filled with a session token at send time; the approved request only names it. */
export interface SessionFill {
  readonly header: string
  /** One of `signIn.storage`. */
  readonly token: string
  /** Prefix of the token: `Bearer`; '' for none. */
  readonly scheme: string
}

/** How to exchange old tokens for new ones. Data only: connector code never sees a token. */
export interface Renew {
  /** Below the app's root. */
  readonly request: `POST /${string}`
  readonly form?: RenewFields
  readonly json?: RenewFields
  /**
   * Where the JSON answer holds new tokens: token → field, dotted if nested (`data.access_token`).
   * Tokens that are not listed stay.
   */
  readonly gives: Readonly<Record<string, string>>
}

/** Texts and tokens: `{ grant_type: 'refresh_token', refresh_token: { token: 'refresh' } }`. */
export type RenewFields = Readonly<Record<string, string | { readonly token: string }>>

export const session = {
  /** `Authorization: Bearer …`, filled with a token from `signIn.storage`. */
  token(name: string, { header = 'authorization', scheme = 'Bearer' }: Partial<SessionFill> = {}): SessionFill {
    return { header, token: name, scheme }
  },
}
