/**
 * Times are Unix seconds, money is hundredths. All serials of a shop come from one sequence, `shops.last`, so that a serial also
 * says what was there before what. A line's `fetches` (downloads left) is null where there is nothing to download.
 */
export const schema = `
CREATE TABLE shops (account TEXT PRIMARY KEY, cur TEXT NOT NULL, fetch_limit INTEGER NOT NULL, last INTEGER NOT NULL) STRICT;
CREATE TABLE shelves (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, label TEXT NOT NULL) STRICT;
CREATE TABLE wares (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, key TEXT NOT NULL UNIQUE, label TEXT NOT NULL,
  pitch TEXT NOT NULL, sort TEXT NOT NULL, price INTEGER NOT NULL, shown TEXT NOT NULL, shelf INTEGER, file_from TEXT,
  made INTEGER NOT NULL) STRICT;
CREATE INDEX wares_account ON wares (account);
CREATE TABLE sales (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, key TEXT NOT NULL UNIQUE, mail TEXT NOT NULL,
  total INTEGER NOT NULL, returned INTEGER NOT NULL, voucher TEXT, sold INTEGER NOT NULL, parcel TEXT, paid_by TEXT NOT NULL,
  processor INTEGER NOT NULL, house INTEGER NOT NULL, vat INTEGER NOT NULL, other_tax INTEGER NOT NULL, partner TEXT,
  partner_cents INTEGER NOT NULL, answers TEXT NOT NULL) STRICT;
CREATE INDEX sales_account ON sales (account, sold);
CREATE TABLE lines (serial INTEGER PRIMARY KEY, sale INTEGER NOT NULL, ware INTEGER NOT NULL, label TEXT NOT NULL,
  copies INTEGER NOT NULL, cents INTEGER NOT NULL, fetches INTEGER) STRICT;
CREATE INDEX lines_sale ON lines (sale);
CREATE TABLE remarks (serial INTEGER PRIMARY KEY, sale INTEGER NOT NULL, words TEXT NOT NULL, put INTEGER NOT NULL) STRICT;
CREATE INDEX remarks_sale ON remarks (sale);
CREATE TABLE letters (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, sale INTEGER NOT NULL, recipient TEXT NOT NULL,
  subject TEXT NOT NULL, words TEXT NOT NULL, sent INTEGER NOT NULL) STRICT;
CREATE INDEX letters_account ON letters (account, sale);
CREATE TABLE members (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, mail TEXT NOT NULL, ware INTEGER NOT NULL,
  plan TEXT NOT NULL, state TEXT NOT NULL, began INTEGER NOT NULL, late_since INTEGER, ended INTEGER) STRICT;
CREATE INDEX members_account ON members (account);
CREATE TABLE vouchers (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, code TEXT NOT NULL COLLATE NOCASE, bp INTEGER,
  cents INTEGER, covers TEXT NOT NULL, ware INTEGER, shelf INTEGER, used INTEGER NOT NULL, use_limit INTEGER, until INTEGER,
  made INTEGER NOT NULL, UNIQUE (account, code)) STRICT;
CREATE TABLE barred (account TEXT NOT NULL, mail TEXT NOT NULL COLLATE NOCASE, sale INTEGER NOT NULL, since INTEGER NOT NULL,
  PRIMARY KEY (account, mail)) STRICT;
CREATE TABLE looks (account TEXT NOT NULL, day INTEGER NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (account, day)) STRICT;
`
