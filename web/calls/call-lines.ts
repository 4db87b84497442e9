import type { Context } from '../../core/context.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import { openError, openInput } from '../../core/calls/record.ts'
import { inOneLine } from '../parts/in-short.ts'
import { labelOf } from '../parts/value.tsx'

/** A call as lists of calls tell it. */
export interface CallLine {
  readonly row: CallRow
  readonly action: string
  readonly appName: string
  /** The first of what it says; undefined where that is gone, or only identifiers. */
  readonly gist: string | undefined
  /** What the app itself said when it refused. */
  readonly refusal: string | undefined
}

export function callLines(ctx: Pick<Context, 'apps' | 'secrets' | 'log'>, rows: readonly CallRow[]): CallLine[] {
  return rows.map((row) => ({
    row,
    action: labelOf(row.endpoint),
    appName: ctx.apps.get(row.app)?.name ?? row.app,
    ...contentOf(ctx, row),
  }))
}

function contentOf(ctx: Pick<Context, 'secrets' | 'log'>, row: CallRow): Pick<CallLine, 'gist' | 'refusal'> {
  try {
    const refusal = row.error_code === 'app_rejected' && row.error !== null ? openError(ctx, row)['app_message'] : null
    return {
      gist: row.input === null ? undefined : inOneLine(openInput(ctx, row), 2),
      refusal: typeof refusal === 'string' ? inOneLine({ label: refusal }, 1) : undefined,
    }
  } catch (error) {
    // One that cannot be opened is a fault to look into, and no reason to hide the others.
    ctx.log.error({ call: row.id, err: error }, 'a call of a list cannot be opened')
    return { gist: undefined, refusal: undefined }
  }
}
