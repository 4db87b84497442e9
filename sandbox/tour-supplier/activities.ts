import type { DatabaseSync } from 'node:sqlite'
import { all, number, one, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { serialOf, type Activity, type Variant } from './entities.ts'

const toActivity = (row: Row): Activity => ({
  serial: number(row, 'serial'),
  account: text(row, 'account'),
  headline: text(row, 'headline'),
  stage: text(row, 'stage'),
  zone: text(row, 'zone'),
})

export function findActivity(db: DatabaseSync, id: string): Activity {
  const serial = serialOf('activities', id)
  const row = serial === undefined ? undefined : one(db, 'SELECT * FROM activities WHERE serial = ?', serial)
  if (!row) throw new Refusal(404, 'ACTIVITY_NOT_FOUND', 'There is no such activity.')
  return toActivity(row)
}

function ownActivity({ db, viewer }: SignedIn, id: string): Activity {
  const activity = findActivity(db, id)
  if (activity.account !== viewer.account.account) {
    throw new Refusal(404, 'ACTIVITY_NOT_FOUND', 'There is no such activity.')
  }
  return activity
}

/** The serial of the activity that the parameter `activity` names. */
export function readActivity(request: SignedIn): number | undefined {
  const id = request.query.get('activity')
  return id === null ? undefined : ownActivity(request, id).serial
}

/** In the order in which they were made. `stage` ANY for all. */
export function listActivities(db: DatabaseSync, account: string, stage: string): Activity[] {
  const sql = `SELECT * FROM activities WHERE account = ?1 AND (?2 = 'ANY' OR stage = ?2) ORDER BY serial`
  return all(db, sql, account, stage).map(toActivity)
}

const toVariant = (row: Row, activity: Activity): Variant => ({
  serial: number(row, 'serial'),
  activity,
  label: text(row, 'label'),
  starts: text(row, 'starts').split(','),
  weekdays: text(row, 'weekdays'),
  capacity: number(row, 'capacity'),
})

export function variantsOf(db: DatabaseSync, activity: Activity): Variant[] {
  const sql = 'SELECT * FROM variants WHERE activity = ? ORDER BY serial'
  return all(db, sql, activity.serial).map((row) => toVariant(row, activity))
}

/** The variant that the path names. */
export function ownVariant({ db, viewer, params }: SignedIn): Variant {
  const serial = serialOf('variants', params['id'] ?? '')
  const sql = `SELECT a.*, v.serial AS variant FROM variants v JOIN activities a ON a.serial = v.activity
    WHERE v.serial = ? AND v.account = ?`
  const row = serial === undefined ? undefined : one(db, sql, serial, viewer.account.account)
  const variant = row && variantsOf(db, toActivity(row)).find((one) => one.serial === serial)
  if (!variant) throw new Refusal(404, 'VARIANT_NOT_FOUND', 'There is no such variant.')
  return variant
}
