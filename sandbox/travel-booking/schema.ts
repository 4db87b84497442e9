/** Times are Unix milliseconds, money is in minor units of the booking's currency; a run's day counts from the timetable's first. */
export const schema = `
CREATE TABLE members (account TEXT PRIMARY KEY, ordinal INTEGER NOT NULL, mail TEXT NOT NULL, currency TEXT NOT NULL, card TEXT) STRICT;
CREATE TABLE bookings (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, standing TEXT NOT NULL, line INTEGER NOT NULL,
  start INTEGER NOT NULL, goal INTEGER NOT NULL, run INTEGER NOT NULL, day_offset INTEGER NOT NULL, leaves INTEGER NOT NULL,
  tariff TEXT NOT NULL, flex INTEGER NOT NULL, riders TEXT NOT NULL, currency TEXT NOT NULL, fare INTEGER NOT NULL,
  flex_price INTEGER NOT NULL, service_fee INTEGER NOT NULL, swap_fees INTEGER NOT NULL, given_back INTEGER,
  issue INTEGER NOT NULL, notice TEXT NOT NULL, made INTEGER NOT NULL) STRICT;
CREATE INDEX bookings_account ON bookings (account, leaves, serial);
CREATE TABLE letters (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, booking INTEGER NOT NULL, kind TEXT NOT NULL,
  recipient TEXT NOT NULL, subject TEXT NOT NULL, words TEXT NOT NULL, sent INTEGER NOT NULL) STRICT;
CREATE INDEX letters_account ON letters (account, serial);
`
