/**
 * Times are Unix seconds, days are days since 1970 in the branch's own calendar, money is in minor units. Ids are
 * texts; `n` counts an account's rows. A visit has one row per version: the one with `died` null is in force, and
 * `born` and `died` are the salon's tick at which a version came and went.
 */
export const schema = `
CREATE TABLE salons (account TEXT PRIMARY KEY, title TEXT NOT NULL, currency TEXT NOT NULL, exponent INTEGER NOT NULL,
  payments INTEGER NOT NULL, balance INTEGER NOT NULL, tick INTEGER NOT NULL) STRICT;
CREATE TABLE branches (id TEXT PRIMARY KEY, account TEXT NOT NULL, n INTEGER NOT NULL, title TEXT NOT NULL,
  zone TEXT NOT NULL) STRICT;
CREATE TABLE words (id TEXT PRIMARY KEY, account TEXT NOT NULL, n INTEGER NOT NULL, kind TEXT NOT NULL,
  label TEXT NOT NULL) STRICT;
CREATE INDEX words_account ON words (account, kind, n);
CREATE TABLE menu (id TEXT PRIMARY KEY, account TEXT NOT NULL, n INTEGER NOT NULL, label TEXT NOT NULL,
  section TEXT NOT NULL, minutes INTEGER NOT NULL, price INTEGER NOT NULL, branches TEXT NOT NULL) STRICT;
CREATE TABLE stylists (id TEXT PRIMARY KEY, account TEXT NOT NULL, n INTEGER NOT NULL, name TEXT NOT NULL,
  shifts TEXT NOT NULL, items TEXT NOT NULL) STRICT;
CREATE TABLE guests (id TEXT PRIMARY KEY, account TEXT NOT NULL, n INTEGER NOT NULL, name TEXT NOT NULL,
  sort TEXT NOT NULL, mail TEXT, mobile TEXT, digits TEXT NOT NULL, branch TEXT NOT NULL, mail_ads INTEGER NOT NULL,
  text_ads INTEGER NOT NULL, allergies TEXT NOT NULL, born INTEGER NOT NULL) STRICT;
CREATE INDEX guests_account ON guests (account, sort, n);
CREATE TABLE jottings (id TEXT PRIMARY KEY, account TEXT NOT NULL, guest TEXT NOT NULL, author TEXT NOT NULL,
  text TEXT NOT NULL, at INTEGER NOT NULL, zone TEXT NOT NULL) STRICT;
CREATE INDEX jottings_guest ON jottings (guest);
CREATE TABLE visits (id TEXT NOT NULL, account TEXT NOT NULL, n INTEGER NOT NULL, guest TEXT NOT NULL,
  stylist TEXT NOT NULL, branch TEXT NOT NULL, starts INTEGER NOT NULL, ends INTEGER NOT NULL, day INTEGER NOT NULL,
  items TEXT NOT NULL, state TEXT NOT NULL, own TEXT, remark TEXT NOT NULL, reason TEXT, born INTEGER NOT NULL,
  died INTEGER) STRICT;
CREATE INDEX visits_id ON visits (id);
CREATE INDEX visits_day ON visits (account, day);
CREATE INDEX visits_guest ON visits (guest);
CREATE INDEX visits_stylist ON visits (stylist, starts);
CREATE TABLE time_off (id TEXT PRIMARY KEY, account TEXT NOT NULL, stylist TEXT NOT NULL, kind TEXT NOT NULL,
  label TEXT NOT NULL, starts INTEGER NOT NULL, ends INTEGER NOT NULL) STRICT;
CREATE INDEX time_off_stylist ON time_off (stylist, starts);
CREATE TABLE sales (account TEXT NOT NULL, branch TEXT NOT NULL, day INTEGER NOT NULL, label TEXT NOT NULL,
  pay TEXT NOT NULL, promo TEXT, promo_kind TEXT, pieces INTEGER NOT NULL, gross INTEGER NOT NULL,
  rebate INTEGER NOT NULL, refund INTEGER NOT NULL, tip INTEGER NOT NULL, service INTEGER NOT NULL) STRICT;
CREATE INDEX sales_day ON sales (account, day);
CREATE TABLE payouts (id TEXT PRIMARY KEY, account TEXT NOT NULL, n INTEGER NOT NULL, day INTEGER NOT NULL,
  kind TEXT NOT NULL, gross INTEGER NOT NULL, fee INTEGER NOT NULL, born INTEGER NOT NULL) STRICT;
CREATE INDEX payouts_day ON payouts (account, day);
`
