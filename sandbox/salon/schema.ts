/**
 * Times are Unix seconds, days are counted from 1970, money is in minor units. All serials of an account come from one counter.
 * A visit has one row for each state it was in, from counter `since` to before `until`, so that a list can be read as it was.
 */
export const schema = `
CREATE TABLE businesses (account TEXT PRIMARY KEY, serial INTEGER NOT NULL, book_key TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE branches (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, label TEXT NOT NULL, street TEXT NOT NULL,
  zone TEXT NOT NULL, currency TEXT NOT NULL, tel TEXT) STRICT;
CREATE INDEX branches_account ON branches (account, serial);
CREATE TABLE crew (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, branch INTEGER NOT NULL, full TEXT NOT NULL,
  opens INTEGER NOT NULL, shuts INTEGER NOT NULL) STRICT;
CREATE INDEX crew_account ON crew (account, serial);
CREATE TABLE treatments (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, branch INTEGER NOT NULL, label TEXT NOT NULL,
  mins INTEGER NOT NULL, cost INTEGER NOT NULL, hands TEXT NOT NULL) STRICT;
CREATE INDEX treatments_branch ON treatments (branch, serial);
CREATE TABLE guests (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, full TEXT NOT NULL, folded TEXT NOT NULL, mail TEXT,
  cell TEXT, digits TEXT NOT NULL, labels TEXT NOT NULL) STRICT;
CREATE INDEX guests_account ON guests (account, folded, serial);
CREATE TABLE visits (serial INTEGER NOT NULL, since INTEGER NOT NULL, until INTEGER NOT NULL, account TEXT NOT NULL,
  branch INTEGER NOT NULL, guest INTEGER NOT NULL, treatment INTEGER NOT NULL, crew INTEGER NOT NULL, day INTEGER NOT NULL,
  begins INTEGER NOT NULL, ends INTEGER NOT NULL, stage TEXT NOT NULL, cost INTEGER NOT NULL, remark TEXT NOT NULL,
  PRIMARY KEY (serial, since)) STRICT;
CREATE INDEX visits_branch ON visits (branch, day);
CREATE INDEX visits_crew ON visits (crew, until, begins);
CREATE TABLE waiting (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, branch INTEGER NOT NULL, guest INTEGER NOT NULL,
  treatment INTEGER NOT NULL, crew INTEGER, day INTEGER NOT NULL, alerted INTEGER) STRICT;
CREATE INDEX waiting_branch ON waiting (branch, day, serial);
CREATE TABLE talks (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, guest INTEGER NOT NULL) STRICT;
CREATE INDEX talks_account ON talks (account, serial);
CREATE TABLE lines (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, talk INTEGER NOT NULL, side TEXT NOT NULL,
  words TEXT NOT NULL, link TEXT, seen INTEGER NOT NULL, at INTEGER NOT NULL) STRICT;
CREATE INDEX lines_talk ON lines (talk, serial);
CREATE TABLE reviews (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, branch INTEGER NOT NULL, guest INTEGER NOT NULL,
  stars INTEGER NOT NULL, words TEXT NOT NULL, day INTEGER NOT NULL, answer TEXT, answered INTEGER) STRICT;
CREATE INDEX reviews_branch ON reviews (branch, day, serial);
CREATE TABLE notices (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, guest INTEGER NOT NULL, via TEXT NOT NULL,
  recipient TEXT NOT NULL, words TEXT NOT NULL, at INTEGER NOT NULL, answer TEXT) STRICT;
CREATE INDEX notices_account ON notices (account, serial);
`
