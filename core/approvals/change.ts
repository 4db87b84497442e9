import type { App, Endpoint } from '../../connectors/registry.ts'
import { audit } from '../audit.ts'
import { canonicalJson } from '../canonical-json.ts'
import { placeOf, sealPayload } from '../calls/payload.ts'
import type { Column } from '../calls/payload.ts'
import { openInput, openOriginal } from '../calls/record.ts'
import type { CallRow } from '../calls/rows.ts'
import type { Context } from '../context.ts'
import { transaction } from '../database/pool.ts'
import { replaceFiles, sealFile } from '../files/files.ts'
import type { FetchedFile } from '../files/fetch.ts'
import { nudgeCall } from '../temporal/call-runs.ts'
import { differences, jsonPath } from './differences.ts'
import { lookUpsOf } from './look-ups.ts'
import { renderNow } from './render.ts'
import { onShown } from './shown.ts'
import type { ShownCall } from './shown.ts'

type Input = Readonly<Record<string, unknown>>

/**
 * Edits a waiting call's input before its decision. It approves nothing: the call is rendered and
 * previewed again, with a new hash. The agent's original input is kept. 'stale': another hash,
 * already decided, or expired.
 */
export async function changeCall(ctx: Context, wanted: WantedChange): Promise<'changed' | 'same' | 'stale'> {
  const result = await onShown(ctx, wanted, async (row) => {
    if (canonicalJson(openInput(ctx, row)) === canonicalJson(wanted.input)) return 'same'
    return (await writeChange(ctx, row, wanted)) ? 'changed' : 'lost'
  })
  if (result === 'changed') await nudgeCall(ctx, wanted.callId)
  return result
}

interface WantedChange extends ShownCall {
  readonly app: App
  readonly endpoint: Endpoint
  /** As the endpoint's parseInput returned it. */
  readonly input: Input
  /** The files that the input names. */
  readonly files: readonly FetchedFile[]
}

async function writeChange(
  ctx: Context,
  row: CallRow,
  { app, endpoint, input, files }: WantedChange,
): Promise<boolean> {
  const asked = openOriginal(ctx, row) ?? openInput(ctx, row)
  const request = await renderNow(ctx, {
    app,
    account: row.account,
    origin: row.account_origin,
    endpoint,
    input,
    files: files.map(({ file }) => file),
  })
  const prepares = request === undefined || lookUpsOf(endpoint, input).lookUps.length > 0
  const paths = differences(asked, input).map(({ place }) => jsonPath(place))
  const sealed = (column: Column, value: unknown) => sealPayload(ctx.secrets, placeOf(row), column, value)
  return transaction(ctx.db, async (db) => {
    const { rowCount } = await db.query(
      `UPDATE calls SET input = $3, original = $4, changed = $5, request = $6, preview = NULL, previewed_at = NULL, look_up = NULL,
         prepare_at = CASE WHEN $7 THEN clock_timestamp() END, prepare_tries = 0, waiting_for = NULL, revision = revision + 1,
         check_at = clock_timestamp() + interval '2 seconds', updated_at = clock_timestamp()
       WHERE id = $1 AND status = 'awaiting_confirmation' AND revision = $2 AND expires_at > clock_timestamp()`,
      [
        row.id,
        row.revision,
        sealed('input', input),
        paths.length === 0 ? null : sealed('original', asked),
        paths.length === 0 ? null : paths,
        request === undefined ? null : sealed('request', request),
        prepares,
      ],
    )
    if (rowCount !== 1) return false
    if (files.length > 0 || row.files !== null)
      await replaceFiles(
        db,
        row.id,
        files.map((one) => sealFile(ctx, placeOf(row), one)),
      )
    await audit(db, row.owner, 'call.changed', { call: row.id, changed: paths })
    return true
  })
}
