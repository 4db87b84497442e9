/**
 * Times are Unix seconds, durations milliseconds, days `YYYY-MM-DD` on the studio's clocks; money is in minor units. All
 * serials of an account come from one counter, so that a snapshot is a single number.
 */
export const schema = `
CREATE TABLE studios (account TEXT PRIMARY KEY, zone TEXT NOT NULL, currency TEXT NOT NULL, serial INTEGER NOT NULL) STRICT;
CREATE TABLE clips (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, source TEXT NOT NULL, heading TEXT NOT NULL,
  folded TEXT NOT NULL, blurb TEXT NOT NULL, labels TEXT NOT NULL, shelves TEXT NOT NULL, length_ms INTEGER NOT NULL,
  ready INTEGER NOT NULL, added INTEGER NOT NULL, decided INTEGER, release INTEGER, teaser INTEGER NOT NULL) STRICT;
CREATE INDEX clips_account ON clips (account, serial);
CREATE TABLE series (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, heading TEXT NOT NULL, folded TEXT NOT NULL,
  blurb TEXT NOT NULL, airing TEXT NOT NULL, gate TEXT NOT NULL, shelves TEXT NOT NULL, added INTEGER NOT NULL) STRICT;
CREATE INDEX series_account ON series (account, serial);
CREATE TABLE entries (series INTEGER NOT NULL, place INTEGER NOT NULL, clip INTEGER, caption TEXT, unlock_ms INTEGER NOT NULL,
  PRIMARY KEY (series, place)) STRICT;
CREATE INDEX entries_clip ON entries (clip);
CREATE TABLE shows (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, heading TEXT NOT NULL, folded TEXT NOT NULL,
  blurb TEXT NOT NULL, begins INTEGER NOT NULL, clock TEXT NOT NULL, via TEXT NOT NULL, sign_up INTEGER NOT NULL,
  signed INTEGER NOT NULL, length_ms INTEGER NOT NULL, feed_key TEXT, added INTEGER NOT NULL) STRICT;
CREATE INDEX shows_account ON shows (account, begins, serial);
CREATE TABLE plays (account TEXT NOT NULL, item INTEGER NOT NULL, day TEXT NOT NULL, replay INTEGER NOT NULL,
  plays INTEGER NOT NULL, watchers INTEGER NOT NULL, watched_ms INTEGER NOT NULL, finished INTEGER NOT NULL,
  PRIMARY KEY (item, day, replay)) STRICT;
CREATE INDEX plays_day ON plays (account, day);
CREATE TABLE shelves (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, label TEXT NOT NULL) STRICT;
CREATE INDEX shelves_account ON shelves (account, serial);
CREATE TABLE rooms (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, handle TEXT NOT NULL, open_to TEXT NOT NULL) STRICT;
CREATE INDEX rooms_account ON rooms (account, serial);
CREATE TABLE posts (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, room INTEGER NOT NULL, author TEXT NOT NULL,
  words TEXT NOT NULL, goes_out INTEGER NOT NULL, added INTEGER NOT NULL) STRICT;
CREATE INDEX posts_room ON posts (room, serial);
CREATE TABLE coupons (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, code TEXT NOT NULL COLLATE NOCASE,
  off_kind TEXT NOT NULL, off_value INTEGER NOT NULL, covers TEXT NOT NULL, series INTEGER, uses_total INTEGER,
  uses_each INTEGER, until INTEGER, used INTEGER NOT NULL, added INTEGER NOT NULL, UNIQUE (account, code)) STRICT;
CREATE INDEX coupons_account ON coupons (account, serial);
CREATE TABLE members (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, name TEXT NOT NULL, mail TEXT NOT NULL,
  wants_mail INTEGER NOT NULL) STRICT;
CREATE INDEX members_account ON members (account, serial);
CREATE TABLE mails (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, about INTEGER NOT NULL, recipient TEXT NOT NULL,
  subject TEXT NOT NULL, words TEXT NOT NULL, due INTEGER NOT NULL) STRICT;
CREATE INDEX mails_account ON mails (account, serial);
`
