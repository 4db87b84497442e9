import type { DatabaseSync } from 'node:sqlite'
import { all, number, one, run, text } from '../platform/rows.ts'
import type { SignedIn } from '../platform/types.ts'
import { nextId } from './ids.ts'
import { need, needConfirmed, readLine, type Fields } from './input.ts'
import { ownRow } from './lists.ts'
import { sendNotice } from './notices.ts'

interface Answer {
  id: number
  words: string
  at: number
}

export interface Remark extends Answer {
  called: string
  answers: Answer[]
}

/** What others wrote below an entry, earliest first, with the traveller's own answers. */
export function listRemarks(db: DatabaseSync, entry: number): Remark[] {
  return all(db, 'SELECT * FROM remarks WHERE entry = ? ORDER BY at, id', entry).map((row) => ({
    id: number(row, 'id'),
    called: text(row, 'called'),
    words: text(row, 'words'),
    at: number(row, 'at'),
    answers: all(db, 'SELECT * FROM answers WHERE remark = ? ORDER BY id', number(row, 'id')).map((answer) => ({
      id: number(answer, 'id'),
      words: text(answer, 'words'),
      at: number(answer, 'at'),
    })),
  }))
}

/** Whoever wrote the remark gets it by e-mail. */
export function answerRemark(request: SignedIn, fields: Fields): { remark: number; entry: number; answer: number } {
  const { db, viewer, now, effect } = request
  const row = ownRow(request, 'remarks')
  needConfirmed(request)
  const words = need(readLine(fields, 'words', 2000), 'words')
  const remark = number(row, 'id')
  const entry = number(row, 'entry')
  const answer = nextId(request, 'answers')
  run(db, 'INSERT INTO answers VALUES (?, ?, ?, ?, ?)', answer, viewer.account.account, remark, words, now)
  const journey = number(one(db, 'SELECT journey FROM entries WHERE id = ?', entry) ?? {}, 'journey')
  sendNotice(request, { kind: 'answer', recipient: text(row, 'mail'), words, journey, entry })
  effect('remark.answer', { remark, answer, words })
  return { remark, entry, answer }
}
