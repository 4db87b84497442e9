/**
 * Moments are Unix seconds, days `YYYYMMDD` on the company's clocks, money whole minor units of its currency. `lines` is JSON:
 * `[{ label, qty, each }]`. One bill a job: both ask for the same money, and receipts count for both.
 */
export const schema = `
CREATE TABLE companies (account TEXT PRIMARY KEY, ordinal INTEGER NOT NULL, door TEXT NOT NULL UNIQUE, zone TEXT NOT NULL,
  money TEXT NOT NULL, digits INTEGER NOT NULL) STRICT;
CREATE TABLE kinds (serial INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, account TEXT NOT NULL, label TEXT NOT NULL) STRICT;
CREATE INDEX kinds_account ON kinds (account, serial);
CREATE TABLE entries (serial INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, account TEXT NOT NULL, label TEXT NOT NULL,
  unit TEXT NOT NULL, each INTEGER NOT NULL) STRICT;
CREATE INDEX entries_account ON entries (account, serial);
CREATE TABLE crew (serial INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, account TEXT NOT NULL, full_name TEXT NOT NULL,
  me INTEGER NOT NULL) STRICT;
CREATE INDEX crew_account ON crew (account, serial);
CREATE TABLE away (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, person INTEGER NOT NULL, begins INTEGER NOT NULL,
  ends INTEGER NOT NULL, why TEXT NOT NULL) STRICT;
CREATE INDEX away_person ON away (person, ends);
CREATE TABLE customers (serial INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, account TEXT NOT NULL, full_name TEXT NOT NULL,
  mobile TEXT NOT NULL, mail TEXT NOT NULL, site TEXT NOT NULL, folded TEXT NOT NULL, made INTEGER NOT NULL) STRICT;
CREATE INDEX customers_account ON customers (account, serial);
CREATE TABLE jobs (serial INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, account TEXT NOT NULL, customer INTEGER NOT NULL,
  kind TEXT NOT NULL, state TEXT NOT NULL, begins INTEGER NOT NULL, ends INTEGER NOT NULL, site TEXT NOT NULL,
  remarks TEXT NOT NULL, lines TEXT NOT NULL, charge INTEGER NOT NULL, settled INTEGER NOT NULL, made INTEGER NOT NULL) STRICT;
CREATE INDEX jobs_account ON jobs (account, begins);
CREATE INDEX jobs_serial ON jobs (account, serial);
CREATE INDEX jobs_customer ON jobs (customer);
CREATE TABLE manned (job INTEGER NOT NULL, person INTEGER NOT NULL, PRIMARY KEY (job, person)) STRICT;
CREATE TABLE leads (serial INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, account TEXT NOT NULL, stage TEXT NOT NULL,
  origin TEXT NOT NULL, caller TEXT NOT NULL, mobile TEXT NOT NULL, came_in INTEGER NOT NULL, handler INTEGER) STRICT;
CREATE INDEX leads_account ON leads (account, came_in);
CREATE INDEX leads_serial ON leads (account, serial);
CREATE TABLE estimates (serial INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, account TEXT NOT NULL, customer INTEGER NOT NULL,
  lines TEXT NOT NULL, charge INTEGER NOT NULL, remarks TEXT NOT NULL, stage TEXT NOT NULL, door TEXT NOT NULL UNIQUE,
  made INTEGER NOT NULL, sent INTEGER) STRICT;
CREATE INDEX estimates_account ON estimates (account, serial);
CREATE TABLE bills (serial INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, account TEXT NOT NULL, job INTEGER NOT NULL UNIQUE,
  due_day TEXT NOT NULL, door TEXT NOT NULL UNIQUE, made INTEGER NOT NULL, sent INTEGER) STRICT;
CREATE INDEX bills_account ON bills (account, serial);
CREATE TABLE receipts (serial INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, account TEXT NOT NULL, job INTEGER NOT NULL,
  amount INTEGER NOT NULL, means TEXT NOT NULL, reference TEXT NOT NULL, received INTEGER NOT NULL) STRICT;
CREATE INDEX receipts_account ON receipts (account, serial);
CREATE INDEX receipts_job ON receipts (job, received);
CREATE TABLE messages (serial INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, account TEXT NOT NULL, via TEXT NOT NULL,
  recipient TEXT NOT NULL, words TEXT NOT NULL, about TEXT NOT NULL, sent INTEGER NOT NULL) STRICT;
CREATE INDEX messages_account ON messages (account, serial);
CREATE TABLE snapshots (token TEXT PRIMARY KEY, account TEXT NOT NULL, list TEXT NOT NULL, serials TEXT NOT NULL) STRICT;
CREATE INDEX snapshots_account ON snapshots (account);
`
