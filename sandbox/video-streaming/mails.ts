import { all, count, number, text, type Row } from '../platform/rows.ts'
import type { SignedIn } from '../platform/types.ts'
import { readFilter, readPage, type Page } from './paging.ts'
import { insertAll, needAdmin, nextSerial, ownRow } from './tables.ts'
import { mailOut, type MailOut } from './wire.ts'

export const mailLetter = (heading: string, studio: string): { subject: string; words: string } => ({
  subject: `New: ${heading}`,
  words: `“${heading}” is out at ${studio}. Enjoy the show!`,
})

export const mailListSize = ({ db, viewer }: SignedIn): number =>
  count(db, 'members WHERE account = ? AND wants_mail = 1', viewer.account.account)

/** One e-mail to every member who wants some, at the moment when the clip goes out; answers how many. */
export function tellMembers(request: SignedIn, clip: Row, due: number): number {
  const { db, viewer } = request
  const { account, label } = viewer.account
  const letter = mailLetter(text(clip, 'heading'), label)
  const members = all(db, 'SELECT mail FROM members WHERE account = ? AND wants_mail = 1 ORDER BY serial', account)
  const mails = members.map((member) => ({
    serial: nextSerial(request),
    account,
    about: number(clip, 'serial'),
    recipient: text(member, 'mail'),
    ...letter,
    due,
  }))
  insertAll(db, 'mails', mails)
  return mails.length
}

/** Newest first: what members were sent, and what is waiting for its clip to go out. */
export function listMails(request: SignedIn): Page<MailOut> {
  needAdmin(request)
  const { query, viewer } = request
  const state = readFilter(query, 'state', ['sent', 'waiting'])
  const clip = query.has('clip') ? number(ownRow(request, 'clips', query.get('clip')), 'serial') : 0
  const from = `mails WHERE account = ?1 AND (?2 = 0 OR about = ?2)
    AND (?3 = '' OR ?3 = iif(due > ?4, 'waiting', 'sent'))`
  return readPage(
    request,
    'mails',
    ['clip', 'state'],
    ({ now }) => ({ from, values: [viewer.account.account, clip, state, now] }),
    mailOut,
  )
}
