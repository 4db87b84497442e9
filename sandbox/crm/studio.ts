import type { DatabaseSync } from 'node:sqlite'
import { all, number, one, text, type Row } from '../platform/rows.ts'
import { Refusal, type Account } from '../platform/types.ts'
import { kinds, type Blueprint, type Kind, type Package, type Prompt, type Stage } from './entities.ts'
import { among, insert, isIn, nextId, stored, where } from './tables.ts'

interface Studio {
  zone: string
  currency: string
  stages: readonly string[]
}

/** What studios have chosen for themselves: where they are, what they charge in, how they name the steps of their work. */
const studios: readonly Studio[] = [
  {
    zone: 'Europe/Lisbon',
    currency: 'EUR',
    stages: ['New inquiry', 'Reunião marcada', 'Offer out', 'Reservado ✓', 'In production', 'تم التسليم', 'Archived'],
  },
  {
    zone: 'Asia/Tokyo',
    currency: 'JPY',
    stages: ['問い合わせ', 'Meeting', 'Quote sent', 'Booked', 'Editing', 'Delivered', 'Lost'],
  },
  {
    zone: 'America/St_Johns',
    currency: 'CAD',
    stages: ['Hello!', 'Rendez-vous pris', 'Waiting for deposit', 'Booked', 'Délivré', 'Closed & filed'],
  },
  {
    zone: 'Asia/Jerusalem',
    currency: 'ILS',
    stages: ['פנייה חדשה', 'Call back', 'הצעה נשלחה', 'Booked', 'Delivered', 'Not this time'],
  },
  {
    zone: 'Asia/Kolkata',
    currency: 'INR',
    stages: ['Lead in', 'Follow up', 'Proposal', 'Confirmed', 'Shoot done', 'Album delivered', 'Cancelled'],
  },
]

export function studioOf({ ordinal }: Account): Studio {
  const studio = studios[(ordinal - 1) % studios.length]
  if (!studio) throw new RangeError(`Account ${ordinal} has no studio.`)
  return studio
}

const toStage = (row: Row): Stage => ({ id: number(row, 'id'), label: text(row, 'label') })

export function insertStages(db: DatabaseSync, account: Account): Stage[] {
  return studioOf(account).stages.map((label) => {
    const stage = { id: nextId(db, 'stages', account), label }
    insert(db, 'stages', { ...stage, account: account.account })
    return stage
  })
}

export const listStages = (db: DatabaseSync, { account }: Account): Stage[] =>
  all(db, 'SELECT * FROM stages WHERE account = ? ORDER BY id', account).map(toStage)

export function findStage(db: DatabaseSync, { account }: Account, id: number): Stage {
  const row = one(db, 'SELECT * FROM stages WHERE id = ? AND account = ?', id, account)
  if (!row) throw new Refusal(404, 'STAGE_NOT_FOUND', 'You have no such stage.', 'stageId')
  return toStage(row)
}

const toPackage = (row: Row): Package => ({
  id: number(row, 'id'),
  label: text(row, 'label'),
  minor: number(row, 'minor'),
  currency: text(row, 'currency'),
})

export const listPackages = (db: DatabaseSync, { account }: Account): Package[] =>
  all(db, 'SELECT * FROM packages WHERE account = ? ORDER BY id', account).map(toPackage)

export function findPackage(db: DatabaseSync, { account }: Account, id: number): Package {
  const row = one(db, 'SELECT * FROM packages WHERE id = ? AND account = ?', id, account)
  if (!row) throw new Refusal(404, 'PACKAGE_NOT_FOUND', 'You have no such package.', 'packages')
  return toPackage(row)
}

const toBlueprint = (row: Row): Blueprint => ({
  id: number(row, 'id'),
  kind: among(kinds, text(row, 'kind')),
  name: text(row, 'name'),
  prompts: stored(text(row, 'prompts')) as Prompt[],
})

export function listBlueprints(db: DatabaseSync, { account }: Account, wanted: readonly Kind[]): Blueprint[] {
  const { sql, values } = where(['account = ?', account], isIn('kind', wanted))
  return all(db, `SELECT * FROM blueprints WHERE ${sql} ORDER BY id`, ...values).map(toBlueprint)
}

export function findBlueprint(db: DatabaseSync, { account }: Account, id: number): Blueprint {
  const row = one(db, 'SELECT * FROM blueprints WHERE id = ? AND account = ?', id, account)
  if (!row) throw new Refusal(404, 'BLUEPRINT_NOT_FOUND', 'You have no such blueprint.', 'blueprintId')
  return toBlueprint(row)
}
