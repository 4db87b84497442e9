import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { all, count, maybeNumber, maybeText, number, one, run, text, type Row } from './rows.ts'
import type { Account, SandboxApp, SeededPerson } from './types.ts'

/** A security check that the account's person has to finish before anything else works. */
export type Demand = 'captcha' | 'mfa'

export interface Session {
  token: string
  csrf: string
  account: Account
  live: boolean
  demand: Demand | undefined
  challenge: string | undefined
  /** Unix milliseconds. */
  bannedUntil: number | undefined
}

const select = `SELECT s.token, s.csrf, s.ended, a.account, a.ordinal, a.label, a.kind, a.person, a.email, a.password,
  a.user, a.demand, a.challenge, a.banned_until FROM sb_sessions s JOIN sb_accounts a USING (account)`

const secret = (): string => randomBytes(24).toString('base64url')

function toAccount(row: Row): Account {
  return {
    account: text(row, 'account'),
    ordinal: number(row, 'ordinal'),
    label: text(row, 'label'),
    kind: text(row, 'kind'),
    person: text(row, 'person'),
    email: text(row, 'email'),
    password: text(row, 'password'),
    user: text(row, 'user'),
  }
}

function toSession(row: Row): Session {
  const demand = maybeText(row, 'demand')
  return {
    token: text(row, 'token'),
    csrf: text(row, 'csrf'),
    account: toAccount(row),
    live: row['ended'] === null,
    demand: demand === 'captcha' || demand === 'mfa' ? demand : undefined,
    challenge: maybeText(row, 'challenge'),
    bannedUntil: maybeNumber(row, 'banned_until'),
  }
}

function insertAccount(db: DatabaseSync, app: SandboxApp, ordinal: number, person: SeededPerson): Account {
  const account = {
    ...person,
    account: `${app.accountPrefix}${1000 + ordinal}`,
    ordinal,
    password: `open-${ordinal}-sesame`,
  }
  run(
    db,
    'INSERT INTO sb_accounts (account, ordinal, label, kind, person, email, password, user) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    account.account,
    ordinal,
    account.label,
    account.kind,
    account.person,
    account.email,
    account.password,
    account.user,
  )
  startSession(db, account.account, true)
  return account
}

/** The accounts that the app names; does nothing for those that are there. */
export function seedPeople(db: DatabaseSync, app: SandboxApp): void {
  for (const [index, person] of app.people.entries()) {
    if (count(db, 'sb_accounts WHERE ordinal = ?', index + 1) === 0) insertAccount(db, app, index + 1, person)
  }
}

/** One more account with data of its own, for tests and benchmarks. */
export function addAccount(db: DatabaseSync, app: SandboxApp, kind: string): Account {
  const row = one(db, 'SELECT max(ordinal) + 1 AS ordinal FROM sb_accounts WHERE ordinal >= 100')
  const ordinal = row === undefined ? 100 : (maybeNumber(row, 'ordinal') ?? 100)
  const label = `${app.brand} ${kind} ${ordinal}`
  const email = `${kind}.${ordinal}@${app.mailDomain}`
  return insertAccount(db, app, ordinal, { user: 'extra', kind, label, person: `Person ${ordinal}`, email })
}

export function listAccounts(db: DatabaseSync): Account[] {
  return all(db, 'SELECT * FROM sb_accounts ORDER BY ordinal').map(toAccount)
}

/** Those whose data is still to be made; `which` is part of a WHERE. */
export function unseeded(db: DatabaseSync, which: string, ...values: string[]): Account[] {
  return all(db, `SELECT * FROM sb_accounts WHERE seeded = 0 AND ${which} ORDER BY ordinal`, ...values).map(toAccount)
}

export function startSession(db: DatabaseSync, account: string, seeded = false): string {
  const token = secret()
  const sql = 'INSERT INTO sb_sessions (token, account, csrf, seeded) VALUES (?, ?, ?, ?)'
  run(db, sql, token, account, secret(), seeded ? 1 : 0)
  return token
}

export function findSession(db: DatabaseSync, token: string | undefined): Session | undefined {
  const row = token === undefined ? undefined : one(db, `${select} WHERE s.token = ?`, token)
  return row && toSession(row)
}

/** The seeded session while it lives, else the newest one that the person signed in with, else the ended one. */
export function shownSession(db: DatabaseSync, account: string): Session {
  const order = 'ORDER BY s.ended IS NULL DESC, s.seeded DESC, s.id DESC LIMIT 1'
  const row = one(db, `${select} WHERE s.account = ? ${order}`, account)
  if (!row) throw new Error(`Account ${account} never had a session.`)
  return toSession(row)
}

export function findBySignIn(db: DatabaseSync, email: string, password: string): Account | undefined {
  const row = one(
    db,
    'SELECT * FROM sb_accounts WHERE email = ? AND password = ?',
    email.trim().toLowerCase(),
    password,
  )
  return row && toAccount(row)
}

export function endSession(db: DatabaseSync, token: string, why: 'expired' | 'signed_out'): void {
  run(db, 'UPDATE sb_sessions SET ended = ? WHERE token = ?', why, token)
}

/** Lifts every ended session and every demanded check: what a `DELETE` of the faults means. */
export function reviveSessions(db: DatabaseSync): void {
  run(db, "UPDATE sb_sessions SET ended = NULL WHERE ended = 'expired' OR seeded = 1")
  run(db, 'UPDATE sb_accounts SET demand = NULL, challenge = NULL')
}

export function setDemand(db: DatabaseSync, account: string, demand: Demand | null, challenge: string | null): void {
  run(db, 'UPDATE sb_accounts SET demand = ?, challenge = ? WHERE account = ?', demand, challenge, account)
}

export function isBanned(db: DatabaseSync, account: string): boolean {
  return count(db, 'sb_accounts WHERE account = ? AND banned_until > ?', account, Date.now()) > 0
}

export function ban(db: DatabaseSync, account: string): void {
  run(db, 'UPDATE sb_accounts SET banned_until = ? WHERE account = ?', Date.now() + 600_000, account)
}
