import type { DatabaseSync } from 'node:sqlite'
import { all, maybeNumber, number, one, run, text } from '../platform/rows.ts'
import type { SignedIn } from '../platform/types.ts'
import { need } from './company.ts'
import { nameOf } from './input.ts'
import { known, paged, pageParams, readCode, readSince, type Listed } from './paging.ts'

export const leadStages = ['fresh', 'won', 'lost'] as const

export interface Lead {
  serial: number
  uuid: string
  stage: (typeof leadStages)[number]
  origin: string
  caller: string
  mobile: string
  cameIn: number
  handler: number | null
}

const leadOut = (db: DatabaseSync, serial: number) => {
  const row = one(db, 'SELECT * FROM leads WHERE serial = ?', serial) ?? {}
  return {
    uuid: text(row, 'uuid'),
    stage: text(row, 'stage'),
    origin: text(row, 'origin'),
    caller: text(row, 'caller'),
    mobile: text(row, 'mobile'),
    came_in_at: number(row, 'came_in'),
    handler: nameOf(db, maybeNumber(row, 'handler')),
  }
}

/** Newest first. */
export function listLeads(request: SignedIn): Listed<ReturnType<typeof leadOut>> {
  need(request, 'leads')
  const { db, viewer, query } = request
  known(query, [...pageParams, 'stage', 'since_day'])
  const stage = readCode(query, 'stage', leadStages) ?? ''
  const since = readSince(request)
  const sql = `SELECT serial FROM leads WHERE account = ?1 AND (?2 = '' OR stage = ?2) AND came_in >= ?3
    ORDER BY came_in DESC, serial DESC`
  const find = (): number[] => all(db, sql, viewer.account.account, stage, since).map((row) => number(row, 'serial'))
  return paged(request, 'leads', find, (serial) => leadOut(db, serial))
}

export function insertLead(db: DatabaseSync, account: string, lead: Lead): void {
  const { serial, uuid, stage, origin, caller, mobile, cameIn, handler } = lead
  const values = [serial, uuid, account, stage, origin, caller, mobile, cameIn, handler]
  run(db, 'INSERT INTO leads VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)', ...values)
}
