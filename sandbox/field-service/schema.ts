/**
 * Times are Unix seconds, days are days since 1970 on the firm's clock, money is in cents, quantities and hours are in
 * hundredths. `born` (and `quoted`, `mailed_tick`, `seen_tick`) is the firm's tick at which something came to be, so that
 * a list can be read as it stood at an earlier tick. An order's `state` is null while its visits decide it.
 */
export const schema = `
CREATE TABLE firms (account TEXT PRIMARY KEY, zone TEXT NOT NULL, currency TEXT NOT NULL, tick INTEGER NOT NULL) STRICT;
CREATE TABLE services (id INTEGER PRIMARY KEY, account TEXT NOT NULL, label TEXT NOT NULL) STRICT;
CREATE TABLE crew (id INTEGER PRIMARY KEY, account TEXT NOT NULL, name TEXT NOT NULL, active INTEGER NOT NULL) STRICT;
CREATE TABLE clients (id INTEGER PRIMARY KEY, account TEXT NOT NULL, title TEXT NOT NULL, company INTEGER NOT NULL,
  mail TEXT NOT NULL, tel TEXT NOT NULL, site TEXT NOT NULL, billing TEXT NOT NULL, directions TEXT NOT NULL,
  memo TEXT NOT NULL, folded TEXT NOT NULL, digits TEXT NOT NULL, born INTEGER NOT NULL) STRICT;
CREATE INDEX clients_account ON clients (account);
CREATE TABLE people (id INTEGER PRIMARY KEY, account TEXT NOT NULL, client INTEGER NOT NULL, name TEXT NOT NULL,
  mail TEXT NOT NULL, main INTEGER NOT NULL) STRICT;
CREATE INDEX people_account ON people (account);
CREATE INDEX people_client ON people (client);
CREATE TABLE orders (id INTEGER PRIMARY KEY, account TEXT NOT NULL, client INTEGER NOT NULL, service INTEGER NOT NULL,
  state TEXT, stage TEXT, internal TEXT NOT NULL, scope TEXT NOT NULL, made INTEGER NOT NULL, quoted INTEGER,
  born INTEGER NOT NULL) STRICT;
CREATE INDEX orders_account ON orders (account);
CREATE INDEX orders_client ON orders (client);
CREATE TABLE lines (id INTEGER PRIMARY KEY, account TEXT NOT NULL, order_id INTEGER NOT NULL, label TEXT NOT NULL,
  remark TEXT NOT NULL, qty INTEGER NOT NULL, each INTEGER NOT NULL, sum INTEGER NOT NULL, born INTEGER NOT NULL) STRICT;
CREATE INDEX lines_account ON lines (account);
CREATE INDEX lines_order ON lines (order_id);
CREATE TABLE visits (id INTEGER PRIMARY KEY, account TEXT NOT NULL, order_id INTEGER NOT NULL, topic TEXT NOT NULL,
  starts INTEGER NOT NULL, ends INTEGER NOT NULL, day INTEGER NOT NULL, crew INTEGER, remark TEXT NOT NULL,
  born INTEGER NOT NULL) STRICT;
CREATE INDEX visits_account ON visits (account);
CREATE INDEX visits_order ON visits (order_id, day);
CREATE TABLE hours (id INTEGER PRIMARY KEY, account TEXT NOT NULL, order_id INTEGER NOT NULL, crew INTEGER NOT NULL,
  day INTEGER NOT NULL, time INTEGER NOT NULL, remark TEXT NOT NULL) STRICT;
CREATE INDEX hours_account ON hours (account);
CREATE INDEX hours_order ON hours (order_id);
CREATE TABLE bills (id INTEGER PRIMARY KEY, account TEXT NOT NULL, order_id INTEGER NOT NULL UNIQUE, made INTEGER NOT NULL,
  link TEXT NOT NULL UNIQUE, mailed INTEGER, mailed_tick INTEGER, seen INTEGER, seen_tick INTEGER,
  born INTEGER NOT NULL) STRICT;
CREATE INDEX bills_account ON bills (account);
CREATE TABLE payments (id INTEGER PRIMARY KEY, account TEXT NOT NULL, bill INTEGER NOT NULL, means TEXT NOT NULL,
  cents INTEGER NOT NULL, day INTEGER NOT NULL, reference TEXT NOT NULL, remark TEXT NOT NULL,
  born INTEGER NOT NULL) STRICT;
CREATE INDEX payments_account ON payments (account);
CREATE INDEX payments_bill ON payments (bill);
CREATE TABLE mails (id INTEGER PRIMARY KEY, account TEXT NOT NULL, order_id INTEGER NOT NULL, kind TEXT NOT NULL,
  recipient TEXT NOT NULL, subject TEXT NOT NULL, words TEXT NOT NULL, sent INTEGER NOT NULL,
  born INTEGER NOT NULL) STRICT;
CREATE INDEX mails_account ON mails (account);
`
