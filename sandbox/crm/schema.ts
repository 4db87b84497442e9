/** Moments are Unix seconds, days `YYYY-MM-DD`, money minor units of its currency. */
export const schema = `
CREATE TABLE stages (id INTEGER PRIMARY KEY, account TEXT NOT NULL, label TEXT NOT NULL) STRICT;
CREATE INDEX stages_account ON stages (account);
CREATE TABLE people (id INTEGER PRIMARY KEY, account TEXT NOT NULL, name TEXT NOT NULL, folded TEXT NOT NULL,
  mail TEXT NOT NULL, mobile TEXT NOT NULL) STRICT;
CREATE INDEX people_account ON people (account, folded, id);
CREATE TABLE engagements (id INTEGER PRIMARY KEY, account TEXT NOT NULL, person INTEGER NOT NULL, headline TEXT NOT NULL,
  track TEXT NOT NULL, stage INTEGER NOT NULL, labels TEXT NOT NULL, event_on TEXT, zone TEXT NOT NULL,
  currency TEXT NOT NULL, memo TEXT NOT NULL, assignee TEXT NOT NULL, opened INTEGER NOT NULL) STRICT;
CREATE INDEX engagements_account ON engagements (account, id);
CREATE INDEX engagements_person ON engagements (person);
CREATE TABLE blueprints (id INTEGER PRIMARY KEY, account TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,
  prompts TEXT NOT NULL) STRICT;
CREATE INDEX blueprints_account ON blueprints (account);
CREATE TABLE papers (id INTEGER PRIMARY KEY, account TEXT NOT NULL, engagement INTEGER NOT NULL, kind TEXT NOT NULL,
  name TEXT NOT NULL, phase TEXT NOT NULL, prompts TEXT NOT NULL, replies TEXT NOT NULL, added INTEGER NOT NULL,
  sent INTEGER, revised INTEGER) STRICT;
CREATE INDEX papers_account ON papers (account, id);
CREATE INDEX papers_engagement ON papers (engagement);
CREATE TABLE packages (id INTEGER PRIMARY KEY, account TEXT NOT NULL, label TEXT NOT NULL, minor INTEGER NOT NULL,
  currency TEXT NOT NULL) STRICT;
CREATE INDEX packages_account ON packages (account);
CREATE TABLE bills (id INTEGER PRIMARY KEY, account TEXT NOT NULL, engagement INTEGER NOT NULL, currency TEXT NOT NULL,
  total INTEGER NOT NULL, received INTEGER NOT NULL, due_on TEXT, lines TEXT NOT NULL, plan TEXT NOT NULL,
  raised INTEGER NOT NULL, sent INTEGER) STRICT;
CREATE INDEX bills_account ON bills (account, id);
CREATE INDEX bills_engagement ON bills (engagement);
CREATE TABLE payments (id INTEGER PRIMARY KEY, account TEXT NOT NULL, bill INTEGER NOT NULL, minor INTEGER NOT NULL,
  method TEXT NOT NULL, received_on TEXT NOT NULL, remark TEXT NOT NULL) STRICT;
CREATE INDEX payments_bill ON payments (bill);
CREATE INDEX payments_account ON payments (account, id);
CREATE TABLE mails (id INTEGER PRIMARY KEY, account TEXT NOT NULL, recipient TEXT NOT NULL, subject TEXT NOT NULL,
  text TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
CREATE INDEX mails_account ON mails (account, id);
`
