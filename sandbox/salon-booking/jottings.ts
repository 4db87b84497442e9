import type { DatabaseSync } from 'node:sqlite'
import { all, count, number, run, text } from '../platform/rows.ts'
import type { SignedIn } from '../platform/types.ts'
import { findGuest } from './guests.ts'
import { readBody, words } from './params.ts'
import { idOf, need } from './salon.ts'
import { branchesOf } from './shop.ts'

/** What the team notes about a guest, who never sees it. */
export interface Jotting {
  id: string
  author: string
  text: string
  at: number
  /** Of the guest's branch. */
  zone: string
}

/** Newest first. */
export function jottingsOf(db: DatabaseSync, guest: string): Jotting[] {
  const sql = 'SELECT * FROM jottings WHERE guest = ? ORDER BY at DESC, rowid DESC'
  return all(db, sql, guest).map((row) => ({
    id: text(row, 'id'),
    author: text(row, 'author'),
    text: text(row, 'text'),
    at: number(row, 'at'),
    zone: text(row, 'zone'),
  }))
}

export function insertJotting(db: DatabaseSync, account: string, guest: string, j: Omit<Jotting, 'id'>): Jotting {
  const id = idOf(account, 'jotting', count(db, 'jottings WHERE account = ?', account) + 1)
  run(db, 'INSERT INTO jottings VALUES (?, ?, ?, ?, ?, ?, ?)', id, account, guest, j.author, j.text, j.at, j.zone)
  return { id, ...j }
}

export function jot(request: SignedIn, json: unknown): Jotting {
  need(request, 'guests')
  const { db, viewer, params, now } = request
  const { account, person } = viewer.account
  const guest = findGuest(db, account, params['guest'] ?? '')
  const written = words(readBody(json, ['text']), 'text', 2000)
  const zone = branchesOf(db, account).find(({ id }) => id === guest.branch)?.zone ?? 'Etc/UTC'
  const jotting = insertJotting(db, account, guest.id, { author: person, text: written, at: now, zone })
  request.effect('guest.jot', { jotting: jotting.id, guest: guest.id, text: written })
  return jotting
}
