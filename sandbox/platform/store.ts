import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { addAccount, seedPeople, unseeded } from './accounts.ts'
import { Effects } from './effects.ts'
import { all, one, run, text, transaction } from './rows.ts'
import type { Account, SandboxApp } from './types.ts'

const platformSchema = `
CREATE TABLE IF NOT EXISTS sb_meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS sb_effects (seq INTEGER PRIMARY KEY, line TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS sb_faults (id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, times INTEGER NOT NULL,
  path TEXT NOT NULL, ms INTEGER NOT NULL, retry_after INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS sb_accounts (account TEXT PRIMARY KEY, ordinal INTEGER NOT NULL UNIQUE, label TEXT NOT NULL,
  kind TEXT NOT NULL, person TEXT NOT NULL, email TEXT NOT NULL UNIQUE, password TEXT NOT NULL, user TEXT NOT NULL,
  seeded INTEGER NOT NULL DEFAULT 0, banned_until INTEGER, demand TEXT, challenge TEXT) STRICT;
CREATE TABLE IF NOT EXISTS sb_sessions (id INTEGER PRIMARY KEY AUTOINCREMENT, token TEXT NOT NULL UNIQUE,
  account TEXT NOT NULL REFERENCES sb_accounts, csrf TEXT NOT NULL, seeded INTEGER NOT NULL, ended TEXT) STRICT;
CREATE INDEX IF NOT EXISTS sb_sessions_account ON sb_sessions (account);
`

/** Everything that one app keeps: one SQLite file and one effect log. */
export interface Store {
  app: SandboxApp
  db: DatabaseSync
  effects: Effects
  /** Midnight UTC of the day of the last reset, Unix seconds. */
  day(): number
  /** Makes the account's data at its first request after a reset, so that a thousand accounts cost nothing until used. */
  ensureSeeded(account: Account): void
  /** The same for all accounts that the app names: what everybody sees is made of them. */
  ensureNamedSeeded(): void
  addAccounts(kind: string, count: number): Account[]
  reset(): void
  close(): void
}

const today = (): number => Math.floor(Date.now() / 86_400_000) * 86_400

function openDatabase(file: string): DatabaseSync {
  const db = new DatabaseSync(file)
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;')
    db.exec(platformSchema)
    return db
  } catch (error) {
    db.close()
    if (error instanceof Error && error.message.includes('locked')) {
      throw new Error(`Another sandbox already uses ${file}: stop it, or set CALLGATE_DIR to another folder.`, {
        cause: error,
      })
    }
    throw error
  }
}

function appTables(db: DatabaseSync): string[] {
  const sql = String.raw`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sb\_%' ESCAPE '\'
    AND name NOT LIKE 'sqlite\_%' ESCAPE '\'`
  return all(db, sql).map((row) => text(row, 'name'))
}

function setMeta(db: DatabaseSync, name: string, value: string): void {
  run(db, 'INSERT INTO sb_meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value', name, value)
}

function meta(db: DatabaseSync, name: string): string | undefined {
  const row = one(db, 'SELECT value FROM sb_meta WHERE name = ?', name)
  return row && text(row, 'value')
}

/** The seed state, but for the accounts' data, which comes at their first request. */
function emptyApp(db: DatabaseSync): void {
  for (const table of appTables(db)) db.exec(`DELETE FROM "${table}"`)
  run(db, 'UPDATE sb_accounts SET seeded = 0, banned_until = NULL, demand = NULL, challenge = NULL')
  run(db, 'UPDATE sb_sessions SET ended = NULL WHERE seeded = 1')
  run(db, 'DELETE FROM sb_sessions WHERE ended IS NOT NULL')
  db.exec('DELETE FROM sb_faults; DELETE FROM sb_effects')
  setMeta(db, 'day', String(today()))
}

/** First start, or the app's tables have changed since the last one. */
function prepare(db: DatabaseSync, app: SandboxApp): void {
  const version = createHash('sha256').update(app.schema).digest('hex')
  transaction(db, () => {
    if (meta(db, 'schema') !== version) {
      for (const table of appTables(db)) db.exec(`DROP TABLE "${table}"`)
      db.exec(app.schema)
      emptyApp(db)
      setMeta(db, 'schema', version)
    }
    seedPeople(db, app)
  })
}

export function openStore(app: SandboxApp, dataDir: string): Store {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const db = openDatabase(join(dataDir, `${app.slug}.sqlite`))
  prepare(db, app)
  const effects = new Effects(db, join(dataDir, `${app.slug}.effects.jsonl`))
  const day = (): number => Number(meta(db, 'day'))
  const seedOnce = (accounts: Account[]): void => {
    if (accounts.length === 0) return
    transaction(db, () => {
      for (const account of accounts) {
        app.seed(db, day(), account)
        run(db, 'UPDATE sb_accounts SET seeded = 1 WHERE account = ?', account.account)
      }
    })
  }
  return {
    app,
    db,
    effects,
    day,
    ensureSeeded: ({ account }) => seedOnce(unseeded(db, 'account = ?', account)),
    ensureNamedSeeded: () => seedOnce(unseeded(db, "user <> 'extra'")),
    addAccounts: (kind, size) => transaction(db, () => Array.from({ length: size }, () => addAccount(db, app, kind))),
    reset() {
      transaction(db, () => emptyApp(db))
      effects.truncate()
    },
    close() {
      effects.close()
      db.close()
    },
  }
}
