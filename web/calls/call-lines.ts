import type { Context } from '../../core/context.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import { openError, openInput } from '../../core/calls/record.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import { actionOf, kindsOf } from '../parts/declared.ts'
import { cut, inOneLine } from '../parts/in-short.ts'
import { knownThingsByAccount } from '../parts/known-things.ts'
import { propertiesOf } from '../parts/schema.ts'
import { nothingKnown } from '../parts/things.ts'
import type { KnownThings } from '../parts/things.ts'
import { logUnopened } from '../../core/security-log.ts'

/** Columns that lists show. */
export type ListedRow = Pick<
  CallRow,
  | 'id'
  | 'owner'
  | 'app'
  | 'endpoint'
  | 'account'
  | 'account_label'
  | 'data_key'
  | 'status'
  | 'resolution'
  | 'created_at'
  | 'input'
  | 'error'
  | 'error_code'
>

/** A call as a list item. */
export interface CallLine {
  readonly row: ListedRow
  readonly action: string
  readonly appName: string
  /** One-line summary; undefined if the content was deleted. */
  readonly gist: string | undefined
  /** The app's own message when it refused. */
  readonly refusal: string | undefined
}

type Parts = Pick<Context, 'apps' | 'db' | 'secrets' | 'log' | 'security'>

/** `thingsOf`: pass it to read known entities once for several lists. */
export function callLines(
  ctx: Parts,
  rows: readonly ListedRow[],
  thingsOf = knownThingsByAccount(ctx),
): Promise<CallLine[]> {
  const lines = rows.map(async (row): Promise<CallLine> => {
    const app = ctx.apps.get(row.app)
    const endpoint = app?.endpoints.get(row.endpoint)
    return {
      row,
      action: actionOf(endpoint, row.endpoint),
      appName: app?.name ?? row.app,
      ...contentOf(ctx, row, endpoint, namesThings(endpoint) ? await thingsOf(row) : nothingKnown),
    }
  })
  return Promise.all(lines)
}

function namesThings(endpoint: Endpoint | undefined): boolean {
  const schemas = propertiesOf(endpoint?.inputSchema)
  return endpoint?.brief.some((name) => kindsOf(schemas[name]).length > 0) ?? false
}

function contentOf(
  ctx: Parts,
  row: ListedRow,
  endpoint: Endpoint | undefined,
  things: KnownThings,
): Pick<CallLine, 'gist' | 'refusal'> {
  try {
    const refusal = row.error_code === 'app_rejected' && row.error !== null ? openError(ctx, row)['app_message'] : null
    return {
      gist: row.input === null ? undefined : inOneLine(endpoint, openInput(ctx, row), things),
      refusal: typeof refusal === 'string' && refusal.trim() !== '' ? cut(refusal) : undefined,
    }
  } catch (error) {
    // Log it, but still show the other calls.
    logUnopened(ctx, { call: row.id }, error, 'a call of a list cannot be opened')
    return { gist: undefined, refusal: undefined }
  }
}
