import type { App } from '../../connectors/registry.ts'
import { callProblem } from '../keys/access.ts'
import { freeRead } from '../calls/free-read.ts'
import type { ReadOutcome } from '../calls/free-read.ts'
import type { CallRow } from '../calls/rows.ts'
import type { Context } from '../context.ts'
import type { ErrorFields } from '../../schemas/errors.ts'
import { chainedIn, isCut, mostPages, sameLine, settled, toldIn, unmet, untold } from './look-ups.ts'
import type { LookUp, LookUpProblem, Must, Told } from './look-ups.ts'

/** Progress of a preview: the next read, the page within a list, and the items found so far. */
export interface LookingUp {
  /** True: steps count in the current order of `lookUpsOf`; unset by an earlier release. */
  readonly urgentFirst?: boolean
  readonly step: number
  readonly page: number
  readonly cursor: string | null
  readonly things: readonly Told[]
  /** Follow-up previews of entities that previewed entities refer to. */
  readonly chained: readonly LookUp[]
}

/** Maximum number of follow-up previews. */
const mostChained = 8

type Looked =
  /** `wants`: the user must sign in to the app first, so the remaining reads are skipped. */
  | { readonly so: LookingUp; readonly wants?: 'reconnect' }
  /** The app would certainly refuse the write, so no approval is requested. */
  | { readonly refused: Refused }

/** `message`: replaces the default, which says that the app refused. */
interface Refused {
  readonly fields: ErrorFields
  readonly message?: string
}

type Call = Pick<CallRow, 'id' | 'owner' | 'key_id' | 'app' | 'account'>

interface Where {
  readonly app: App
  readonly lookUps: readonly LookUp[]
  readonly so: LookingUp
}

/** Makes the next preview read. */
export async function lookNext(ctx: Context, row: Call, { app, lookUps, so }: Where): Promise<Looked> {
  const look = [...lookUps, ...so.chained][so.step]
  const read = look && app.endpoints.get(look.preview.read)
  if (look === undefined || read === undefined) return { so: { ...so, step: so.step + 1 } }
  const left = { ...look, ids: look.ids.filter((id) => !isTold(look, so.things, id)) }
  if (left.ids.length === 0) return { so: { ...so, step: so.step + 1, page: 0, cursor: null } }
  const asked = so.cursor === null ? look.input : { ...look.input, cursor: so.cursor }
  const outcome = await freeRead(ctx, row.account, { read, input: asked })
  if (outcome.kind === 'ok') {
    const told = toldIn(left, outcome.output)
    const things = settled([...so.things, ...told])
    const chained = [...so.chained, ...chainedIn(left, outcome.output)].slice(0, mostChained)
    const { step } = so
    const wrong = unmet(left, outcome.output)
    if (wrong && (await decides(ctx, row, look))) return { refused: notReady(app, look, wrong) }
    const next = outcome.output['next_cursor']
    if (told.length === left.ids.length)
      return { so: { ...so, step: step + 1, page: 0, cursor: null, things, chained } }
    if (typeof next === 'string' && so.page + 1 < mostPages)
      return { so: { ...so, page: so.page + 1, cursor: next, things, chained } }
    const missing = { ...left, ids: left.ids.filter((id) => !told.some((one) => one.id === id)) }
    // Lists may be cut or filtered: only one declared conclusive proves absence.
    const whole = !isCut(look, outcome.output) && look.preview.conclusive === true
    if (whole && (await decides(ctx, row, look))) return { refused: notFound(app, look) }
    return { so: without({ ...so, things, chained }, missing, whole ? 'absent' : 'not_found') }
  }
  // A list read that takes nothing from the input may be refused for unrelated reasons.
  const { by, from = {} } = look.preview
  const isAbout = by !== undefined || Object.keys(from).length > 0
  if (outcome.kind === 'rejected' && isAbout && (await decides(ctx, row, look)))
    return { refused: { fields: { app_code: outcome.appCode, app_message: outcome.appMessage } } }
  const problem = problemOf(outcome)
  return {
    so: without(so, left, problem),
    ...(problem === 'reconnect' && { wants: 'reconnect' as const }),
  }
}

/**
 * Whether this read may end the call: it is declared conclusive, and the key may make it itself.
 * Otherwise a key could learn whether an entity exists that it may not read.
 */
async function decides(ctx: Context, row: Call, { preview }: LookUp): Promise<boolean> {
  if (preview.conclusive !== true) return false
  const { key_id: keyId, owner, app } = row
  return (await callProblem(ctx.db, { keyId, owner, app, endpoint: preview.read, access: 'read' })) === null
}

/** A refusal by Callgate itself, based on the preview, before any approval or write. */
function ownRefusal(app_code: 'NOT_FOUND' | 'NOT_READY', app_message: string): Refused {
  return {
    fields: { app_code, app_message },
    message: `Callgate refused this itself, after a read of the app, and asked nobody: ${app_message} Change the input accordingly.`,
  }
}

function notFound(app: App, { preview: { of, read } }: LookUp): Refused {
  return ownRefusal('NOT_FOUND', `${app.name} has no such ${of}: ${read} does not show it.`)
}

function notReady(
  app: App,
  { preview }: LookUp,
  { field, value, values, isMeant }: Must & { value: unknown },
): Refused {
  const listed = values.map((one) => JSON.stringify(one)).join(' or ')
  const shown = JSON.stringify(value ?? null).slice(0, 200)
  const wanted = isMeant ? `it must be ${listed}` : `it must not be ${listed}`
  return ownRefusal('NOT_READY', `In ${app.name} the ${field} of ${preview.of} is ${shown}; for this ${wanted}.`)
}

function without(so: LookingUp, look: LookUp, problem: LookUpProblem): LookingUp {
  return {
    ...so,
    step: so.step + 1,
    page: 0,
    cursor: null,
    things: settled([...so.things, ...untold(look, look.ids, problem)]),
  }
}

function isTold({ preview: { of, read, at = '' } }: LookUp, things: readonly Told[], id: string): boolean {
  return things.some((one) => one.values !== undefined && sameLine(one, { of, read, at, id }))
}

function problemOf({ kind }: ReadOutcome): LookUpProblem {
  switch (kind) {
    case 'rejected':
      return 'absent'
    case 'auth_expired':
    case 'captcha':
    case 'mfa':
    case 'no_session':
      return 'reconnect'
    case 'blocked':
    case 'rate_limited':
    case 'paused':
      return 'blocked'
    case 'ok':
    case 'changed':
    case 'app_error':
    case 'fenced':
    case 'lost':
    case 'refused':
    case 'timeout':
      return 'failed'
  }
}
