/** Days are `YYYY-MM-DD` and minutes those of the day on the studio's clocks, moments Unix seconds; money is in minor units.
 * `rev` counts a studio's changes of clients and passes, so that a list can be read as it was. */
export const schema = `
CREATE TABLE studios (account TEXT PRIMARY KEY, ordinal INTEGER NOT NULL, zone TEXT NOT NULL, ccy TEXT NOT NULL,
  rev INTEGER NOT NULL) STRICT;
CREATE TABLE offers (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, label TEXT NOT NULL, auto INTEGER NOT NULL,
  fee INTEGER NOT NULL, per TEXT NOT NULL, covers TEXT NOT NULL, entries INTEGER) STRICT;
CREATE INDEX offers_account ON offers (account, serial);
CREATE TABLE clients (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, full TEXT NOT NULL, mail TEXT NOT NULL,
  tel TEXT NOT NULL, rev INTEGER NOT NULL) STRICT;
CREATE INDEX clients_account ON clients (account, serial);
CREATE TABLE passes (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, client INTEGER NOT NULL, offer INTEGER NOT NULL,
  left_over INTEGER) STRICT;
CREATE INDEX passes_account ON passes (account, serial);
CREATE INDEX passes_client ON passes (client, serial);
CREATE TABLE pass_states (pass INTEGER NOT NULL, rev INTEGER NOT NULL, st TEXT NOT NULL, renews TEXT, turn TEXT,
  PRIMARY KEY (pass, rev)) STRICT, WITHOUT ROWID;
CREATE TABLE slots (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, series INTEGER NOT NULL, title TEXT NOT NULL,
  topic TEXT NOT NULL, coach TEXT NOT NULL, places INTEGER NOT NULL, day TEXT NOT NULL, minutes INTEGER NOT NULL,
  start INTEGER NOT NULL, off INTEGER NOT NULL) STRICT;
CREATE INDEX slots_day ON slots (account, day, start, serial);
CREATE TABLE entries (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, slot INTEGER NOT NULL, client INTEGER NOT NULL,
  pass INTEGER, st TEXT NOT NULL, UNIQUE (slot, client)) STRICT;
CREATE INDEX entries_account ON entries (account, serial);
CREATE INDEX entries_client ON entries (client);
CREATE TABLE notices (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, slot INTEGER NOT NULL, client INTEGER NOT NULL,
  kind TEXT NOT NULL, via TEXT NOT NULL, recipient TEXT NOT NULL, subject TEXT NOT NULL, words TEXT NOT NULL,
  at INTEGER NOT NULL) STRICT;
CREATE INDEX notices_account ON notices (account, serial);
`
