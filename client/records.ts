/** The body of `GET /calls/{call_id}`. */
export interface CallRecord {
  readonly call_id: string
  readonly app: string
  readonly endpoint: string
  readonly account: string
  readonly status:
    | 'awaiting_confirmation'
    | 'running'
    | 'executed'
    | 'failed'
    | 'unknown'
    | 'rejected'
    | 'expired'
    | 'cancelled'
  readonly waiting_for?: string
  readonly created_at: string
  readonly updated_at: string
  /** When the approval request expires. */
  readonly expires_at?: string
  /** How often the approver was asked again because data in the app changed after the approval. */
  readonly asked_again?: number
  readonly rounds?: readonly { readonly by: string; readonly approved_at: string; readonly ended_at: string }[]
  /** When the next attempt of a `blocked` call is due. */
  readonly retry_at?: string
  readonly confirm_url?: string
  readonly connect_url?: string
  readonly credits_used: number
  readonly output?: unknown
  readonly error?: Readonly<Record<string, unknown>> & { readonly http_status: number }
  /** The approver's decision, once there is one. */
  readonly decision?: {
    /** `owner`, or the id of the approval rule. */
    readonly by: string
    readonly at: string
    readonly decision: 'approved' | 'rejected'
    readonly reason?: string
    /** JSON paths of the input that the approver edited before approving. */
    readonly changed?: readonly string[]
  }
  readonly metadata?: Readonly<Record<string, string>>
  /** Whether an `unknown` call happened, and who found out. */
  readonly resolution?: { readonly happened: boolean; readonly by: string; readonly at: string }
}

/** A connected account. */
export interface Connection {
  readonly app: string
  /** The value for a call's `account`. */
  readonly account: string
  readonly label: string
  /** The app's origin for this account; absent where all accounts share one. */
  readonly origin?: string
  readonly state: 'connected' | 'expired' | 'needs_check' | 'blocked'
  readonly connected_at: string | null
  readonly last_used_at: string | null
  /** The page where the user reconnects the account. */
  readonly connect_url: string
}
