import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { hash32, type Random } from '../platform/random.ts'
import type { Account } from '../platform/types.ts'
import type { Client } from './clients.ts'
import { dayIn, momentOf } from './clock.ts'
import { idOf, type Table } from './firm.ts'
import { decimal } from './numbers.ts'
import { states, type State } from './orders.ts'
import * as words from './seed-words.ts'

interface Ground {
  /** Days since 1970. */
  day: number
  account: Account
  zone: string
  clients: readonly Client[]
}

const jobCount = 240
const leadCount = 210
const oldest = 700

class Seeder {
  readonly #random: Random
  readonly #ground: Ground
  readonly #db: DatabaseSync
  readonly #statements = new Map<Table, StatementSync>()
  readonly #counts = new Map<Table, number>()
  constructor(db: DatabaseSync, random: Random, ground: Ground) {
    this.#db = db
    this.#random = random
    this.#ground = ground
  }

  /** One row of a table: its number and account come first. */
  #insert(table: Table, ...values: (string | number | null)[]): number {
    const n = (this.#counts.get(table) ?? 0) + 1
    this.#counts.set(table, n)
    const { account, ordinal } = this.#ground.account
    let statement = this.#statements.get(table)
    if (!statement) {
      const marks = Array.from({ length: values.length + 2 }, () => '?').join(', ')
      statement = this.#db.prepare(`INSERT INTO ${table} VALUES (${marks})`)
      this.#statements.set(table, statement)
    }
    const id = idOf(table, ordinal, n)
    statement.run(id, account, ...values)
    return id
  }

  #crew(): number {
    return idOf('crew', this.#ground.account.ordinal, this.#random.between(1, words.crew.length))
  }

  /** Orders are numbered as they were made: the first long ago, the last yesterday. */
  #order(index: number, of: number, state: string | null, stage: string | null, quoted: boolean): [number, Client] {
    const random = this.#random
    const { day, account, clients } = this.#ground
    const made = Math.floor((day - oldest + (index * (oldest - 1)) / of) * 86_400 + random.between(0, 3000))
    const client = random.pick(clients)
    const service = idOf('services', account.ordinal, random.between(1, words.services.length))
    const internal = index === 30 ? words.longText : index % 3 === 1 ? random.pick(words.internals) : ''
    const scope = index === 60 ? words.longText : index % 4 === 0 ? '' : random.pick(words.scopes)
    const rest = [state, stage, internal, scope, made, quoted && client.mail !== '' ? 1 : null, 1]
    return [this.#insert('orders', client.id, service, ...rest), client]
  }

  #lines(order: number, size: number): number {
    let total = 0
    for (const [label, each] of this.#random.some(words.charges, size)) {
      const qty = this.#random.pick([100, 100, 200, 150, 325, 1200])
      const sum = Math.round((qty * each) / 100)
      total += sum
      this.#insert('lines', order, label, this.#random.pick(words.remarks), qty, each, sum, 1)
    }
    return total
  }

  #visit(order: number, day: number, crew: number | null): void {
    const random = this.#random
    const { zone } = this.#ground
    const minute = random.between(14, 34) * 30
    const starts = momentOf(day, minute, zone) ?? momentOf(day, minute + 120, zone) ?? day * 86_400
    const ends = starts + random.between(1, 8) * 1800
    const remark = random.pick(words.remarks)
    this.#insert('visits', order, random.pick(words.topics), starts, ends, dayIn(starts, zone), crew, remark, 1)
  }

  /** Close to today on every day, further off now and then. */
  #daysOf(state: State, turn: number): number[] {
    const random = this.#random
    const { day } = this.#ground
    if (state === 'Open' || (state === 'Dropped' && turn % 2 === 0)) return []
    if (state === 'Slated') return [day + (turn < 34 ? Math.floor(turn / 2) - 2 : random.between(15, 70))]
    if (state === 'Working') return turn % 3 === 0 ? [day - 1, day + 1] : [day - (turn % 2)]
    const ago = turn < 14 ? turn + 1 : turn < 30 ? turn * 4 - 40 : turn * 60 - 1720
    return turn % 4 === 0 ? [day - ago - 3, day - ago] : [day - ago]
  }

  /** The states take turns. Seven of eight that are neither open nor dropped have a bill, settled or due, mailed or not. */
  job(index: number, of: number, nth: number): void {
    const random = this.#random
    const state = states[nth % states.length] ?? 'Open'
    const turn = Math.floor(nth / states.length)
    const own = state === 'Open' || state === 'Slated' ? null : state
    const [order, client] = this.#order(index, of, own, null, false)
    const billed = state !== 'Open' && state !== 'Dropped' && turn % 8 < 7
    const total = this.#lines(order, billed ? random.between(2, 4) : turn % 3)
    for (const day of this.#daysOf(state, turn)) {
      this.#visit(order, day, turn % 5 === 4 ? null : this.#crew())
      if (turn % 6 === 1) this.#visit(order, day, this.#crew())
      if (state === 'Slated' || day > this.#ground.day - 2) continue
      const time = random.pick([25, 100, 150, 375, 800, 1050])
      this.#insert('hours', order, this.#crew(), day, time, random.pick(words.remarks))
    }
    if (billed && total > 0) this.#bill(order, total, turn, client.mail)
  }

  #bill(order: number, total: number, turn: number, recipient: string): void {
    const random = this.#random
    const { day, account } = this.#ground
    const settled = turn % 2 === 0
    const unmailed = recipient === '' || turn % 4 === 3 || (settled && turn % 6 === 0)
    const mailed = unmailed ? null : (day - random.between(2, 30)) * 86_400 + random.between(0, 80_000)
    const seen = mailed !== null && turn % 3 !== 1 ? mailed + random.between(600, 90_000) : null
    const link = `${order.toString(36)}${hash32(`bill ${account.account} ${order}`).toString(16).padStart(8, '0')}`
    const made = (day - random.between(32, 90)) * 86_400 + random.between(0, 80_000)
    const ticks = [mailed, mailed === null ? null : 1, seen, seen === null ? null : 1, 1]
    const bill = this.#insert('bills', order, made, link, ...ticks)
    if (mailed !== null) this.#mail(order, 'Bill', recipient, `Bill ${bill}`, total, mailed)
    const deposit = turn % 5 === 0 ? Math.round(total / 4) : 0
    const pay = (means: string, cents: number): number =>
      this.#insert(
        'payments',
        bill,
        means,
        cents,
        day - random.between(1, 20),
        means === 'Cheque' ? '004711' : '',
        '',
        1,
      )
    if (deposit > 0) pay('Card', deposit)
    if (settled) pay(random.pick(['Cheque', 'Cash', 'Other', 'Card']), total - deposit)
  }

  /** The stages take turns. */
  lead(index: number, of: number, nth: number): void {
    const quoted = nth % 4 > 1
    const [order, client] = this.#order(index, of, null, ['Fresh', 'Won', 'Lost'][nth % 3] ?? 'Fresh', quoted)
    const total = this.#lines(order, nth % 5 === 0 ? 0 : this.#random.between(1, 3))
    if (!quoted || client.mail === '') return
    const sent = (this.#ground.day - this.#random.between(1, 20)) * 86_400
    this.#mail(order, 'Quote', client.mail, `Estimate ${order}`, total, sent)
  }

  #mail(order: number, kind: string, recipient: string, subject: string, total: number, sent: number): void {
    this.#insert('mails', order, kind, recipient, subject, `Total: ${decimal(total)}`, sent, 1)
  }
}

/** Jobs and leads in turn, so that both are old and new. */
export function seedOrders(db: DatabaseSync, random: Random, ground: Ground): void {
  const seeder = new Seeder(db, random, ground)
  const of = jobCount + leadCount
  let [jobs, leads] = [0, 0]
  for (let index = 0; index < of; index++) {
    if (jobs * leadCount <= leads * jobCount) seeder.job(index, of, jobs++)
    else seeder.lead(index, of, leads++)
  }
}
