import type { DatabaseSync } from 'node:sqlite'
import type { Random } from '../platform/random.ts'
import type { Account } from '../platform/types.ts'
import { addPayment, insertBill } from './bills.ts'
import { methods, type Bill, type BillLine, type Engagement, type Instalment } from './entities.ts'
import { dayAfter } from './moments.ts'
import { billLabels, remarks } from './seed-words.ts'

/** None for each fifth bill; else up to three instalments, from long ago to months ahead. */
function planOf(random: Random, total: number, raised: number, turn: number): Instalment[] {
  if (turn % 5 === 0) return []
  const parts = random.between(1, 3)
  const share = Math.floor(total / parts)
  const first = random.between(5, 200)
  return Array.from({ length: parts }, (_, index) => ({
    dueOn: dayAfter(raised, first + index * 30),
    minor: index === parts - 1 ? total - share * (parts - 1) : share,
  }))
}

/** Every second bill is settled, every fourth paid in part, every eighth a draft that nobody has seen. */
function pay(db: DatabaseSync, random: Random, day: number, account: Account, bill: Bill, turn: number): void {
  const parts = turn % 2 === 0 ? [Math.ceil(bill.total / 3), bill.total - Math.ceil(bill.total / 3)] : []
  if (turn % 4 === 1) parts.push(Math.ceil(bill.total / 4))
  let current = bill
  for (const [index, minor] of parts.entries()) {
    if (minor < 1) continue
    const receivedOn = dayAfter(Math.min(bill.raised + (index + 1) * 9 * 86_400, day - 86_400), 0)
    const payment = { minor, method: random.pick(methods), receivedOn, remark: random.pick(remarks) }
    current = addPayment(db, account, current, payment).bill
  }
}

/** A bill for most engagements, a second one for some. */
export function seedBills(
  db: DatabaseSync,
  random: Random,
  day: number,
  account: Account,
  engagements: readonly Engagement[],
): void {
  let turn = 0
  for (const [index, engagement] of engagements.entries()) {
    if (index % 10 === 9) continue
    for (let each = 0; each < (index % 4 === 0 ? 2 : 1); each++) {
      turn += 1
      const low = engagement.currency === 'JPY' ? 5000 : 9000
      const lines: BillLine[] = random.some(billLabels, random.between(1, 4)).map((label) => ({
        label,
        quantity: random.between(1, 3),
        unit: random.between(low, low * 30),
      }))
      if (turn % 9 === 0) lines.push({ label: 'Friends & family', quantity: 1, unit: -random.between(500, 4000) })
      const total = lines.reduce((sum, { quantity, unit }) => sum + quantity * unit, 0)
      const raised = engagement.opened + (each + 1) * 7200
      const bill = insertBill(db, account, {
        engagement,
        currency: engagement.currency,
        lines,
        plan: planOf(random, total, raised, turn),
        raised,
        sent: turn % 8 === 3 ? undefined : raised + random.between(600, 7200),
      })
      pay(db, random, day, account, bill, turn)
    }
  }
}
