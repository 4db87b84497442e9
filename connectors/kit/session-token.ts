/** A header that is filled with a token of the session when a request is sent. The request as it is kept, shown and approved only names it. */
export interface SessionFill {
  readonly header: string
  /** One of `signIn.storage`. */
  readonly token: string
  /** What stands before it: `Bearer`; '' for nothing. */
  readonly scheme: string
}

/** How an app gives new tokens for old ones. Data only: no code of a connector sees a token. */
export interface Renew {
  /** Below the app's root. */
  readonly request: `POST /${string}`
  readonly form?: RenewFields
  readonly json?: RenewFields
  /** Of which fields of its JSON answer the tokens are made: token → field, `data.access_token` for one inside another. Those that are not named stay. */
  readonly gives: Readonly<Record<string, string>>
}

/** Texts, and tokens of the session: `{ grant_type: 'refresh_token', refresh_token: { token: 'refresh' } }`. */
export type RenewFields = Readonly<Record<string, string | { readonly token: string }>>

export const session = {
  /** `Authorization: Bearer …`, filled with a token that `signIn.storage` keeps. */
  token(name: string, { header = 'authorization', scheme = 'Bearer' }: Partial<SessionFill> = {}): SessionFill {
    return { header, token: name, scheme }
  },
}
