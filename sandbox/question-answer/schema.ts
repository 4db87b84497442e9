/**
 * Times are Unix seconds. All numbers (`no`) of an account come from one sequence, `circles.last`, so that a number also says
 * what was there before what. Nothing is seen before its `live_at`.
 */
export const schema = `
CREATE TABLE circles (account TEXT PRIMARY KEY, last INTEGER NOT NULL) STRICT;
CREATE TABLE asks (no INTEGER PRIMARY KEY, account TEXT NOT NULL, key TEXT NOT NULL UNIQUE, wording TEXT NOT NULL,
  folded TEXT NOT NULL, writer TEXT NOT NULL, room INTEGER, live_at INTEGER NOT NULL) STRICT;
CREATE INDEX asks_account ON asks (account, live_at);
CREATE TABLE replies (no INTEGER PRIMARY KEY, account TEXT NOT NULL, ask INTEGER NOT NULL, writer TEXT NOT NULL,
  own INTEGER NOT NULL, text TEXT NOT NULL, thumbs INTEGER NOT NULL, live_at INTEGER NOT NULL) STRICT;
CREATE INDEX replies_ask ON replies (ask, live_at);
CREATE INDEX replies_own ON replies (account, own, live_at);
CREATE TABLE nudges (no INTEGER PRIMARY KEY, account TEXT NOT NULL, ask INTEGER NOT NULL, sender TEXT NOT NULL,
  sent INTEGER NOT NULL, gone INTEGER) STRICT;
CREATE INDEX nudges_account ON nudges (account, sent);
CREATE INDEX nudges_ask ON nudges (ask);
CREATE TABLE rooms (no INTEGER PRIMARY KEY, account TEXT NOT NULL, called TEXT NOT NULL, blurb TEXT NOT NULL, mine TEXT,
  takes INTEGER NOT NULL, slot INTEGER NOT NULL) STRICT;
CREATE INDEX rooms_account ON rooms (account, no);
CREATE TABLE figures (room INTEGER NOT NULL, day INTEGER NOT NULL, seen INTEGER NOT NULL, follows INTEGER NOT NULL,
  thumbs INTEGER NOT NULL, remarks INTEGER NOT NULL, bell_taps INTEGER NOT NULL, PRIMARY KEY (room, day)) STRICT;
CREATE TABLE posts (no INTEGER PRIMARY KEY, account TEXT NOT NULL, room INTEGER NOT NULL, kind TEXT NOT NULL,
  headline TEXT NOT NULL, text TEXT NOT NULL, writer TEXT NOT NULL, own INTEGER NOT NULL, target INTEGER,
  seen INTEGER NOT NULL, thumbs INTEGER NOT NULL, live_at INTEGER NOT NULL) STRICT;
CREATE INDEX posts_room ON posts (room, live_at);
CREATE TABLE entries (no INTEGER PRIMARY KEY, account TEXT NOT NULL, room INTEGER NOT NULL, kind TEXT NOT NULL,
  headline TEXT NOT NULL, text TEXT NOT NULL, writer TEXT NOT NULL, own INTEGER NOT NULL, ask INTEGER,
  handed_in INTEGER NOT NULL, stage TEXT NOT NULL, settled INTEGER, goes_live INTEGER) STRICT;
CREATE INDEX entries_room ON entries (room, stage, handed_in);
CREATE INDEX entries_own ON entries (account, own, handed_in);
CREATE TABLE thumbs (account TEXT NOT NULL, target INTEGER NOT NULL, PRIMARY KEY (account, target)) STRICT;
CREATE TABLE bells (no INTEGER PRIMARY KEY, account TEXT NOT NULL, recipient TEXT NOT NULL, words TEXT NOT NULL,
  path TEXT NOT NULL, sent INTEGER NOT NULL) STRICT;
CREATE INDEX bells_account ON bells (account, sent);
`
