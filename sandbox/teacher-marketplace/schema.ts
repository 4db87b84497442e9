/**
 * Moments are Unix seconds, days `YYYY-MM-DD` in the shop's zone, money is in US cents. All numbers (`no`) of a shop come from
 * one sequence, `shops.last`, so that a number also says what was there before what: `shelf_log.no` and `asks.reply_no`
 * say when a good went on or off the shelf and when a question was replied to.
 */
export const schema = `
CREATE TABLE shops (account TEXT PRIMARY KEY, last INTEGER NOT NULL, zone TEXT NOT NULL) STRICT;
CREATE TABLE goods (no INTEGER PRIMARY KEY, account TEXT NOT NULL, sort TEXT NOT NULL, name TEXT NOT NULL,
  about TEXT NOT NULL, cost INTEGER NOT NULL, more_cost INTEGER NOT NULL, levels TEXT NOT NULL, topics TEXT NOT NULL,
  labels TEXT NOT NULL, made_as TEXT NOT NULL, drawer TEXT NOT NULL, listed TEXT NOT NULL, file TEXT, kb INTEGER NOT NULL,
  revision INTEGER NOT NULL, file_day TEXT NOT NULL) STRICT;
CREATE INDEX goods_account ON goods (account, no);
CREATE TABLE shelf_log (no INTEGER PRIMARY KEY, good INTEGER NOT NULL, shelf TEXT NOT NULL) STRICT;
CREATE INDEX shelf_log_good ON shelf_log (good, no);
CREATE TABLE sold (no INTEGER PRIMARY KEY, account TEXT NOT NULL, good INTEGER NOT NULL, day TEXT NOT NULL,
  mail TEXT NOT NULL, fresh INTEGER NOT NULL, earned INTEGER NOT NULL, tax INTEGER NOT NULL, key TEXT NOT NULL UNIQUE) STRICT;
CREATE INDEX sold_day ON sold (account, day);
CREATE INDEX sold_good ON sold (good, mail);
CREATE TABLE traffic (good INTEGER NOT NULL, day TEXT NOT NULL, account TEXT NOT NULL, looks_new INTEGER NOT NULL,
  looks_back INTEGER NOT NULL, carts_new INTEGER NOT NULL, carts_back INTEGER NOT NULL, wished INTEGER NOT NULL,
  parked INTEGER NOT NULL, PRIMARY KEY (good, day)) STRICT;
CREATE INDEX traffic_day ON traffic (account, day);
CREATE TABLE searches (account TEXT NOT NULL, day TEXT NOT NULL, good INTEGER NOT NULL, words TEXT NOT NULL,
  clicks INTEGER NOT NULL, bought INTEGER NOT NULL, earned INTEGER NOT NULL) STRICT;
CREATE INDEX searches_day ON searches (account, day);
CREATE TABLE asks (no INTEGER PRIMARY KEY, account TEXT NOT NULL, good INTEGER NOT NULL, asker TEXT NOT NULL,
  mail TEXT NOT NULL, words TEXT NOT NULL, asked INTEGER NOT NULL, reply TEXT, replied INTEGER, reply_no INTEGER) STRICT;
CREATE INDEX asks_account ON asks (account, no);
CREATE INDEX asks_good ON asks (good, no);
CREATE TABLE markdowns (no INTEGER PRIMARY KEY, account TEXT NOT NULL, percent INTEGER NOT NULL, first TEXT NOT NULL,
  last TEXT NOT NULL, goods TEXT) STRICT;
CREATE INDEX markdowns_account ON markdowns (account, last);
CREATE TABLE notes (no INTEGER PRIMARY KEY, account TEXT NOT NULL, words TEXT NOT NULL, written INTEGER NOT NULL,
  leaves INTEGER NOT NULL, reached INTEGER NOT NULL) STRICT;
CREATE INDEX notes_account ON notes (account, no);
CREATE TABLE followers (account TEXT NOT NULL, mail TEXT NOT NULL, PRIMARY KEY (account, mail)) STRICT;
CREATE TABLE mails (no INTEGER PRIMARY KEY, account TEXT NOT NULL, batch TEXT NOT NULL, kind TEXT NOT NULL,
  about INTEGER NOT NULL, recipient TEXT NOT NULL, words TEXT NOT NULL, leaves INTEGER NOT NULL) STRICT;
CREATE INDEX mails_account ON mails (account, leaves, no);
`
