import type { DatabaseSync } from 'node:sqlite'
import { all, number, text } from '../platform/rows.ts'
import type { SignedIn } from '../platform/types.ts'
import type { Card } from './entities.ts'
import { fold, invalid, onlyFields, readMail, readPhone, requireText } from './input.ts'
import type { Wish } from './paging.ts'
import { nextSerial } from './parties.ts'

/** The address book, by name. Cards never change, so a card is a fixed place in it. */
export function listCards(request: SignedIn, find: string, { size, after }: Wish): Card[] {
  const sql = `SELECT * FROM cards WHERE account = ?1 AND instr(folded, ?2) > 0
    AND (?3 IS NULL OR (sort, serial) > (SELECT sort, serial FROM cards WHERE serial = ?3)) ORDER BY sort, serial LIMIT ?4`
  return all(request.db, sql, request.viewer.account.account, find, after ?? null, size).map((row) => {
    const phones: unknown = JSON.parse(text(row, 'phones'))
    return {
      serial: number(row, 'serial'),
      fullName: text(row, 'full_name'),
      mail: text(row, 'mail'),
      phones: Array.isArray(phones) ? phones.map(String) : [],
      made: number(row, 'made'),
    }
  })
}

export function addCard(request: SignedIn): Card {
  const { db, viewer, form, now } = request
  const { account } = viewer.account
  onlyFields(form, ['fullName', 'mail'], ['phone'])
  const fullName = requireText(form.get('fullName'), 'fullName', 120)
  const mail = readMail(form.get('mail'), 'mail')
  const phones = form.getAll('phone').flatMap((phone) => (phone === '' ? [] : [readPhone(phone, 'phone')]))
  if (phones.length > 5) throw invalid('TOO_MANY_PHONES', 'A card holds five numbers.', 'phone')
  const card: Card = { serial: nextSerial(db, 'cards', account), fullName, mail, phones, made: now * 1000 }
  insertCards(db, account, [card])
  request.effect('card.add', { cardNo: card.serial, fullName, mail, phones })
  return card
}

export function insertCards(db: DatabaseSync, account: string, cards: readonly Card[]): void {
  const insert = db.prepare('INSERT INTO cards VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  for (const { serial, fullName, mail, phones, made } of cards) {
    const folded = fold(fullName, mail, phones)
    insert.run(serial, account, fullName, mail, JSON.stringify(phones), made, fullName.toLowerCase(), folded)
  }
}
