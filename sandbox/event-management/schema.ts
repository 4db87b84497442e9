/** Moments are Unix seconds, days `YYYYMMDD` in the gathering's zone. Serials are unique in the whole app: ids of everything. */
export const schema = `
CREATE TABLE organizers (account TEXT PRIMARY KEY, last INTEGER NOT NULL) STRICT;
CREATE TABLE gatherings (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, called TEXT NOT NULL, zone TEXT NOT NULL,
  first_day TEXT NOT NULL, last_day TEXT NOT NULL, opens INTEGER NOT NULL, closes INTEGER NOT NULL, venue TEXT NOT NULL,
  cur TEXT NOT NULL, signup TEXT NOT NULL UNIQUE, wrapped INTEGER) STRICT;
CREATE INDEX gatherings_account ON gatherings (account, first_day);
CREATE TABLE passes (serial INTEGER PRIMARY KEY, gathering INTEGER NOT NULL, label TEXT NOT NULL,
  price INTEGER NOT NULL) STRICT;
CREATE INDEX passes_gathering ON passes (gathering, serial);
CREATE TABLE guests (serial INTEGER PRIMARY KEY, gathering INTEGER NOT NULL, given TEXT NOT NULL, family TEXT NOT NULL,
  mail TEXT NOT NULL, folded TEXT NOT NULL, firm TEXT NOT NULL, pass INTEGER NOT NULL, crowd TEXT NOT NULL,
  arrived INTEGER) STRICT;
CREATE INDEX guests_gathering ON guests (gathering, serial);
CREATE UNIQUE INDEX guests_mail ON guests (gathering, folded) WHERE folded <> '';
CREATE TABLE bookings (serial INTEGER PRIMARY KEY, gathering INTEGER NOT NULL, booked_by TEXT NOT NULL, mail TEXT NOT NULL,
  pass INTEGER NOT NULL, seats INTEGER NOT NULL, paid INTEGER NOT NULL, booked INTEGER NOT NULL) STRICT;
CREATE INDEX bookings_gathering ON bookings (gathering, serial);
CREATE TABLE slots (serial INTEGER PRIMARY KEY, gathering INTEGER NOT NULL, heading TEXT NOT NULL, opens INTEGER NOT NULL,
  closes INTEGER NOT NULL, streams TEXT NOT NULL, blurb TEXT NOT NULL) STRICT;
CREATE INDEX slots_gathering ON slots (gathering, opens);
CREATE TABLE voices (serial INTEGER PRIMARY KEY, gathering INTEGER NOT NULL, called TEXT NOT NULL, folded TEXT NOT NULL,
  mail TEXT NOT NULL, UNIQUE (gathering, folded)) STRICT;
CREATE TABLE slot_voices (slot INTEGER NOT NULL, place INTEGER NOT NULL, voice INTEGER NOT NULL,
  PRIMARY KEY (slot, place)) STRICT;
CREATE INDEX slot_voices_voice ON slot_voices (voice);
CREATE TABLE chapters (gathering INTEGER NOT NULL, place INTEGER NOT NULL, heading TEXT NOT NULL, words TEXT NOT NULL,
  PRIMARY KEY (gathering, place)) STRICT;
CREATE TABLE mailings (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, gathering INTEGER NOT NULL, kind TEXT NOT NULL,
  subject TEXT NOT NULL, words TEXT NOT NULL, sent INTEGER NOT NULL) STRICT;
CREATE TABLE mails (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, mailing INTEGER NOT NULL, recipient TEXT NOT NULL,
  addressee TEXT NOT NULL) STRICT;
CREATE INDEX mails_account ON mails (account, serial);
CREATE INDEX mails_mailing ON mails (mailing, serial);
`
