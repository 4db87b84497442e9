import type { Db } from '../database/pool.ts'

/** An answer about the call is about to be handed over: an equal write from now on is a second one. Returns whether one was due. */
export async function answerGiven(db: Db, callId: string): Promise<boolean> {
  const text = 'DELETE FROM answers_due WHERE call_id = $1'
  const { rowCount } = await db.query({ name: 'answer-given', text, values: [callId] })
  return rowCount === 1
}

/** The answer that was due reached nobody after all. */
export async function answerLost(db: Db, callId: string): Promise<void> {
  await db.query(
    `INSERT INTO answers_due (call_id, owner, content_hash) SELECT id, owner, content_hash FROM calls WHERE id = $1
       ON CONFLICT DO NOTHING`,
    [callId],
  )
}

/** Answers that nobody came back for. */
export async function forgetAnswersDue(db: Db): Promise<void> {
  await db.query(`DELETE FROM answers_due WHERE since < clock_timestamp() - interval '1 day'`)
}
