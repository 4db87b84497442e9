import type { DatabaseSync } from 'node:sqlite'
import { all, number, text } from '../platform/rows.ts'
import type { SignedIn } from '../platform/types.ts'
import { listed, type Span } from './parameters.ts'
import { toUnder, type Under } from './asks.ts'

/** Somebody would like the account to reply to a question. */
export interface Nudge extends Under {
  no: number
  sender: string
  sent: number
}

/** Those not yet replied to, newest first. */
export function listNudges({ db, viewer }: SignedIn, span: Span): { rows: Nudge[]; total: number } {
  const query = `SELECT n.*, a.wording, a.key FROM nudges n JOIN asks a ON a.no = n.ask
    WHERE n.account = ? AND n.sent <= ? AND n.no <= ? AND (n.gone IS NULL OR n.gone > ?)`
  const values = [viewer.account.account, span.moment, span.last, span.last]
  const { rows, total } = listed(db, span, query, 'sent DESC, no DESC', ...values)
  const nudges = rows.map((row) => ({
    ...toUnder(row),
    no: number(row, 'no'),
    sender: text(row, 'sender'),
    sent: number(row, 'sent'),
  }))
  return { rows: nudges, total }
}

/** A reply settles all that were waiting for it; answers who sent them. */
export function settleNudges(db: DatabaseSync, ask: number, reply: number): string[] {
  const sql = 'UPDATE nudges SET gone = ? WHERE ask = ? AND gone IS NULL RETURNING sender'
  return all(db, sql, reply, ask).map((row) => text(row, 'sender'))
}
