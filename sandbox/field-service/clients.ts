import type { DatabaseSync } from 'node:sqlite'
import { isRecord } from '../platform/body.ts'
import { all, count, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { nextId, nextTick, parseId } from './firm.ts'
import { flag, invalid, jsonFields, mail, needWords, words, type Fields } from './input.ts'
import type { Found, Slice } from './paging.ts'

const parts = ['Street', 'Town', 'Region', 'Postcode', 'Land'] as const
export type Address = Record<(typeof parts)[number], string>

export interface Client {
  id: number
  account: string
  title: string
  company: boolean
  mail: string
  tel: string
  site: Address
  billing: Address
  directions: string
  memo: string
}

export interface Person {
  name: string
  mail: string
  main: boolean
}

function readAddress(value: unknown, name: string): Address | undefined {
  if (value === undefined || value === null) return undefined
  if (!isRecord(value)) throw invalid(name, 'ADDRESS_INVALID', `${name} must be an object.`)
  const fields = jsonFields(value, parts)
  const part = (field: string): string => words(fields, field, 120)
  return {
    Street: part('Street'),
    Town: part('Town'),
    Region: part('Region'),
    Postcode: part('Postcode'),
    Land: part('Land'),
  }
}

const nowhere: Address = { Street: '', Town: '', Region: '', Postcode: '', Land: '' }

const toAddress = (value: string): Address => ({ ...nowhere, ...(JSON.parse(value) as Partial<Address>) })

/** `Street, Postcode Town, Region, Land`, without what is empty. */
export function lineOf({ Street, Town, Region, Postcode, Land }: Address): string {
  const town = [Postcode, Town].filter((part) => part !== '').join(' ')
  return [Street, town, Region, Land].filter((part) => part !== '').join(', ')
}

function toClient(row: Row): Client {
  return {
    id: number(row, 'id'),
    account: text(row, 'account'),
    title: text(row, 'title'),
    company: number(row, 'company') === 1,
    mail: text(row, 'mail'),
    tel: text(row, 'tel'),
    site: toAddress(text(row, 'site')),
    billing: toAddress(text(row, 'billing')),
    directions: text(row, 'directions'),
    memo: text(row, 'memo'),
  }
}

/** A client of this firm; somebody else's does not exist. */
export function ownClient({ db, viewer }: SignedIn, value: string): Client {
  const row = one(db, 'SELECT * FROM clients WHERE id = ? AND account = ?', parseId(value), viewer.account.account)
  if (!row) throw new Refusal(404, 'CLIENT_NOT_FOUND', 'You have no client with this number.', 'ClientNo')
  return toClient(row)
}

export function peopleOf(db: DatabaseSync, client: number): Person[] {
  return all(db, 'SELECT * FROM people WHERE client = ? ORDER BY id', client).map((row) => ({
    name: text(row, 'name'),
    mail: text(row, 'mail'),
    main: number(row, 'main') === 1,
  }))
}

/** Where mail to a client goes: its own address, or else that of its main person. */
export function mailOf(db: DatabaseSync, { id, mail }: Client): string {
  const found = mail || peopleOf(db, id).find(({ main }) => main)?.mail || ''
  if (found === '') throw new Refusal(409, 'CLIENT_WITHOUT_MAIL', 'This client has no e-mail address.')
  return found
}

const fold = (value: string): string => value.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
const digitsOf = (value: string): string => value.replaceAll(/\D/g, '')

/** In the order of their numbers. A search that looks like a telephone number is compared by its digits too. */
export function listClients({ db, viewer, query }: SignedIn, { at, limit, offset }: Slice): Found<Client> {
  const search = (query.get('Find') ?? '').trim()
  const digits = /^[\d\s()+/.-]{3,}$/.test(search) ? digitsOf(search) : ''
  const where = `clients WHERE account = ? AND born <= ? AND (instr(folded, ?) > 0 OR (? <> '' AND instr(digits, ?) > 0))`
  const values = [viewer.account.account, at.tick, fold(search), digits, digits]
  const rows = all(db, `SELECT * FROM ${where} ORDER BY id LIMIT ? OFFSET ?`, ...values, limit, offset)
  return { rows: rows.map(toClient), found: count(db, where, ...values) }
}

export const clientFields = ['Title', 'Company', 'Mail', 'Tel', 'Site', 'Billing'] as const

export function addClient(request: SignedIn, fields: Fields): Client {
  const { db, viewer } = request
  const site = readAddress(fields['Site'], 'Site') ?? nowhere
  const client: Client = {
    id: nextId(request, 'clients'),
    account: viewer.account.account,
    title: needWords(fields, 'Title', 120),
    company: flag(fields, 'Company'),
    mail: mail(fields, 'Mail'),
    tel: words(fields, 'Tel', 40),
    site,
    billing: readAddress(fields['Billing'], 'Billing') ?? site,
    directions: '',
    memo: '',
  }
  insertClient(db, client, nextTick(db, client.account))
  if (!client.company) {
    const { id, account, title } = client
    insertPerson(db, account, nextId(request, 'people'), id, { name: title, mail: client.mail, main: true })
  }
  request.effect('client.add', client)
  return client
}

export function insertClient(db: DatabaseSync, c: Client, born: number): void {
  const folded = [c.title, c.mail, c.tel, c.site.Street].map(fold).join('\n')
  const texts = [JSON.stringify(c.site), JSON.stringify(c.billing), c.directions, c.memo, folded, digitsOf(c.tel)]
  const sql = 'INSERT INTO clients VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'
  run(db, sql, c.id, c.account, c.title, c.company ? 1 : 0, c.mail, c.tel, ...texts, born)
}

export function insertPerson(db: DatabaseSync, account: string, id: number, client: number, person: Person): void {
  const { name, mail, main } = person
  run(db, 'INSERT INTO people VALUES (?, ?, ?, ?, ?, ?)', id, account, client, name, mail, main ? 1 : 0)
}
