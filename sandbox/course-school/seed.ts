import type { DatabaseSync } from 'node:sqlite'
import { Random } from '../platform/random.ts'
import { run } from '../platform/rows.ts'
import type { Account } from '../platform/types.ts'
import { insertCoupon } from './coupons.ts'
import { productTypes, scopes, type Coupon, type School } from './entities.ts'
import { firstId } from './school.ts'
import { seedContent } from './seed-content.ts'
import { seedComments, seedStudents } from './seed-people.ts'
import { campaigns, courses, homes } from './seed-words.ts'

const couponCount = 64

const dayAfter = (day: number, days: number): string =>
  new Date((day + days * 86_400) * 1000).toISOString().slice(0, 10)

/** Each eight: two filed, one lapsed, one sold out, four that work. Filed ones share their codes with ones in use. */
function makeCoupon(random: Random, day: number, school: School, index: number): Coupon {
  const turn = index % 8
  const filed = turn < 2
  const lapsed = turn === 2
  const stock = turn === 3 ? 20 : index % 2 === 0 ? random.between(30, 500) : undefined
  const scope = scopes[index % 5] ?? 'everything'
  const percent = index % 4 !== 1
  return {
    id: firstId('coupons', school) + index,
    label: index === 50 ? campaigns.join(' / ').slice(0, 120) : random.pick(campaigns),
    code: `KD${filed ? index + 4 : index}-${school.no}`,
    tenths: percent ? random.between(5, 100) * 10 - (index % 3 === 0 ? 5 : 0) : undefined,
    cents: percent ? undefined : random.between(3, 60) * 50,
    scope,
    type: scope === 'type' ? random.pick(productTypes) : undefined,
    plan: scope === 'plan' ? firstId('plans', school) + random.between(0, courses.length - 1) : undefined,
    ends: lapsed
      ? dayAfter(day, -random.between(2, 300))
      : index % 3 === 0
        ? undefined
        : dayAfter(day, random.between(3, 400)),
    stock,
    redeemed: turn === 3 ? 20 : random.between(0, 25),
    filed,
  }
}

/** Everything of one account, the same after every reset but for the day that its times are counted from. */
export function seed(db: DatabaseSync, day: number, account: Account): void {
  const random = new Random(`kathedra ${account.ordinal}`)
  const { zone, currency } = homes[(account.ordinal - 1) % homes.length] ?? homes[0]
  const school: School = {
    no: 1000 + account.ordinal,
    account: account.account,
    title: account.label,
    zone,
    currency,
    moderated: account.kind !== 'open_owner',
  }
  const moderated = school.moderated ? 1 : 0
  run(
    db,
    'INSERT INTO schools VALUES (?, ?, ?, ?, ?, ?)',
    school.no,
    account.account,
    school.title,
    zone,
    currency,
    moderated,
  )
  const lectures = seedContent(db, random, day, school)
  seedStudents(db, random, day, school, courses.length)
  seedComments(db, random, day, school, account, lectures)
  for (let index = 0; index < couponCount; index++)
    insertCoupon(db, school.account, makeCoupon(random, day, school, index))
}
