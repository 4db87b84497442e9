import { Type } from 'typebox'
import { fromDayFirst } from '../kit/dates.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { day } from '../kit/inputs.ts'
import { UnknownShape, rows, text } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { toSlashed } from './times.ts'
import { EmployeeId, fromPence } from './shared.ts'

/** Each report has its own columns, described in the answer. */
const ReportRow = Type.Unsafe<Readonly<Record<string, string | number>>>({
  type: 'object',
  patternProperties: { '^.+$': Type.Union([Type.String(), Type.Number()]) },
  additionalProperties: false,
  description: "By column: the app's titles in snake_case; ids are appointment_id, client_id, employee_id, service_id.",
})

const ids: Readonly<Record<string, string>> = {
  ticket: 'appointment_id',
  client: 'client_id',
  emp: 'employee_id',
  svc: 'service_id',
}

function columnName({ kind, ttl }: Fields): string {
  const snake = text(ttl)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_|_$/g, '')
  return ids[text(kind)] ?? snake
}

function cell(kind: unknown, value: unknown): unknown {
  if (kind === 'pence') return fromPence(value)
  return kind === 'day' ? fromDayFirst(value) : value
}

/** Cells follow the order of the columns. */
function named(columns: readonly Fields[], cells: unknown): Fields {
  const given: readonly unknown[] = Array.isArray(cells) ? cells : []
  const entries = columns.map((column, index): [string, unknown] => [
    columnName(column),
    cell(column['kind'], given[index]),
  ])
  if (given.length !== columns.length || new Set(entries.map(([name]) => name)).size < columns.length)
    throw new UnknownShape('cells that do not fit the columns')
  return Object.fromEntries(entries)
}

export const run_report = endpoint({
  summary: "Run one of the app's reports; a role without access to its category is refused or gets no rows.",
  aliases: [
    'sales report',
    'revenue report',
    'report of tips',
    'employee performance',
    'business numbers',
    'run a report',
    'how much did we take last month',
    'tips by groomer',
    'who worked the most',
  ],
  label: 'Run a report',
  brief: ['report', 'from', 'to', 'employee_id'],
  access: 'read',
  request: 'GET /cloud/data/rpt',
  input: {
    report: labelled(
      'Report',
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          "Its name exactly as in the app's Reports: Sales By Employee Category, Sales By Service, Daily Totals, Employee Booked Time, Voided Tickets (these take days), Client Balances, Pets By Breed (these take none).",
      }),
    ),
    from: labelled(
      'First day',
      Type.Optional(day('The first day, for reports with a range, which need it; others refuse it.')),
    ),
    to: labelled(
      'Last day',
      Type.Optional(day('The last day, included, 366 days at most; the same as from when left out.')),
    ),
    employee_id: EmployeeId(
      "Only this person's part, for reports by employee (others refuse it); everybody's when left out.",
    ),
  },
  output: { rows: Type.Array(ReportRow, { description: 'Empty, too, where your role may not see them.' }) },
  encode: ({ report, from, to, employee_id }) => ({
    query: { nm: report, f: toSlashed(from), t: toSlashed(to), emp: employee_id },
  }),
  decode: ({ cols, rows: lines }) => {
    if (!Array.isArray(lines)) throw new UnknownShape('not a list')
    return { rows: lines.map((cells: unknown) => named(rows(cols), cells)) }
  },
})
