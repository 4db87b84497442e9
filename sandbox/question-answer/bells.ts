import { number, run, text } from '../platform/rows.ts'
import type { SignedIn } from '../platform/types.ts'
import { nextNo } from './circle.ts'
import { listed, type Span } from './parameters.ts'

/** A notice that somebody got about what the account did. */
export interface Bell {
  no: number
  recipient: string
  words: string
  path: string
  sent: number
}

/** Newest first. */
export function listBells({ db, viewer }: SignedIn, span: Span): { rows: Bell[]; total: number } {
  const query = 'SELECT * FROM bells WHERE account = ? AND sent <= ? AND no <= ?'
  const { rows, total } = listed(db, span, query, 'sent DESC, no DESC', viewer.account.account, span.moment, span.last)
  const bells = rows.map((row) => ({
    no: number(row, 'no'),
    recipient: text(row, 'recipient'),
    words: text(row, 'words'),
    path: text(row, 'path'),
    sent: number(row, 'sent'),
  }))
  return { rows: bells, total }
}

/** Tells each of them; nobody is told who has no name. */
export function ring({ db, viewer, now }: SignedIn, recipients: Iterable<string>, words: string, path: string): void {
  const { account } = viewer.account
  for (const recipient of new Set(recipients)) {
    if (recipient === '') continue
    run(db, 'INSERT INTO bells VALUES (?, ?, ?, ?, ?, ?)', nextNo(db, account), account, recipient, words, path, now)
  }
}
