import type { AppSession } from '../schemas/session.ts'

/** A sandbox account with a live session. */
export interface SeededAccount {
  readonly account: string
  readonly label: string
  readonly kind: string
  /** The demo user that it belongs to. */
  readonly user: string
  readonly email: string
  readonly password: string
  readonly session: AppSession
}

/** The seeded accounts of a sandbox app, from its control route. Throws on an error response. */
export async function seededAccounts(sandboxUrl: string, slug: string): Promise<readonly SeededAccount[]> {
  const response = await fetch(`${sandboxUrl}/_sandbox/${slug}/accounts`)
  if (!response.ok) throw new Error(`the sandbox answered ${response.status} for the accounts of ${slug}`)
  const { accounts } = (await response.json()) as { readonly accounts: readonly SeededAccount[] }
  return accounts
}
