/** Moments are Unix seconds, days `YYYY-MM-DD` and hours `HH:MM` on the tour's clocks; money is in minor units. */
export const schema = `
CREATE TABLE providers (account TEXT PRIMARY KEY, ordinal INTEGER NOT NULL, zone TEXT NOT NULL, cur TEXT NOT NULL,
  fee_pct INTEGER NOT NULL) STRICT;
CREATE TABLE tours (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, key TEXT NOT NULL UNIQUE, title TEXT NOT NULL,
  town TEXT NOT NULL, zone TEXT NOT NULL, state TEXT NOT NULL, price INTEGER NOT NULL) STRICT;
CREATE INDEX tours_account ON tours (account, serial);
CREATE TABLE departures (tour INTEGER NOT NULL, hour TEXT NOT NULL, weekdays TEXT NOT NULL, places INTEGER NOT NULL,
  PRIMARY KEY (tour, hour)) STRICT;
CREATE TABLE changed_slots (tour INTEGER NOT NULL, day TEXT NOT NULL, hour TEXT NOT NULL, places INTEGER NOT NULL,
  shut INTEGER NOT NULL, PRIMARY KEY (tour, day, hour)) STRICT;
CREATE TABLE bookings (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, tour INTEGER NOT NULL, key TEXT NOT NULL UNIQUE,
  locator TEXT NOT NULL, day TEXT NOT NULL, hour TEXT NOT NULL, start INTEGER NOT NULL, pax INTEGER NOT NULL,
  state TEXT NOT NULL, total INTEGER NOT NULL, full TEXT NOT NULL, mail TEXT NOT NULL, tel TEXT) STRICT;
CREATE INDEX bookings_start ON bookings (account, start, serial);
CREATE INDEX bookings_tour ON bookings (tour, day, hour);
CREATE TABLE notes (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, booking INTEGER NOT NULL, side TEXT NOT NULL,
  words TEXT NOT NULL, at INTEGER NOT NULL, recipient TEXT, seen INTEGER NOT NULL) STRICT;
CREATE INDEX notes_account ON notes (account, serial);
CREATE INDEX notes_booking ON notes (booking, side, serial);
CREATE TABLE reviews (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, tour INTEGER NOT NULL, mark INTEGER NOT NULL,
  words TEXT NOT NULL, day TEXT NOT NULL) STRICT;
CREATE INDEX reviews_account ON reviews (account, day, serial);
CREATE TABLE payouts (account TEXT NOT NULL, month TEXT NOT NULL, ref TEXT NOT NULL, paid_on TEXT NOT NULL,
  PRIMARY KEY (account, month)) STRICT;
`
