import type { Context } from '../../core/context.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import { openFiles } from '../../core/files/files.ts'
import { openPayload, placeOf } from '../../core/calls/payload.ts'
import { logUnopened } from '../../core/security-log.ts'

/** The columns that an approval covers. */
const asked: readonly string[] = ['input', 'request', 'preview', 'files']
const columns = ['input', 'output', 'error', 'request', 'preview', 'why', 'original', 'decision_reason'] as const

interface OpenedCall {
  /** Without the columns that cannot be decrypted. */
  readonly row: CallRow
  /** Some columns cannot be decrypted: the account's key is gone, or the row was tampered with. */
  readonly locked: boolean
  /** All columns that an approval covers are readable, so the call can be decided. */
  readonly legible: boolean
}

/** A call as far as it can be decrypted; failures are logged and must not hide the rest. */
export function openedCall(ctx: Pick<Context, 'secrets' | 'log' | 'security'>, row: CallRow): OpenedCall {
  const shut: string[] = columns.filter((column) => !opens(ctx, row, column))
  if (!filesOpen(ctx, row)) shut.push('files')
  return {
    row: { ...row, ...Object.fromEntries(shut.map((column) => [column, null])) },
    locked: shut.length > 0,
    legible: row.input !== null && !shut.some((column) => asked.includes(column)),
  }
}

function opens(
  ctx: Pick<Context, 'secrets' | 'log' | 'security'>,
  row: CallRow,
  column: (typeof columns)[number],
): boolean {
  const sealed = row[column]
  if (sealed === null) return true
  try {
    openPayload(ctx.secrets, placeOf(row), column, sealed)
    return true
  } catch (error) {
    logUnopened(ctx, { call: row.id, column }, error, 'the content of a call cannot be opened')
    return false
  }
}

function filesOpen(ctx: Pick<Context, 'secrets' | 'log' | 'security'>, row: CallRow): boolean {
  try {
    openFiles(ctx, row)
    return true
  } catch (error) {
    logUnopened(ctx, { call: row.id }, error, 'the files of a call cannot be opened')
    return false
  }
}
