import type { DatabaseSync } from 'node:sqlite'
import { all, count, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { need, nextSerial, uuidOf } from './company.ts'
import { findOwn, invalid, readMail, readMobile, readObject, readRequired, readText } from './input.ts'
import { known, paged, pageParams, type Listed } from './paging.ts'

export interface Customer {
  serial: number
  uuid: string
  name: string
  mobile: string
  mail: string
  site: string
}

export const toCustomer = (row: Row): Customer => ({
  serial: number(row, 'serial'),
  uuid: text(row, 'uuid'),
  name: text(row, 'full_name'),
  mobile: text(row, 'mobile'),
  mail: text(row, 'mail'),
  site: text(row, 'site'),
})

export function customerOf(db: DatabaseSync, serial: number): Customer {
  return toCustomer(one(db, 'SELECT * FROM customers WHERE serial = ?', serial) ?? {})
}

/** What a job still costs: nothing once it is called off. */
export const owingSql = "CASE state WHEN 'called_off' THEN 0 ELSE charge - settled END"

const customerOut = (db: DatabaseSync, serial: number) => {
  const { uuid, name, mobile, mail, site } = customerOf(db, serial)
  const sums = `SELECT count(*) AS visits, coalesce(sum(${owingSql}), 0) AS owing FROM jobs WHERE customer = ?`
  const row = one(db, sums, serial) ?? {}
  const known_since = number(one(db, 'SELECT made FROM customers WHERE serial = ?', serial) ?? {}, 'made')
  return {
    uuid,
    full_name: name,
    mobile,
    mail,
    site,
    visits: number(row, 'visits'),
    owing_minor: number(row, 'owing'),
    known_since,
  }
}

/** Lower case; a line end between the parts, so that no search matches across two of them. */
export const fold = (name: string, mobile: string, mail: string, site: string): string =>
  [name, mobile, mobile.replaceAll(/\D/g, ''), mail, site].join('\n').toLowerCase()

/** A to Z. `q` is part of the name, the telephone (digits alone, too), the e-mail or the site, in capitals or not. */
export function listCustomers(request: SignedIn): Listed<ReturnType<typeof customerOut>> {
  need(request, 'customers')
  const { db, viewer, query } = request
  known(query, [...pageParams, 'q'])
  const q = (query.get('q') ?? '').trim().toLowerCase()
  if (q.length > 200) throw new Refusal(400, 'PARAM_INVALID', 'q may have 200 characters at most.', 'q')
  const sql = 'SELECT serial FROM customers WHERE account = ? AND instr(folded, ?) > 0 ORDER BY folded, serial'
  const find = (): number[] => all(db, sql, viewer.account.account, q).map((row) => number(row, 'serial'))
  return paged(request, 'customers', find, (serial) => customerOut(db, serial))
}

export function knownCustomer(request: SignedIn, uuid: unknown): Customer {
  const row = findOwn(request, 'customers', uuid)
  if (!row) throw invalid('CUSTOMER_UNKNOWN', 'customer must be the uuid of one of your customers.', 'customer')
  return toCustomer(row)
}

/** Adds a customer as part of another write. */
export function addCustomer(request: SignedIn, value: unknown): Customer {
  const { db, viewer, now } = request
  const { account } = viewer.account
  const at = 'new_customer'
  const given = readObject(value, at, 'full_name', 'mobile', 'mail', 'site')
  const serial = nextSerial(db, 'customers', account)
  const customer: Customer = {
    serial,
    uuid: uuidOf('customers', serial),
    name: readRequired(given['full_name'], `${at}.full_name`, 120),
    mobile: readMobile(given['mobile'], `${at}.mobile`),
    mail: readMail(given['mail'], `${at}.mail`),
    site: readText(given['site'], `${at}.site`, 300),
  }
  const { mail } = customer
  if (mail !== '' && count(db, 'customers WHERE account = ? AND lower(mail) = lower(?)', account, mail) > 0) {
    throw new Refusal(409, 'CUSTOMER_EXISTS', 'A customer of yours has this e-mail address already.', `${at}.mail`)
  }
  insertCustomer(db, account, customer, now)
  return customer
}

export function insertCustomer(db: DatabaseSync, account: string, customer: Customer, made: number): void {
  const { serial, uuid, name, mobile, mail, site } = customer
  const values = [serial, uuid, account, name, mobile, mail, site, fold(name, mobile, mail, site), made]
  run(db, 'INSERT INTO customers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)', ...values)
}
