import type { App, Endpoint } from '../../connectors/registry.ts'
import { needsNothing } from '../../connectors/runtime/rendered.ts'
import type { Rendered } from '../../connectors/runtime/rendered.ts'
import { isFinal } from '../../schemas/call.ts'
import type { SendOutcome } from '../../schemas/call.ts'
import type { Context } from '../context.ts'
import { failPoint } from '../fail-point.ts'
import { sleep } from '../sleep.ts'
import { defaultExpirySeconds } from '../calls/accept.ts'
import { lostRight } from '../temporal/failures.ts'
import { finalOutcome } from '../calls/evidence.ts'
import { returnProbe } from '../calls/blocks.ts'
import { freeRead } from '../calls/free-read.ts'
import type { ReadOutcome } from '../calls/free-read.ts'
import { keptError, openPayload, placeOf, sealPayload } from '../calls/payload.ts'
import type { SendRow } from '../calls/sending-rows.ts'
import { settleExchange } from '../calls/settle.ts'
import {
  chainedAgain,
  differs,
  lookUpsOf,
  mattersOf,
  mostPages,
  sameLine,
  settled,
  toldIn,
  untold,
} from './look-ups.ts'
import type { LookUp, Seen, Told } from './look-ups.ts'
import { askAgain } from './prepare-rows.ts'
import { withVersion } from './render.ts'

/** Age in ms up to which a preview needs no recheck before the send. */
const fresh = 60_000
/** Maximum approval requests per call. Source: contract, "Asked again". */
export const mostRounds = 3
/** Delay between two reads of a recheck, in ms, as apps count reads too. */
const pace = 500

export interface Approved {
  readonly app: App
  readonly endpoint: Endpoint
  readonly input: Readonly<Record<string, unknown>>
}

/**
 * Rechecks what the approver saw. Undefined: unchanged. Otherwise the outcome instead: approval is
 * requested again, the call waits, or it fails, as a call that cannot be rechecked cannot be sent
 * as approved. Nothing has been sent, and no send lease is taken.
 */
export async function changedSince(ctx: Context, row: SendRow, approved: Approved): Promise<SendOutcome | undefined> {
  if (row.preview === null || row.previewed_at === null || Date.now() - row.previewed_at.getTime() < fresh)
    return undefined
  const before = openPayload(ctx.secrets, placeOf(row), 'preview', row.preview) as Seen
  const { endpoint, app, input } = approved
  const named = lookUpsOf(endpoint, input).lookUps.flatMap((look) => {
    const ids = look.ids.filter((id) =>
      before.things.some((thing) => matters(endpoint, thing) && isOf(look, id, thing)),
    )
    return ids.length === 0 ? [] : [{ ...look, ids }]
  })
  const inTurn = before.things
    .filter((thing) => matters(endpoint, thing))
    .flatMap((thing) => chainedAgain(endpoint, thing) ?? [])
  const wanted = [...named, ...inTurn]
  const again = (thing: Told): boolean => wanted.some((look) => look.ids.some((id) => isOf(look, id, thing)))
  const things: Told[] = before.things.filter((thing) => !again(thing))
  for (const look of wanted) {
    const found = await lookedAt(ctx, row, app, look)
    if ('outcome' in found)
      return settleExchange(ctx, row, { outcome: found.outcome, session: null, sent: false }, true)
    things.push(...found.things)
  }
  const now: Seen = { ...before, things: settled(things) }
  failPoint('second-look.done')
  if (!differs(endpoint, before, now)) return undefined
  const preview = sealPayload(ctx.secrets, placeOf(row), 'preview', now)
  // Requests made from the app's pages are rendered again: an outdated one could only be refused.
  const isMadeAnew = !needsNothing(endpoint)
  return askedAgain(ctx, row, { request: isMadeAnew ? null : row.request, preview, prepare: isMadeAnew })
}

/** Whether any shown field of the item requires new approval if it changes. */
function matters(endpoint: Endpoint, thing: Told): boolean {
  return thing.values !== undefined && mattersOf(endpoint, thing).length > 0
}

function isOf({ preview: { of, read, at = '' } }: LookUp, id: string, thing: Told): boolean {
  return sameLine(thing, { of, read, at, id })
}

type Found =
  | { readonly things: readonly Told[] }
  | { readonly outcome: Exclude<ReadOutcome, { kind: 'ok' | 'rejected' | 'paused' | 'no_session' }> }

async function lookedAt(ctx: Context, row: SendRow, app: App, look: LookUp): Promise<Found> {
  const read = app.endpoints.get(look.preview.read)
  if (read === undefined) return { things: [] }
  const things: Told[] = []
  let cursor: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const input = cursor === undefined ? look.input : { ...look.input, cursor }
    const outcome = await twice(() => freeRead(ctx, row.account, { read, input }))
    if (outcome.kind === 'rejected') return { things: untold(look, look.ids, 'absent') }
    // An operator's pause of this read alone acts like a block; one of the app holds the call.
    if (outcome.kind === 'paused') return { outcome: { kind: 'blocked' } }
    if (outcome.kind === 'no_session') return { outcome: { kind: 'auth_expired' } }
    if (outcome.kind !== 'ok') return { outcome }
    things.push(
      ...toldIn({ ...look, ids: look.ids.filter((id) => !things.some((one) => one.id === id)) }, outcome.output),
    )
    const next = outcome.output['next_cursor']
    if (things.length === look.ids.length || typeof next !== 'string') break
    cursor = next
    await sleep(pace)
  }
  return {
    things: [
      ...things,
      ...untold(
        look,
        look.ids.filter((id) => !things.some((one) => one.id === id)),
        look.preview.conclusive === true ? 'absent' : 'not_found',
      ),
    ],
  }
}

/** Retries once: the failure may be transient. */
async function twice(read: () => Promise<ReadOutcome>): Promise<ReadOutcome> {
  const first = await read()
  if (!['app_error', 'timeout', 'lost', 'refused'].includes(first.kind)) return first
  await sleep(pace)
  return read()
}

/** The app changed what the request is made of: asks about the new one, with a new preview. */
export function requestChanged(
  ctx: Context,
  row: SendRow,
  { app, endpoint, input }: Approved,
  instead: Rendered,
): Promise<SendOutcome> {
  const request = sealPayload(ctx.secrets, placeOf(row), 'request', withVersion(app, endpoint, instead))
  const prepare = lookUpsOf(endpoint, input).lookUps.length > 0
  return askedAgain(ctx, row, { request, preview: row.preview, prepare })
}

/** The updated connector cannot send the call as approved: rerenders it and asks its user. */
export function notSentable(ctx: Context, row: SendRow): Promise<SendOutcome> {
  return askedAgain(ctx, row, { request: null, preview: null, prepare: true }, 'definition_changed')
}

/** Requests approval again. `code`: the error of the call after the last round. */
async function askedAgain(
  ctx: Context,
  row: SendRow,
  about: { readonly request: Buffer | null; readonly preview: Buffer | null; readonly prepare: boolean },
  code: 'changed_since' | 'definition_changed' = 'changed_since',
): Promise<SendOutcome> {
  if (row.paused_until !== null) await returnProbe(ctx.db, row)
  const stands = await askAgain(ctx.db, row, {
    ...about,
    mostRounds,
    expirySeconds: row.expiry_seconds ?? defaultExpirySeconds,
    end: keptError(ctx, row, code),
  })
  if (isFinal(stands)) return finalOutcome(ctx, row, stands)
  if (stands !== 'awaiting_confirmation') throw lostRight()
  return { kind: 'asked_again', attempt: row.attempt + 1 }
}
