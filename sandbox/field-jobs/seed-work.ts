import type { DatabaseSync } from 'node:sqlite'
import type { Random } from '../platform/random.ts'
import { run } from '../platform/rows.ts'
import { addDays, momentOf } from './clock.ts'
import { uuidOf, type JobState } from './company.ts'
import { insertCustomer, type Customer } from './customers.ts'
import { chargeOf, type Line } from './input.ts'
import { insertJob, putOn, type Job } from './jobs.ts'
import {
  crewNames,
  firstNames,
  kinds,
  lastNames,
  longRemark,
  priceBook,
  reasons,
  remarks,
  sites,
  wholeNames,
} from './seed-words.ts'

/** What all parts of a seed are made from. */
export interface Ground {
  db: DatabaseSync
  random: Random
  account: string
  /** The first serial of every table is one more. */
  base: number
  /** Midnight UTC of the day of the reset. */
  day: number
  /** The day of the reset, `YYYYMMDD`. */
  today: string
  zone: string
  /** What the prices of the book are multiplied by: 10 where the currency has three digits. */
  scale: number
}

const customerCount = 120

export function personName(random: Random, index: number): string {
  return wholeNames[(index - 4) / 13] ?? `${random.pick(firstNames)} ${random.pick(lastNames)}`
}

export function phone(random: Random, index: number): string {
  return `+233 ${random.between(20, 59)} ${random.between(100, 999)} ${String(1000 + index)}`
}

/** Some have no e-mail, some no telephone, two neither. */
export function seedCustomers({ db, random, account, base, day }: Ground): Customer[] {
  return Array.from({ length: customerCount }, (_, index) => {
    const name = personName(random, index)
    const plain = name
      .normalize('NFD')
      .replaceAll(/[^A-Za-z]/g, '')
      .toLowerCase()
      .slice(0, 14)
    const serial = base + index + 1
    const customer: Customer = {
      serial,
      uuid: uuidOf('customers', serial),
      name,
      mobile: index % 9 === 7 ? '' : phone(random, index),
      mail:
        index % 8 === 3 || index === 7 || index === 16
          ? ''
          : `${plain === '' ? 'post' : plain}.${index + 1}@post.example`,
      site: index === 30 ? '' : random.pick(sites),
    }
    insertCustomer(db, account, customer, day - (customerCount - index) * 4 * 86_400)
    return customer
  })
}

/** The first is the person who signs in. */
export function seedCrew({ db, random, account, base, today, zone, scale }: Ground, person: string): number[] {
  const serials = [person, ...crewNames].map((name, index) => {
    const serial = base + index + 1
    run(
      db,
      'INSERT INTO crew VALUES (?, ?, ?, ?, ?)',
      serial,
      uuidOf('crew', serial),
      account,
      name,
      index === 0 ? 1 : 0,
    )
    return serial
  })
  kinds.forEach((label, index) => {
    const serial = base + index + 1
    run(db, 'INSERT INTO kinds VALUES (?, ?, ?, ?)', serial, uuidOf('kinds', serial), account, label)
  })
  priceBook.forEach(({ label, unit, each }, index) => {
    const serial = base + index + 1
    const values = [serial, uuidOf('entries', serial), account, label, unit, each * scale]
    run(db, 'INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)', ...values)
  })
  // Whole days and hours, passed and to come; the first two of the crew are always there from tomorrow on.
  serials.forEach((member, index) => {
    for (const [turn, offset] of [-20 - index, 2 + index, 16 + index * 2].entries()) {
      if (index < 2 && turn > 0) continue
      const [from, until] = index % 2 === 0 ? [0, 24 * 60] : [13 * 60, 17 * 60 + 30]
      const first = addDays(today, offset)
      const last = index % 4 === 0 ? addDays(first, 2) : first
      const values = [
        base + index * 3 + turn + 1,
        account,
        member,
        momentOf(first, from, zone),
        momentOf(last, until, zone),
      ]
      run(db, 'INSERT INTO away VALUES (?, ?, ?, ?, ?, ?)', ...values, random.pick(reasons))
    }
  })
  return serials
}

export function someLines(random: Random, scale: number, most: number): Line[] {
  return random.some(priceBook, random.between(1, most)).map(({ label, each }) => ({
    label,
    qty: random.pick([1, 1, 2, 0.5, 1.25, 3, 12]),
    each: each * scale,
  }))
}

function stateOn(random: Random, offset: number): JobState {
  const dice = random.next()
  if (dice < 0.1) return 'called_off'
  if (dice < 0.2) return 'parts_missing'
  if (offset > 0) return 'filed'
  if (offset === 0) return dice < 0.7 ? 'under_way' : 'filed'
  if (dice < 0.27) return offset > -4 ? 'under_way' : 'filed'
  return 'finished'
}

/** Seven a day from 40 days back to 30 ahead, right at the edges of the days around today. */
export function seedJobs(ground: Ground, customers: readonly Customer[], crew: readonly number[]): Job[] {
  const { db, random, account, base, day, today, zone, scale } = ground
  const jobs: Job[] = []
  for (let offset = -40; offset <= 30; offset++) {
    for (let turn = 0; turn < 7; turn++) {
      const serial = base + jobs.length + 1
      const edge = Math.abs(offset) < 3 || offset === -14 || offset === -15
      const minutes = edge && turn < 2 ? ([0, 23 * 60 + 50][turn] ?? 0) : random.between(14, 34) * 30
      const begins = momentOf(addDays(today, offset), minutes, zone)
      const state = stateOn(random, offset)
      const lines = jobs.length % 11 === 4 ? [] : someLines(random, scale, 4)
      const customer = random.pick(customers)
      const job: Job = {
        serial,
        uuid: uuidOf('jobs', serial),
        account,
        customer: customer.serial,
        kind: random.pick(kinds),
        state,
        begins,
        ends: begins + (jobs.length % 61 === 9 ? 50 * 3600 : random.between(1, 8) * 1800),
        site: customer.site,
        remarks: jobs.length % 50 === 13 ? longRemark : random.pick(remarks),
        lines,
        charge: chargeOf(lines),
        settled: 0,
      }
      insertJob(db, job, Math.min(begins - 3 * 86_400, day - 3600))
      putOn(
        db,
        serial,
        random.some(crew, [1, 1, 2, 0, 3][serial % 5] ?? 1).map((member) => ({ serial: member })),
      )
      jobs.push(job)
    }
  }
  return jobs
}
