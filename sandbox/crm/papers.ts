import type { DatabaseSync } from 'node:sqlite'
import { all, count, maybeNumber, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type Account, type Viewer } from '../platform/types.ts'
import { kinds, linkKey, phases, type Kind, type Paper, type Phase, type Prompt } from './entities.ts'
import { visible } from './levels.ts'
import { among, insert, isIn, nextId, stored, where, type Slice, type Wish } from './tables.ts'

const joined = 'SELECT f.*, e.headline FROM papers f JOIN engagements e ON e.id = f.engagement'

function toPaper(row: Row): Paper {
  return {
    id: number(row, 'id'),
    account: text(row, 'account'),
    engagement: { id: number(row, 'engagement'), headline: text(row, 'headline') },
    kind: among(kinds, text(row, 'kind')),
    name: text(row, 'name'),
    phase: among(phases, text(row, 'phase')),
    prompts: stored(text(row, 'prompts')) as Prompt[],
    replies: stored(text(row, 'replies')) as string[][],
    added: number(row, 'added'),
    sent: maybeNumber(row, 'sent'),
    revised: maybeNumber(row, 'revised'),
  }
}

const notFound = (): Refusal => new Refusal(404, 'PAPER_NOT_FOUND', 'You have no such paper.', 'paperId')

/** One of an engagement that the viewer may see. */
export function findPaper(db: DatabaseSync, viewer: Viewer, id: number): Paper {
  const { sql, values } = where(['f.id = ?', id], visible(viewer))
  const row = one(db, `${joined} WHERE ${sql}`, ...values)
  if (!row) throw notFound()
  return toPaper(row)
}

/** What the client's link leads to. */
export function findSentPaper(db: DatabaseSync, key: string): Paper {
  const id = Number(/^(\d{1,15})-[0-9a-f]{16}$/.exec(key)?.[1] ?? 0)
  const row = linkKey('p', id) === key ? one(db, `${joined} WHERE f.id = ? AND f.sent IS NOT NULL`, id) : undefined
  if (!row) throw notFound()
  return toPaper(row)
}

interface PaperFilter {
  engagement: number | undefined
  kinds: readonly Kind[]
  phases: readonly Phase[]
}

/** Newest first. */
export function listPapers(db: DatabaseSync, viewer: Viewer, filter: PaperFilter, wish: Wish): Slice<Paper> {
  const { sql, values } = where(
    visible(viewer),
    filter.engagement !== undefined && ['f.engagement = ?', filter.engagement],
    isIn('f.kind', filter.kinds),
    isIn('f.phase', filter.phases),
  )
  const after = wish.after ?? Number.MAX_SAFE_INTEGER
  const rows = all(
    db,
    `${joined} WHERE ${sql} AND f.id < ? ORDER BY f.id DESC LIMIT ?`,
    ...values,
    after,
    wish.first + 1,
  )
  const from = `papers f JOIN engagements e ON e.id = f.engagement WHERE ${sql}`
  return { rows: rows.map(toPaper), total: count(db, from, ...values) }
}

export const papersOf = (db: DatabaseSync, engagement: number): Paper[] =>
  all(db, `${joined} WHERE f.engagement = ? ORDER BY f.id`, engagement).map(toPaper)

export function insertPaper(db: DatabaseSync, account: Account, made: Omit<Paper, 'id' | 'account'>): Paper {
  const id = nextId(db, 'papers', account)
  insert(db, 'papers', {
    id,
    account: account.account,
    engagement: made.engagement.id,
    kind: made.kind,
    name: made.name,
    phase: made.phase,
    prompts: JSON.stringify(made.prompts),
    replies: JSON.stringify(made.replies),
    added: made.added,
    sent: made.sent ?? null,
    revised: made.revised ?? null,
  })
  return { ...made, id, account: account.account }
}

export function markSent(db: DatabaseSync, paper: Paper, now: number): Paper {
  if (paper.phase !== 'UNSENT') throw new Refusal(409, 'PAPER_ALREADY_SENT', 'This paper was sent already.', 'paperId')
  run(db, "UPDATE papers SET phase = 'OUT', sent = ? WHERE id = ?", now, paper.id)
  return { ...paper, phase: 'OUT', sent: now }
}

/** The client has opened it: only what was unopened changes. */
export function markSeen(db: DatabaseSync, paper: Paper): Paper {
  if (paper.phase !== 'OUT') throw new Refusal(409, 'PAPER_ALREADY_SEEN', 'This paper was opened already.')
  run(db, "UPDATE papers SET phase = 'SEEN' WHERE id = ?", paper.id)
  return { ...paper, phase: 'SEEN' }
}

/** The client's answers: a contract then waits for the studio; a survey may be answered again later, nothing else. */
export function answerPaper(db: DatabaseSync, paper: Paper, replies: string[][], now: number): Paper {
  const again = paper.kind === 'SURVEY' && paper.phase === 'DONE'
  if (paper.phase !== 'SEEN' && !again) {
    throw new Refusal(409, 'PAPER_NOT_OPEN', 'This paper cannot be filled in now.')
  }
  const phase: Phase = paper.kind === 'CONTRACT' ? 'COUNTERSIGN' : 'DONE'
  const sql = 'UPDATE papers SET phase = ?, replies = ?, revised = ? WHERE id = ?'
  run(db, sql, phase, JSON.stringify(replies), now, paper.id)
  return { ...paper, phase, replies, revised: now }
}

export function countersign(db: DatabaseSync, paper: Paper): Paper {
  if (paper.phase !== 'COUNTERSIGN') {
    throw new Refusal(409, 'NOTHING_TO_COUNTERSIGN', 'Only a contract that the client has signed is countersigned.')
  }
  run(db, "UPDATE papers SET phase = 'DONE' WHERE id = ?", paper.id)
  return { ...paper, phase: 'DONE' }
}
