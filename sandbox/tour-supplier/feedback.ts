import type { DatabaseSync } from 'node:sqlite'
import { all, maybeNumber, maybeText, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { idOf, serialOf, type Feedback } from './entities.ts'
import { readWords } from './input.ts'
import { post } from './mails.ts'
import type { Wish } from './paging.ts'

const joined = `SELECT f.*, a.headline, o.guest, o.mail FROM feedback f JOIN activities a ON a.serial = f.activity
  JOIN orders o ON o.serial = f.booking`

const toFeedback = (row: Row): Feedback => ({
  serial: number(row, 'serial'),
  activity: number(row, 'activity'),
  booking: number(row, 'booking'),
  headline: text(row, 'headline'),
  guest: text(row, 'guest'),
  mail: text(row, 'mail'),
  stars: number(row, 'stars'),
  words: text(row, 'words'),
  day: text(row, 'day'),
  answer: maybeText(row, 'answer') ?? null,
  answered: maybeNumber(row, 'answered') ?? null,
})

interface FeedbackFilter {
  activity: number | undefined
  since: string
  openOnly: boolean
}

/** Newest first. */
export function listFeedback(
  db: DatabaseSync,
  account: string,
  filter: FeedbackFilter,
  { size, key }: Wish,
): Feedback[] {
  const { activity = null, since, openOnly } = filter
  const sql = `${joined} WHERE f.account = ?1 AND f.serial < ?2 AND (?3 IS NULL OR f.activity = ?3) AND f.day >= ?4
    AND (?5 = 0 OR f.answer IS NULL) ORDER BY f.serial DESC LIMIT ?6`
  const below = Number(key?.[0] ?? Number.MAX_SAFE_INTEGER)
  return all(db, sql, account, below, activity, since, openOnly ? 1 : 0, size + 1).map(toFeedback)
}

/** The feedback that the path names. */
export function ownFeedback({ db, viewer, params }: SignedIn): Feedback {
  const serial = serialOf('feedback', params['id'] ?? '')
  const sql = `${joined} WHERE f.serial = ? AND f.account = ?`
  const row = serial === undefined ? undefined : one(db, sql, serial, viewer.account.account)
  if (!row) throw new Refusal(404, 'FEEDBACK_NOT_FOUND', 'There is no such feedback.')
  return toFeedback(row)
}

/** What everybody can read below the feedback; once, and the guest is told by mail. */
export function answerFeedback(request: SignedIn, feedback: Feedback, given: unknown): Feedback {
  const { db, viewer, now } = request
  const { account, label } = viewer.account
  const answer = readWords(given, 'words', 1000)
  if (feedback.answer !== null) throw new Refusal(409, 'FEEDBACK_ANSWERED', 'This feedback has an answer already.')
  run(db, 'UPDATE feedback SET answer = ?, answered = ? WHERE serial = ?', answer, now, feedback.serial)
  const about = idOf('feedback', feedback.serial)
  const subject = `${label} answered your feedback on ${feedback.headline}`
  post(db, account, [{ kind: 'FEEDBACK_ANSWER', recipient: feedback.mail, subject, words: answer, about, sent: now }])
  request.effect('feedback.answered', { feedbackId: about, words: answer })
  return { ...feedback, answer, answered: now }
}
