/**
 * Times are what clocks in the salon's zone show, `YYYY-MM-DD HH:MM`; money is in hundredths of the salon's currency.
 * Tickets and waiting-list entries are kept in versions: one is good from its `since` to before its `until`, counted in
 * `salons.rev`, which every write of the account raises.
 */
export const schema = `
CREATE TABLE salons (account TEXT PRIMARY KEY, zone TEXT NOT NULL, cur TEXT NOT NULL, rev INTEGER NOT NULL) STRICT;
CREATE TABLE staff (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, name TEXT NOT NULL, active INTEGER NOT NULL,
  skills TEXT NOT NULL) STRICT;
CREATE INDEX staff_account ON staff (account, serial);
CREATE TABLE services (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, ttl TEXT NOT NULL, ctg TEXT NOT NULL,
  mins INTEGER NOT NULL, pence INTEGER NOT NULL) STRICT;
CREATE INDEX services_account ON services (account, serial);
CREATE TABLE clients (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, name TEXT NOT NULL, mail TEXT NOT NULL,
  mob TEXT NOT NULL, cnf TEXT NOT NULL, bal INTEGER NOT NULL, nts TEXT NOT NULL) STRICT;
CREATE INDEX clients_account ON clients (account, serial);
CREATE TABLE pets (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, client INTEGER NOT NULL, name TEXT NOT NULL,
  breed TEXT NOT NULL, gen TEXT NOT NULL, grm TEXT NOT NULL, prs TEXT NOT NULL, med TEXT NOT NULL) STRICT;
CREATE INDEX pets_account ON pets (account, client, serial);
CREATE TABLE shots (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, pet INTEGER NOT NULL, vx TEXT NOT NULL,
  expires TEXT NOT NULL, since INTEGER NOT NULL) STRICT;
CREATE INDEX shots_account ON shots (account, pet, vx);
CREATE TABLE tickets (serial INTEGER NOT NULL, since INTEGER NOT NULL, until INTEGER NOT NULL, account TEXT NOT NULL,
  client INTEGER NOT NULL, pet INTEGER, emp INTEGER NOT NULL, begins TEXT NOT NULL, mins INTEGER NOT NULL, st TEXT NOT NULL,
  nts TEXT NOT NULL, cnf TEXT NOT NULL, dep INTEGER NOT NULL, why TEXT, lines TEXT NOT NULL, prods TEXT NOT NULL,
  pays TEXT NOT NULL, PRIMARY KEY (serial, since)) STRICT;
CREATE INDEX tickets_account ON tickets (account, begins, serial);
CREATE INDEX tickets_client ON tickets (client, begins);
CREATE INDEX tickets_pet ON tickets (pet, begins);
CREATE TABLE ticket_log (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, ticket INTEGER NOT NULL, at TEXT NOT NULL,
  who TEXT NOT NULL, st TEXT NOT NULL) STRICT;
CREATE INDEX ticket_log_ticket ON ticket_log (ticket, serial);
CREATE INDEX ticket_log_account ON ticket_log (account, serial);
CREATE TABLE waits (serial INTEGER NOT NULL, since INTEGER NOT NULL, until INTEGER NOT NULL, account TEXT NOT NULL,
  client INTEGER NOT NULL, pet INTEGER, emp INTEGER, svcs TEXT NOT NULL, pref TEXT NOT NULL, nts TEXT NOT NULL,
  PRIMARY KEY (serial, since)) STRICT;
CREATE INDEX waits_account ON waits (account, serial);
CREATE TABLE messages (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, ticket INTEGER NOT NULL, kind TEXT NOT NULL,
  way TEXT NOT NULL, recipient TEXT NOT NULL, words TEXT NOT NULL, at TEXT NOT NULL) STRICT;
CREATE INDEX messages_account ON messages (account, serial);
CREATE INDEX messages_ticket ON messages (ticket, serial);
`

/** `until` of what is good still. */
export const forever = 1_000_000_000
