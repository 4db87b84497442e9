import type { DatabaseSync } from 'node:sqlite'
import { all, number, one, run, text } from '../platform/rows.ts'
import { takeSerial, type Gathering } from './gatherings.ts'
import { fold } from './input.ts'

export interface Voice {
  serial: number
  called: string
  mail: string
}

export const voicesOf = (db: DatabaseSync, gathering: Gathering): Voice[] =>
  all(db, 'SELECT * FROM voices WHERE gathering = ? ORDER BY serial', gathering.serial).map((row) => ({
    serial: number(row, 'serial'),
    called: text(row, 'called'),
    mail: text(row, 'mail'),
  }))

export function insertVoice(db: DatabaseSync, gathering: number, { serial, called, mail }: Voice): void {
  run(db, 'INSERT INTO voices VALUES (?, ?, ?, ?, ?)', serial, gathering, called, fold(called), mail)
}

/** The voices of these names; who is new becomes one, without an address. */
export function voicesCalled(db: DatabaseSync, gathering: Gathering, names: readonly string[]): number[] {
  return names.map((called) => {
    const known = one(
      db,
      'SELECT serial FROM voices WHERE gathering = ? AND folded = ?',
      gathering.serial,
      fold(called),
    )
    if (known) return number(known, 'serial')
    const serial = takeSerial(db, gathering.account)
    insertVoice(db, gathering.serial, { serial, called, mail: '' })
    return serial
  })
}
