import { addDays, dayIn } from './clock.ts'
import type { Bill, BillLine } from './entities.ts'
import { insertBills, numberOf } from './bills.ts'
import { billLetter, insertMails } from './mails.ts'
import type { Planned } from './seed-galleries.ts'
import { secretOf, type Ground } from './seed-ground.ts'
import { goods } from './seed-words.ts'

const billCount = 150
const hour = 3_600_000

/** Each ten bills: four paid, one paid in part, three sent, two drafts. */
function settledOf(index: number, cents: number): number {
  const turn = index % 10
  if (turn < 4) return cents
  return turn === 4 ? Math.floor(cents / 3) : 0
}

function linesOf({ random, money }: Ground, index: number): BillLine[] {
  // Nobody bills hundredths of a yen.
  const unit = money === 'JPY' ? 100 : 1
  const size = index === 77 ? 30 : random.between(1, 4)
  return Array.from({ length: size }, () => {
    const { label, cents } = random.pick(goods)
    return { label, qty: random.between(1, 3), cents: Math.ceil(cents / unit) * unit }
  })
}

/** Index 0 is the oldest. The newest draft but one has a payer without an address. */
function makeBill(ground: Ground, index: number): Bill {
  const { random, account, base, day, zone, people } = ground
  const made = day - (billCount - index) * 2 * 24 * hour + random.between(0, 40 * hour)
  const draft = index % 10 >= 8
  const lines = linesOf(ground, index)
  const cents = lines.reduce((sum, line) => sum + line.qty * line.cents, 0)
  const madeDay = dayIn(zone, made)
  const able = people.filter(({ mail }) => mail !== '')
  const payer = index === billCount - 2 ? people[121] : random.pick(able)
  return {
    serial: base + index + 1,
    account: account.account,
    number: numberOf(madeDay, base + index + 1),
    payer: payer?.serial ?? base + 1,
    lines,
    memo: index % 7 === 0 ? 'Merci beaucoup — thank you — شكرا' : '',
    cents,
    settled: settledOf(index, cents),
    money: index % 9 === 3 ? 'GBP' : ground.money,
    dueDay: addDays(madeDay, index % 6 === 0 ? 60 : 14),
    key: `${secretOf(`bill ${account.ordinal} ${index}`)}${secretOf(`key ${account.ordinal} ${index}`)}`,
    made,
    sent: draft ? null : made + hour,
  }
}

/** Bills, and the mails of all that was sent, numbered in the order of their times. */
export function seedBills(ground: Ground, invites: Planned[]): void {
  const { db, account, base, people } = ground
  const bills = Array.from({ length: billCount }, (_, index) => makeBill(ground, index))
  insertBills(db, bills)
  const mails = [...invites]
  for (const bill of bills) {
    const payer = people[bill.payer - base - 1]
    if (bill.sent === null || !payer) continue
    const letter = billLetter(bill, payer, account.label, 'https://prooflight.example')
    mails.push({ ...letter, recipient: payer.mail, sent: bill.sent })
  }
  mails.sort((a, b) => a.sent - b.sent)
  const batches = new Map<string, string>()
  const numbered = mails.map((mail, index) => {
    const serial = base + index + 1
    const batch = batches.get(mail.about) ?? `bat_${serial.toString(36)}`
    batches.set(mail.about, batch)
    return { ...mail, serial, batch }
  })
  insertMails(db, account.account, numbered)
}
