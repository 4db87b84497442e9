/** Times are Unix milliseconds. What has a time in the future (`dispatched`, `released`, `goes`) is still waiting for it. */
export const schema = `
CREATE TABLE members (account TEXT PRIMARY KEY, ordinal INTEGER NOT NULL) STRICT;
CREATE TABLE parties (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, headline TEXT NOT NULL, format TEXT NOT NULL,
  starts INTEGER NOT NULL, zone TEXT NOT NULL, venue TEXT NOT NULL, host TEXT NOT NULL, standing TEXT NOT NULL,
  made INTEGER NOT NULL, dispatched INTEGER) STRICT;
CREATE INDEX parties_account ON parties (account, serial);
CREATE TABLE guests (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, party INTEGER NOT NULL, called TEXT NOT NULL,
  mail TEXT NOT NULL, mobile TEXT NOT NULL, household TEXT NOT NULL, seats INTEGER NOT NULL, released INTEGER,
  answer TEXT NOT NULL, headcount INTEGER NOT NULL, made INTEGER NOT NULL, key TEXT NOT NULL UNIQUE,
  folded TEXT NOT NULL) STRICT;
CREATE INDEX guests_party ON guests (party, serial);
CREATE INDEX guests_account ON guests (account, serial);
CREATE TABLE labels (guest INTEGER NOT NULL, party INTEGER NOT NULL, name TEXT NOT NULL, UNIQUE (guest, name)) STRICT;
CREATE INDEX labels_party ON labels (party, name);
CREATE TABLE letters (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, party INTEGER NOT NULL, guest INTEGER NOT NULL,
  batch INTEGER NOT NULL, kind TEXT NOT NULL, recipient TEXT NOT NULL, subject TEXT NOT NULL, words TEXT NOT NULL,
  goes INTEGER NOT NULL) STRICT;
CREATE INDEX letters_account ON letters (account, serial);
CREATE INDEX letters_guest ON letters (guest, serial);
CREATE TABLE sheets (party INTEGER PRIMARY KEY, turn INTEGER NOT NULL, until INTEGER NOT NULL) STRICT;
CREATE TABLE cards (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, full_name TEXT NOT NULL, mail TEXT NOT NULL,
  phones TEXT NOT NULL, made INTEGER NOT NULL, sort TEXT NOT NULL, folded TEXT NOT NULL) STRICT;
CREATE INDEX cards_account ON cards (account, sort, serial);
`
