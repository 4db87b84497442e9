/** Times are Unix seconds; money is in hundredths of the currency. */
export const schema = `
CREATE TABLE ads (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, headline TEXT NOT NULL, deal TEXT NOT NULL,
  phase TEXT NOT NULL, cents INTEGER NOT NULL, currency TEXT NOT NULL, built REAL NOT NULL, rooms INTEGER NOT NULL,
  baths INTEGER NOT NULL, perks TEXT NOT NULL, blurb TEXT NOT NULL, pictures INTEGER NOT NULL, score INTEGER NOT NULL,
  city TEXT NOT NULL, zone TEXT NOT NULL, closed INTEGER NOT NULL, created INTEGER NOT NULL, changed INTEGER NOT NULL) STRICT;
CREATE INDEX ads_account ON ads (account, serial);
CREATE TABLE threads (id INTEGER PRIMARY KEY, account TEXT NOT NULL, ad INTEGER NOT NULL, name TEXT NOT NULL,
  email TEXT NOT NULL, phone TEXT NOT NULL, box TEXT NOT NULL, fresh INTEGER NOT NULL, created INTEGER NOT NULL) STRICT;
CREATE INDEX threads_account ON threads (account);
CREATE INDEX threads_ad ON threads (ad);
CREATE TABLE lines (id INTEGER PRIMARY KEY, account TEXT NOT NULL, thread INTEGER NOT NULL, dir TEXT NOT NULL, author TEXT NOT NULL,
  text TEXT NOT NULL, ads TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
CREATE INDEX lines_thread ON lines (thread, id);
CREATE TABLE memos (id INTEGER PRIMARY KEY, thread INTEGER NOT NULL, author TEXT NOT NULL, text TEXT NOT NULL,
  at INTEGER NOT NULL) STRICT;
CREATE INDEX memos_thread ON memos (thread);
CREATE TABLE wanted (id INTEGER PRIMARY KEY, account TEXT NOT NULL, thread INTEGER NOT NULL, deal TEXT NOT NULL,
  area TEXT NOT NULL, cents INTEGER NOT NULL, currency TEXT NOT NULL, rooms INTEGER NOT NULL) STRICT;
CREATE INDEX wanted_account ON wanted (account, id);
`
