import { isRecord } from '../platform/body.ts'
import type { BillLine } from './entities.ts'
import { invalid, readLine } from './input.ts'
import { centsOf } from './money.ts'

function readBillLine(value: unknown): BillLine {
  if (!isRecord(value)) throw invalid('LINE_INVALID', 'A line is { "label", "qty", "each" }.', 'lines')
  for (const name of Object.keys(value)) {
    if (!['label', 'qty', 'each'].includes(name)) throw invalid('FIELD_UNKNOWN', `Lines have no ${name}.`, name)
  }
  const { label, qty = 1, each } = value
  if (typeof qty !== 'number' || !Number.isInteger(qty) || qty < 1 || qty > 1000) {
    throw invalid('QTY_INVALID', 'qty must be a whole number from 1 to 1000.', 'lines')
  }
  const cents = typeof each === 'string' ? centsOf(each) : undefined
  if (cents === undefined) throw invalid('AMOUNT_INVALID', 'each must be an amount such as 1250,00.', 'lines')
  return { label: readLine(label, 'label', 200), qty, cents }
}

/** What a bill is for: 1 to 50 lines whose sum is above nothing and at most ten million. */
export function readLines(value: unknown): { lines: BillLine[]; cents: number } {
  if (!Array.isArray(value) || value.length === 0) throw invalid('LINES_REQUIRED', 'A bill needs lines.', 'lines')
  if (value.length > 50) throw invalid('TOO_MANY_LINES', 'A bill has 50 lines at most.', 'lines')
  const lines = value.map(readBillLine)
  const cents = lines.reduce((sum, line) => sum + line.qty * line.cents, 0)
  if (cents === 0) throw invalid('SUM_ZERO', 'The sum of a bill must be above 0,00.', 'lines')
  if (cents > 1_000_000_000) throw invalid('SUM_TOO_HIGH', 'The sum of a bill is 10000000,00 at most.', 'lines')
  return { lines, cents }
}
