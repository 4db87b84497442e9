import type { Db } from '../database/pool.ts'

/** Call just before delivering an answer: later equal writes are new calls. False: none was due. */
export async function answerGiven(db: Db, callId: string): Promise<boolean> {
  const text = 'DELETE FROM answers_due WHERE call_id = $1'
  const { rowCount } = await db.query({ name: 'answer-given', text, values: [callId] })
  return rowCount === 1
}

/** The answer could not be delivered: marks it as due again. */
export async function answerLost(db: Db, callId: string): Promise<void> {
  await db.query(
    `INSERT INTO answers_due (call_id, owner, content_hash) SELECT id, owner, content_hash FROM calls WHERE id = $1
       ON CONFLICT DO NOTHING`,
    [callId],
  )
}

/** Forgets answers that no client fetched within a day. */
export async function forgetAnswersDue(db: Db): Promise<void> {
  await db.query(`DELETE FROM answers_due WHERE since < clock_timestamp() - interval '1 day'`)
}
