import { maybeText, number, one, run, text, type Row } from '../platform/rows.ts'
import type { SignedIn } from '../platform/types.ts'
import { wallText } from './clock.ts'
import { listed, type Page } from './paging.ts'
import { linkTo, mainZone, needBusiness, nextSerial, resource } from './things.ts'

export type Told = 'mail' | 'text' | 'nobody'

/** By e-mail, else by text message. */
export function wayTo({ db }: SignedIn, guest: number): { via: Told; recipient: string } {
  const row = one(db, 'SELECT mail, cell FROM guests WHERE serial = ?', guest) ?? {}
  const mail = maybeText(row, 'mail')
  if (mail !== undefined) return { via: 'mail', recipient: mail }
  const cell = maybeText(row, 'cell')
  return cell === undefined ? { via: 'nobody', recipient: '' } : { via: 'text', recipient: cell }
}

/** Writes to a guest; says how, or that there is no way. */
export function tell(request: SignedIn, guest: number, words: string): Told {
  const { db, viewer, now } = request
  const { via, recipient } = wayTo(request, guest)
  if (via !== 'nobody') {
    const sql = 'INSERT INTO notices VALUES (?, ?, ?, ?, ?, ?, ?, NULL)'
    run(db, sql, nextSerial(request), viewer.account.account, guest, via, recipient, words, now)
  }
  return via
}

/** Newest first. What guests answer to a notice stands here and never in a talk. */
export function listNotices(request: SignedIn): Page {
  needBusiness(request)
  return listed(request, 'notices', [], () => {
    const zone = mainZone(request)
    return {
      sql: 'SELECT * FROM notices WHERE account = :account AND serial <= :mark',
      order: 'serial DESC',
      values: { account: request.viewer.account.account },
      show: (row: Row) => {
        const serial = number(row, 'serial')
        const attributes = {
          via: text(row, 'via'),
          to: text(row, 'recipient'),
          words: text(row, 'words'),
          at: wallText(number(row, 'at'), zone),
          zone,
          answer: maybeText(row, 'answer') ?? null,
        }
        return { ...resource('notices', serial, attributes), links: { guest: linkTo('guests', number(row, 'guest')) } }
      },
    }
  })
}
