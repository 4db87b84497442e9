import type { SQLInputValue } from 'node:sqlite'
import { all } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { knownEmployee } from './catalog.ts'
import { daysBetween, slashed } from './clock.ts'
import { known, queryDay } from './input.ts'
import { idOf, needPets, salonOf, type Salon, type Thing } from './salon.ts'
import { forever } from './schema.ts'

/** What a column holds: a text, a day, a whole number, money in pence, or the id of a thing. */
type Kind = 'txt' | 'day' | 'cnt' | 'pence' | Thing

interface Column {
  k: string
  ttl: string
  kind: Kind
}

export interface Report {
  nm: string
  ctg: 'Sales' | 'Staff' | 'Clients' | 'Pets'
  /** Does it take days, does it take an employee? */
  range: boolean
  emp: boolean
  cols: Column[]
  /** Answers the columns by their `k`. ?1 account, ?2 `until` of what is good; with `range` ?3 first and ?4 last stamp; with `emp` ?5 employee or 0. */
  sql: string
}

const col = (k: string, ttl: string, kind: Kind = 'txt'): Column => ({ k, ttl, kind })

const ranged = `t.account = ?1 AND t.until = ?2 AND t.begins BETWEEN ?3 AND ?4`
const byEmployee = `${ranged} AND (?5 = 0 OR t.emp = ?5)`
const soldLines = `tickets t JOIN json_each(t.lines) l JOIN staff e ON e.serial = t.emp
  JOIN services s ON s.serial = l.value ->> 'svc' WHERE ${byEmployee} AND t.st = 'OUT'`

export const reports: readonly Report[] = [
  {
    nm: 'Sales By Employee Category',
    ctg: 'Sales',
    range: true,
    emp: true,
    cols: [col('emp', 'Employee'), col('ctg', 'Category'), col('qty', 'Services', 'cnt'), col('net', 'Sales', 'pence')],
    sql: `SELECT e.name AS emp, s.ctg AS ctg, count(*) AS qty, sum(l.value ->> 'pence') AS net
      FROM ${soldLines} GROUP BY e.serial, s.ctg ORDER BY e.serial, s.ctg`,
  },
  {
    nm: 'Sales By Service',
    ctg: 'Sales',
    range: true,
    emp: true,
    cols: [
      col('svc', 'Service id', 'svc'),
      col('ttl', 'Service'),
      col('qty', 'Sold', 'cnt'),
      col('net', 'Sales', 'pence'),
    ],
    sql: `SELECT s.serial AS svc, s.ttl AS ttl, count(*) AS qty, sum(l.value ->> 'pence') AS net
      FROM ${soldLines} GROUP BY s.serial ORDER BY s.serial`,
  },
  {
    nm: 'Daily Totals',
    ctg: 'Sales',
    range: true,
    emp: false,
    cols: [
      col('d', 'Day', 'day'),
      col('tkts', 'Tickets', 'cnt'),
      col('svcs', 'Services', 'pence'),
      col('prods', 'Products', 'pence'),
    ],
    sql: `SELECT substr(t.begins, 1, 10) AS d, count(*) AS tkts, sum((SELECT total(value ->> 'pence') FROM json_each(t.lines))) AS svcs,
      sum((SELECT total((value ->> 'pence') * (value ->> 'qty')) FROM json_each(t.prods))) AS prods
      FROM tickets t WHERE ${ranged} AND t.st = 'OUT' GROUP BY 1 ORDER BY 1`,
  },
  {
    nm: 'Employee Booked Time',
    ctg: 'Staff',
    range: true,
    emp: true,
    cols: [
      col('id', 'Employee id', 'emp'),
      col('emp', 'Employee'),
      col('tkts', 'Tickets', 'cnt'),
      col('mins', 'Minutes', 'cnt'),
    ],
    sql: `SELECT e.serial AS id, e.name AS emp, count(*) AS tkts, sum(t.mins) AS mins
      FROM tickets t JOIN staff e ON e.serial = t.emp
      WHERE ${byEmployee} AND t.st NOT IN ('VOI', 'NSH') GROUP BY e.serial ORDER BY e.serial`,
  },
  {
    nm: 'Voided Tickets',
    ctg: 'Staff',
    range: true,
    emp: true,
    cols: [
      col('tkt', 'Ticket', 'ticket'),
      col('d', 'Day', 'day'),
      col('cl', 'Client'),
      col('emp', 'Employee'),
      col('why', 'Reason'),
    ],
    sql: `SELECT t.serial AS tkt, substr(t.begins, 1, 10) AS d, c.name AS cl, e.name AS emp, t.why AS why
      FROM tickets t JOIN clients c ON c.serial = t.client
      JOIN staff e ON e.serial = t.emp WHERE ${byEmployee} AND t.st = 'VOI' ORDER BY t.begins, t.serial`,
  },
  {
    nm: 'Client Balances',
    ctg: 'Clients',
    range: false,
    emp: false,
    cols: [col('id', 'Client id', 'client'), col('cl', 'Client'), col('bal', 'Balance', 'pence')],
    sql: 'SELECT serial AS id, name AS cl, bal FROM clients WHERE account = ?1 AND bal <> 0 AND ?2 > 0 ORDER BY bal, serial',
  },
  {
    nm: 'Pets By Breed',
    ctg: 'Pets',
    range: false,
    emp: false,
    cols: [col('brd', 'Breed'), col('qty', 'Pets', 'cnt')],
    sql: 'SELECT breed AS brd, count(*) AS qty FROM pets WHERE account = ?1 AND ?2 > 0 GROUP BY breed ORDER BY qty DESC, brd',
  },
]

type Access = 'FULL' | 'BLANK' | 'NONE'

/** Roles below the owner see no sales, and staff reports without rows; groomers no clients' accounts either. */
export function accessTo({ ctg }: Report, { role }: Pick<Salon, 'role'>): Access {
  if (role === 'owner' || ctg === 'Pets') return 'FULL'
  if (ctg === 'Staff') return 'BLANK'
  return ctg === 'Clients' && role === 'desk' ? 'FULL' : 'NONE'
}

function readRange({ query }: SignedIn, { nm, range }: Report): SQLInputValue[] {
  if (!range) {
    const given = ['f', 't'].find((name) => query.has(name))
    if (given) throw new Refusal(422, 'RPT_HAS_NO_RANGE', `${nm} is as of now: it takes no days.`, given)
    return []
  }
  const from = queryDay(query, 'f')
  if (from === undefined) throw new Refusal(422, 'RPT_NEEDS_RANGE', `${nm} needs f, its first day.`, 'f')
  const to = queryDay(query, 't') ?? from
  if (to < from) throw new Refusal(400, 'SPAN_BACKWARDS', 't must not be before f.', 't')
  if (daysBetween(from, to) > 365) throw new Refusal(422, 'SPAN_TOO_LONG', '366 days at most.', 't')
  return [from, `${to} 24`]
}

function readEmployee({ db, query }: SignedIn, salon: Salon, { nm, emp }: Report): SQLInputValue[] {
  const id = query.get('emp')
  if (!emp) {
    if (id !== null) throw new Refusal(422, 'RPT_NOT_BY_EMP', `${nm} is not by employee.`, 'emp')
    return []
  }
  return [id === null ? 0 : knownEmployee(db, salon, id).serial]
}

type Cell = string | number

function cell(value: unknown, kind: Kind): Cell {
  if (typeof value === 'string') return kind === 'day' ? slashed(value) : value
  if (typeof value !== 'number') return ''
  return kind === 'cnt' || kind === 'pence' || kind === 'txt' || kind === 'day' ? value : idOf(kind, value)
}

/** Columns and rows of one report. `hid`: there are rows, but not for this role. */
export function runReport(request: SignedIn): { salon: Salon; report: Report; hid: boolean; rows: Cell[][] } {
  const { db, query } = request
  const salon = salonOf(request)
  known(query, 'nm', 'f', 't', 'emp')
  const report = reports.find(({ nm }) => nm === query.get('nm'))
  if (!report) throw new Refusal(404, 'RPT_NOT_FOUND', 'There is no report of this name.', 'nm')
  if (report.ctg === 'Pets') needPets(salon)
  const access = accessTo(report, salon)
  if (access === 'NONE') {
    throw new Refusal(403, 'ROLE_NOT_ALLOWED', `Your role ${salon.role} may not see ${report.ctg} reports.`)
  }
  const values = [salon.account, forever, ...readRange(request, report), ...readEmployee(request, salon, report)]
  if (access === 'BLANK') return { salon, report, hid: true, rows: [] }
  const found = all(db, report.sql, ...values)
  const rows = found.map((row) => report.cols.map(({ k, kind }) => cell(row[k], kind)))
  return { salon, report, hid: false, rows }
}
