import type { DatabaseSync } from 'node:sqlite'
import { maybeNumber, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { toId, type School } from './entities.ts'

function toSchool(row: Row): School {
  return {
    no: number(row, 'no'),
    account: text(row, 'account'),
    title: text(row, 'title'),
    zone: text(row, 'zone'),
    currency: text(row, 'currency'),
    moderated: number(row, 'moderated') === 1,
  }
}

const notFound = (): Refusal => new Refusal(404, 'SCHOOL_NOT_FOUND', 'There is no such school for you.')

export function mySchool({ db, viewer }: SignedIn): School {
  const row = one(db, 'SELECT * FROM schools WHERE account = ?', viewer.account.account)
  if (!row) throw notFound()
  return toSchool(row)
}

/** The school of the path: by its number or as `mine`. Another one than one's own does not exist. */
export function schoolOf(request: SignedIn): School {
  const school = mySchool(request)
  const { school: given } = request.params
  if (given !== 'mine' && toId(given) !== school.no) throw notFound()
  return school
}

/** Authors write lessons and read what is said about them; people, money and mail are the owner's. */
export function ownedSchool(request: SignedIn): School {
  const school = schoolOf(request)
  if (request.viewer.account.kind === 'author') {
    throw new Refusal(403, 'OWNER_ONLY', 'Only the owner of the school may do that.')
  }
  return school
}

export function publicSchool(db: DatabaseSync, no: string | undefined): School {
  const row = one(db, 'SELECT * FROM schools WHERE no = ?', toId(no) ?? 0)
  if (!row) throw notFound()
  return toSchool(row)
}

export function switchModeration(request: SignedIn, moderated: boolean): School {
  const { db } = request
  const school = ownedSchool(request)
  if (school.moderated === moderated) {
    throw new Refusal(409, 'MODERATION_UNCHANGED', `Comment moderation is ${moderated ? 'on' : 'off'} already.`)
  }
  run(db, 'UPDATE schools SET moderated = ? WHERE no = ?', moderated ? 1 : 0, school.no)
  // Without moderation nothing can wait for it.
  const released = moderated
    ? 0
    : run(db, "UPDATE comments SET state = 'live' WHERE account = ? AND state = 'held'", school.account)
  request.effect('settings.moderation', { moderated, released })
  return { ...school, moderated }
}

/** Each kind of thing counts from here on, in each school's own hundred thousand: a number of one kind is none of another. */
const ranges = {
  courses: 1,
  chapters: 10_001,
  lectures: 20_001,
  pieces: 30_001,
  students: 40_001,
  comments: 50_001,
  plans: 60_001,
  coupons: 70_001,
  mailings: 80_001,
} as const

export const firstId = (kind: keyof typeof ranges, { no }: School): number => (no - 1000) * 100_000 + ranges[kind]

export function nextId(
  db: DatabaseSync,
  kind: 'lectures' | 'pieces' | 'students' | 'comments' | 'coupons' | 'mailings',
  school: School,
): number {
  const row = one(db, `SELECT max(id) + 1 AS id FROM ${kind} WHERE account = ?`, school.account)
  return maybeNumber(row ?? {}, 'id') ?? firstId(kind, school)
}
