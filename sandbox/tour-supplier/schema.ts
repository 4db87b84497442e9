/** Days are `YYYYMMDD` and starts `HHMM` in the activity's zone, moments Unix seconds, money in minor units. */
export const schema = `
CREATE TABLE suppliers (account TEXT PRIMARY KEY, ordinal INTEGER NOT NULL, zone TEXT NOT NULL, cur TEXT NOT NULL,
  digits INTEGER NOT NULL) STRICT;
CREATE TABLE activities (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, headline TEXT NOT NULL, stage TEXT NOT NULL,
  zone TEXT NOT NULL) STRICT;
CREATE INDEX activities_account ON activities (account, serial);
CREATE TABLE variants (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, activity INTEGER NOT NULL, label TEXT NOT NULL,
  starts TEXT NOT NULL, weekdays TEXT NOT NULL, capacity INTEGER NOT NULL) STRICT;
CREATE INDEX variants_activity ON variants (activity, serial);
CREATE TABLE tariffs (variant INTEGER NOT NULL, pax TEXT NOT NULL, starting TEXT NOT NULL, minor INTEGER NOT NULL,
  PRIMARY KEY (variant, pax, starting)) STRICT, WITHOUT ROWID;
CREATE TABLE allotments (variant INTEGER NOT NULL, day TEXT NOT NULL, start TEXT NOT NULL, free INTEGER NOT NULL,
  gate TEXT NOT NULL, PRIMARY KEY (variant, day, start)) STRICT, WITHOUT ROWID;
CREATE TABLE orders (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, activity INTEGER NOT NULL, variant INTEGER NOT NULL,
  day TEXT NOT NULL, start TEXT NOT NULL, state TEXT NOT NULL, adults INTEGER NOT NULL, children INTEGER NOT NULL,
  minor INTEGER NOT NULL, guest TEXT NOT NULL, lang TEXT NOT NULL, mail TEXT NOT NULL, key TEXT NOT NULL UNIQUE,
  placed INTEGER NOT NULL) STRICT;
CREATE INDEX orders_day ON orders (account, day, start, serial);
CREATE INDEX orders_variant ON orders (variant, day);
CREATE INDEX orders_activity ON orders (activity, day);
CREATE TABLE threads (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, booking INTEGER NOT NULL UNIQUE,
  seen INTEGER NOT NULL) STRICT;
CREATE INDEX threads_account ON threads (account);
CREATE TABLE messages (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, thread INTEGER NOT NULL, side TEXT NOT NULL,
  words TEXT NOT NULL, sent INTEGER NOT NULL) STRICT;
CREATE INDEX messages_thread ON messages (thread, serial);
CREATE INDEX messages_account ON messages (account, serial);
CREATE TABLE feedback (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, activity INTEGER NOT NULL, booking INTEGER NOT NULL UNIQUE,
  stars INTEGER NOT NULL, words TEXT NOT NULL, day TEXT NOT NULL, answer TEXT, answered INTEGER) STRICT;
CREATE INDEX feedback_account ON feedback (account, serial);
CREATE TABLE views (account TEXT NOT NULL, activity INTEGER NOT NULL, day TEXT NOT NULL, seen INTEGER NOT NULL,
  PRIMARY KEY (activity, day)) STRICT, WITHOUT ROWID;
CREATE TABLE mails (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, kind TEXT NOT NULL, recipient TEXT NOT NULL,
  subject TEXT NOT NULL, words TEXT NOT NULL, about TEXT NOT NULL, sent INTEGER NOT NULL) STRICT;
CREATE INDEX mails_account ON mails (account, serial);
`
