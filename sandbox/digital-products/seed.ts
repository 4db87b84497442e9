import type { DatabaseSync } from 'node:sqlite'
import { Random } from '../platform/random.ts'
import { run, type Row } from '../platform/rows.ts'
import type { Account } from '../platform/types.ts'
import { day } from './clock.ts'
import { seedSales, type Ground } from './seed-sales.ts'
import { editions, goods, homes, longLabel, longPitch, mails, pitches, plans, shelfLabels } from './seed-words.ts'
import { insertAll } from './tables.ts'
import { keyOf } from './wares.ts'

const showings = ['listed', 'listed', 'by_link', 'listed', 'hidden'] as const

/** Days since the last payment failed; two of them have run out of grace. */
const lateFor = [3, 22, 7, 12, 25, 1, 10, 5] as const

const stateCycle = [
  'running',
  'trial',
  'running',
  'late',
  'resting',
  'running',
  'owing',
  'running',
  'unfinished',
  'lapsed',
  'ended',
  'running',
] as const

/** All were there before the first sale. The last shelf stays empty. */
function makeWares({ account, random, today, next }: Ground, shelves: readonly number[]) {
  return editions.flatMap((edition, round) =>
    goods.map(([label, sort, price], index) => {
      const [serial, at] = [next(), round * goods.length + index]
      return {
        serial,
        account: account.account,
        key: keyOf('wares', serial),
        label: at === 44 ? longLabel : `${label}${edition}`,
        pitch: at === 44 ? longPitch : random.pick(pitches),
        sort,
        price: price + round * Math.round(price / 200) * 100,
        shown: showings[at % 5] ?? 'listed',
        shelf: at % 3 === 0 ? null : random.pick(shelves.slice(0, -1)),
        file_from: sort === 'file' ? `https://files.example/${account.ordinal}/ware-${at + 1}.zip` : null,
        made: today - (500 + (goods.length * editions.length - at) * 6) * day - random.between(0, day - 1),
      }
    }),
  )
}

/** In turn for orders, a ware and a shelf; some are over, some used up, some without bounds. */
function makeVouchers({ account, today, next }: Ground, wares: readonly Row[], shelves: readonly number[]): Row[] {
  return Array.from({ length: 24 }, (_, index) => {
    const covers = ['order', 'ware', 'shelf'][index % 3] ?? 'order'
    const isPercent = index % 4 !== 3
    const until = [null, today + (index + 5) * day, today - index * 9 * day, today + 400 * day][index % 4] ?? null
    return {
      serial: next(),
      account: account.account,
      code: [`Welcome-${index}`, `SAVE${index * 5}`, `ete_${index}`, `B4CK-2-SCH00L-${index}`][index % 4] ?? '',
      bp: isPercent ? ([1000, 1250, 2500, 10_000][Math.floor(index / 4) % 4] ?? 1000) : null,
      cents: isPercent ? null : (index + 1) * 50,
      covers,
      ware: covers === 'ware' ? (wares[index * 2]?.['serial'] ?? null) : null,
      shelf: covers === 'shelf' ? (shelves[Math.floor(index / 3) % 4] ?? null) : null,
      used: 0,
      use_limit: index === 12 ? 4 : ([null, 500, 40][index % 3] ?? null),
      until,
      made: today - (480 - index * 2) * day,
    }
  })
}

function seedMembers({ db, account, random, today, next, buyers }: Ground, wares: readonly Row[]): void {
  const clubs = wares.filter(({ sort }) => sort === 'club')
  const members = Array.from({ length: 96 }, (_, index) => {
    const state = stateCycle[index % stateCycle.length] ?? 'running'
    const began = today - (100 - index) * 4 * day + random.between(0, 3 * day)
    return {
      serial: next(),
      account: account.account,
      mail: random.pick(buyers),
      ware: Number(random.pick(clubs)['serial']),
      plan: random.pick(plans),
      state,
      began: Math.min(began, today - 30 * day),
      late_since: state === 'late' ? today - (lateFor[Math.floor(index / stateCycle.length)] ?? 1) * day : null,
      ended: state === 'ended' ? today - random.between(1, 9) * day : null,
    }
  })
  insertAll(db, 'members', members)
}

function seedLooks({ db, account, random, today }: Ground): void {
  const first = today / day - 420
  const looks = Array.from({ length: 420 }, (_, index) => ({
    account: account.account,
    day: first + index,
    n: index % 17 === 4 ? 0 : random.between(3, 180),
  }))
  insertAll(db, 'looks', looks)
}

/** Everything of one account, the same after every reset but for the day that its times are counted from. */
export function seed(db: DatabaseSync, today: number, account: Account): void {
  const random = new Random(`kramora ${account.ordinal}`)
  const { cur, fetchLimit } = homes[(account.ordinal - 1) % homes.length] ?? homes[0]
  let last = account.ordinal * 100_000
  const next = (): number => ++last
  const buyers = Array.from(
    { length: 88 },
    (_, index) => `${mails[index % mails.length]}.${index + 1}@${index % 2 === 0 ? 'mail' : 'post'}.example`,
  )
  const ground: Ground = { db, random, account, today, cur, fetchLimit, next, buyers }
  const shelves = shelfLabels.map((label) => ({ serial: next(), account: account.account, label }))
  const shelfSerials = shelves.map(({ serial }) => serial)
  const wares = makeWares(ground, shelfSerials)
  const vouchers = makeVouchers(ground, wares, shelfSerials)
  seedSales(ground, wares, vouchers)
  seedMembers(ground, wares)
  seedLooks(ground)
  insertAll(db, 'shelves', shelves)
  insertAll(db, 'wares', wares)
  insertAll(db, 'vouchers', vouchers)
  run(db, 'INSERT INTO shops VALUES (?, ?, ?, ?)', account.account, cur, fetchLimit, last)
}
