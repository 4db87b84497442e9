import { mailLetter } from './mails.ts'
import type { SeededClip } from './seed-clips.ts'
import { daySeconds, type Ground } from './seed-ground.ts'
import { handles, longPost, members as names, posts as phrases } from './seed-words.ts'
import { insertAll } from './tables.ts'

const privateRooms = ['founders-circle', 'beta_testers', 'staff_only']

/** `general` has 64 posts, the others a few, one none; the latest two of each go out later. */
function seedRooms(ground: Ground): void {
  const { db, random, account, day } = ground
  const rooms = handles.map((handle) => ({
    serial: ground.next(),
    account: account.account,
    handle,
    open_to: privateRooms.includes(handle) ? 'invited' : 'everyone',
  }))
  insertAll(db, 'rooms', rooms)
  const posts = rooms.flatMap(({ serial, handle }, index) => {
    const size = handle === 'general' ? 64 : handle === 'questions' ? 0 : 3 + index
    return Array.from({ length: size }, (_, at) => {
      const added = day - (size - at) * 20_000
      return {
        serial: ground.next(),
        account: account.account,
        room: serial,
        author: at % 3 === 0 ? account.person : random.pick(names),
        words: handle === 'general' && at === 6 ? longPost : random.pick(phrases),
        goes_out: at >= size - 2 ? day + (at + 3) * daySeconds : added,
        added,
      }
    })
  })
  insertAll(db, 'posts', posts)
}

function seedCoupons({ db, random, account, day, next }: Ground, series: number[]): void {
  const coupons = Array.from({ length: 60 }, (_, index) => {
    const percent = index % 3 !== 1
    const one = index % 4 === 2
    const total = index % 5 === 0 ? null : random.between(1, 500)
    return {
      serial: next(),
      account: account.account,
      code: `${random.pick(['SUMMER', 'winter', 'Hallo', 'FLOW_', 'VIP-'])}${index + 10}`,
      off_kind: percent ? 'percent' : 'amount',
      off_value: percent ? random.between(1, 20) * 5 : random.between(1, 99) * 50,
      covers: one ? 'one-series' : index % 4 === 0 ? 'everything' : 'memberships',
      series: one ? random.pick(series) : null,
      uses_total: total,
      uses_each: index % 2 === 0 ? 1 : null,
      until: index % 6 === 1 ? null : day + (index - 20) * 3 * daySeconds,
      used: random.between(0, total ?? 90),
      added: day - (60 - index) * daySeconds,
    }
  })
  insertAll(db, 'coupons', coupons)
}

/** Two members in three want e-mail; they were told of the last three public clips, and will be of a timed one. */
function seedMembers({ db, account, next }: Ground, clips: SeededClip[]): void {
  const members = Array.from({ length: 36 }, (_, index) => ({
    serial: next(),
    account: account.account,
    name: names[index % names.length] ?? '',
    mail: `member.${index + 1}@mail.example`,
    wants_mail: index % 3 === 2 ? 0 : 1,
  }))
  insertAll(db, 'members', members)
  const told = [
    ...clips.filter(({ airing }) => airing === 'public').slice(-3),
    ...clips.filter(({ airing }) => airing === 'timed').slice(0, 1),
  ]
  const mails = told.flatMap(({ serial, heading, release }) =>
    members
      .filter(({ wants_mail }) => wants_mail === 1)
      .map(({ mail }) => ({
        serial: next(),
        account: account.account,
        about: serial,
        recipient: mail,
        ...mailLetter(heading, account.label),
        due: release ?? 0,
      })),
  )
  insertAll(db, 'mails', mails)
}

/** Community, coupons, members and what they were sent. */
export function seedDesk(ground: Ground, clips: SeededClip[], series: number[]): void {
  seedRooms(ground)
  seedCoupons(ground, series)
  seedMembers(ground, clips)
}
