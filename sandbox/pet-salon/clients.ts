import type { DatabaseSync } from 'node:sqlite'
import { all, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal } from '../platform/types.ts'
import { serialOf, type Salon } from './salon.ts'

export interface Client {
  serial: number
  name: string
  mail: string
  mob: string
  /** How they want to be reminded. */
  cnf: string
  /** Below 0 they owe us. */
  bal: number
  nts: string
}

export interface Pet {
  serial: number
  client: number
  name: string
  breed: string
  gen: string
  grm: string
  prs: string
  med: string
}

const toClient = (row: Row): Client => ({
  serial: number(row, 'serial'),
  name: text(row, 'name'),
  mail: text(row, 'mail'),
  mob: text(row, 'mob'),
  cnf: text(row, 'cnf'),
  bal: number(row, 'bal'),
  nts: text(row, 'nts'),
})

const toPet = (row: Row): Pet => ({
  serial: number(row, 'serial'),
  client: number(row, 'client'),
  name: text(row, 'name'),
  breed: text(row, 'breed'),
  gen: text(row, 'gen'),
  grm: text(row, 'grm'),
  prs: text(row, 'prs'),
  med: text(row, 'med'),
})

export function clientBy(db: DatabaseSync, account: string, serial: number): Client {
  const row = one(db, 'SELECT * FROM clients WHERE account = ? AND serial = ?', account, serial)
  if (!row) throw new Refusal(404, 'CLIENT_NOT_FOUND', 'None of your clients has this id.', 'cl')
  return toClient(row)
}

export const ownClient = (db: DatabaseSync, { account }: Salon, id: string): Client =>
  clientBy(db, account, serialOf('client', id))

export function ownPet(db: DatabaseSync, { account }: Salon, id: string): Pet {
  const row = one(db, 'SELECT * FROM pets WHERE account = ? AND serial = ?', account, serialOf('pet', id))
  if (!row) throw new Refusal(404, 'PET_NOT_FOUND', 'None of your clients has a pet with this id.', 'pet')
  return toPet(row)
}

export const petsOf = (db: DatabaseSync, account: string, client: number): Pet[] =>
  all(db, 'SELECT * FROM pets WHERE account = ? AND client = ? ORDER BY serial', account, client).map(toPet)

const fold = (words: string): string => words.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim()

const digits = (words: string): string => words.replaceAll(/\D/g, '')

/** How well somebody fits, 0 best: the whole, the beginning, a word's beginning, somewhere; undefined where not. */
function fit({ name, mail, mob }: Client, wanted: string): number | undefined {
  const folded = fold(name)
  const [address, phone, number] = [fold(mail), digits(mob), digits(wanted)]
  const phoned = number.length > 2 && /^[\d\s+().-]+$/.test(wanted)
  if ([folded, address].includes(wanted) || (phoned && phone === number)) return 0
  if (folded.startsWith(wanted)) return 1
  if (folded.includes(` ${wanted}`)) return 2
  if (folded.includes(wanted) || address.includes(wanted) || (phoned && phone.includes(number))) return 3
  return undefined
}

/** Best match first, then by name; without words everybody. */
export function findClients(db: DatabaseSync, { account }: Salon, words: string): Client[] {
  const wanted = fold(words)
  return all(db, 'SELECT * FROM clients WHERE account = ? ORDER BY serial', account)
    .map(toClient)
    .flatMap((client) => {
      const rank = fit(client, wanted)
      return rank === undefined ? [] : [{ client, rank, folded: fold(client.name) }]
    })
    .toSorted(
      (one, other) => one.rank - other.rank || (one.folded < other.folded ? -1 : Number(one.folded > other.folded)),
    )
    .map(({ client }) => client)
}

export function credit(db: DatabaseSync, client: number, pence: number): void {
  run(db, 'UPDATE clients SET bal = bal + ? WHERE serial = ?', pence, client)
}

export function insertClients(db: DatabaseSync, account: string, clients: readonly Client[]): void {
  const insert = db.prepare('INSERT INTO clients VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  for (const { serial, name, mail, mob, cnf, bal, nts } of clients) {
    insert.run(serial, account, name, mail, mob, cnf, bal, nts)
  }
}

export function insertPets(db: DatabaseSync, account: string, pets: readonly Pet[]): void {
  const insert = db.prepare('INSERT INTO pets VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
  for (const { serial, client, name, breed, gen, grm, prs, med } of pets) {
    insert.run(serial, account, client, name, breed, gen, grm, prs, med)
  }
}
