import type { DatabaseSync } from 'node:sqlite'
import { Random } from '../platform/random.ts'
import { all, number, run, text } from '../platform/rows.ts'
import type { Account } from '../platform/types.ts'
import { insertBill } from './bills.ts'
import { addDays, dayIn } from './clock.ts'
import { doorOf, uuidOf } from './company.ts'
import type { Customer } from './customers.ts'
import { estimateStages, insertEstimate } from './estimates.ts'
import { chargeOf } from './input.ts'
import type { Job } from './jobs.ts'
import { insertLead, leadStages } from './leads.ts'
import { anyWay, insertMessage } from './messages.ts'
import { personName, phone, seedCrew, seedCustomers, seedJobs, someLines, type Ground } from './seed-work.ts'
import { homes, longRemark, origins, remarks } from './seed-words.ts'
import { insertReceipt, means } from './till.ts'

/** Every second one is still fresh; a third has no handler. */
function seedLeads({ db, random, account, base, day }: Ground, crew: readonly number[]): void {
  for (let index = 0; index < 170; index++) {
    const serial = base + index + 1
    insertLead(db, account, {
      serial,
      uuid: uuidOf('leads', serial),
      stage: index % 2 === 0 ? 'fresh' : random.pick(leadStages.slice(1)),
      origin: random.pick(origins),
      caller: personName(random, index),
      mobile: index % 10 === 9 ? '' : phone(random, index),
      cameIn: day - (170 - index) * 30_000 + random.between(0, 20_000),
      handler: index % 3 === 0 ? null : random.pick(crew),
    })
  }
}

function seedEstimates({ db, random, account, base, day, scale }: Ground, customers: readonly Customer[]): void {
  for (let index = 0; index < 150; index++) {
    const serial = base + index + 1
    const made = day - (150 - index) * 50_000 + random.between(0, 40_000)
    const lines = someLines(random, scale, 6)
    const stage = index % 3 === 0 ? 'draft' : random.pick(estimateStages)
    insertEstimate(db, {
      serial,
      uuid: uuidOf('estimates', serial),
      account,
      customer: random.pick(customers).serial,
      lines,
      charge: chargeOf(lines),
      remarks: index === 140 ? longRemark : random.pick(remarks),
      stage,
      door: doorOf('estimates', serial),
      made,
      sent: stage === 'draft' ? null : made + random.between(0, 9000),
    })
  }
}

/** Four of five jobs that are done and cost something have a bill; others were paid without one. */
function seedBills({ db, random, account, base, day, zone }: Ground, jobs: readonly Job[]): void {
  let receipts = base
  const pay = (job: Job, amount: number, received: number): void => {
    const way = random.pick([...means, 'online'])
    const reference = random.pick(['', 'Nº 4711', 'הופקד', 'Thanks <3'])
    insertReceipt(db, { serial: ++receipts, account, job: job.serial, amount, means: way, reference, received })
    run(db, 'UPDATE jobs SET settled = settled + ? WHERE serial = ?', amount, job.serial)
  }
  const done = jobs.filter(({ state, charge }) => state === 'finished' && charge > 0)
  let bills = base
  for (const [index, job] of done.entries()) {
    const received = Math.min(job.ends, day - 7200) + 600
    if (index % 5 === 4) {
      if (index % 2 === 0) pay(job, Math.ceil(job.charge / 4), received)
      continue
    }
    const serial = ++bills
    const made = Math.min(job.ends + 3600, day - 3600)
    const door = doorOf('bills', serial)
    const sent = index % 4 === 1 ? null : Math.min(made + random.between(60, 9000), day - 60)
    const dueDay = addDays(dayIn(zone, made), random.pick([0, 7, 14, 30]))
    insertBill(db, { serial, uuid: uuidOf('bills', serial), account, job: job.serial, dueDay, door, made, sent })
    if (index % 9 === 2) pay(job, job.charge, received)
    else if (index % 9 === 3 || index % 9 === 5) pay(job, Math.ceil(job.charge / 3), received)
    else if (index % 9 === 7) {
      const first = Math.ceil(job.charge / 2)
      pay(job, first, received)
      if (job.charge > first) pay(job, job.charge - first, received + 60)
    }
  }
}

/** What customers got with the estimates and bills that were sent out, oldest first. */
function seedMessages({ db, account, base }: Ground, label: string): void {
  const sent = `SELECT e.uuid, e.sent, c.mail, c.mobile, 'estimate' AS thing FROM estimates e JOIN customers c
      ON c.serial = e.customer WHERE e.account = ?1 AND e.sent IS NOT NULL
    UNION ALL SELECT b.uuid, b.sent, c.mail, c.mobile, 'bill' FROM bills b JOIN jobs j ON j.serial = b.job JOIN customers c
      ON c.serial = j.customer WHERE b.account = ?1 AND b.sent IS NOT NULL ORDER BY 2, 1`
  let serial = base
  for (const row of all(db, sent, account)) {
    const told = anyWay({ mail: text(row, 'mail'), mobile: text(row, 'mobile') })
    const words = `${label}: your ${text(row, 'thing')}.`
    if (told)
      insertMessage(db, account, ++serial, { ...told, words, about: text(row, 'uuid'), sent: number(row, 'sent') })
  }
}

/** Everything of one account, the same after every reset but for the day that its times are counted from. */
export function seed(db: DatabaseSync, day: number, account: Account): void {
  const { zone, money, digits } = homes[(account.ordinal - 1) % homes.length] ?? homes[0]
  const ground: Ground = {
    db,
    random: new Random(`torquen ${account.ordinal}`),
    account: account.account,
    base: account.ordinal * 100_000,
    day,
    today: dayIn('UTC', day),
    zone,
    scale: digits === 3 ? 10 : 1,
  }
  const door = doorOf('companies', account.ordinal)
  run(
    db,
    'INSERT INTO companies VALUES (?, ?, ?, ?, ?, ?)',
    account.account,
    account.ordinal,
    door,
    zone,
    money,
    digits,
  )
  const crew = seedCrew(ground, account.person)
  const customers = seedCustomers(ground)
  const jobs = seedJobs(ground, customers, crew)
  seedLeads(ground, crew)
  seedEstimates(ground, customers)
  seedBills(ground, jobs)
  seedMessages(ground, account.label)
}
