import type { App } from '../../connectors/registry.ts'
import { callProblem } from '../keys/access.ts'
import { freeRead } from '../calls/free-read.ts'
import type { ReadOutcome } from '../calls/free-read.ts'
import type { CallRow } from '../calls/rows.ts'
import type { Context } from '../context.ts'
import { chainedIn, mostPages, sameLine, settled, toldIn, unmet, untold } from './look-ups.ts'
import type { LookUp, LookUpProblem, Told } from './look-ups.ts'

/** A look-up that is under way: the read that is next, of a list the page, and what was told so far. */
export interface LookingUp {
  readonly step: number
  readonly page: number
  readonly cursor: string | null
  readonly things: readonly Told[]
  /** Looked up after those that the input names: what the things themselves name. */
  readonly chained: readonly LookUp[]
}

/** So many things are looked up in turn. */
const mostChained = 8

type Looked =
  /** `wants`: the person must sign in to the app first, so the rest is not asked for. */
  | { readonly so: LookingUp; readonly wants?: 'reconnect' }
  /** The write would surely be refused: nobody need be asked. */
  | { readonly refused: { readonly app_code: string; readonly app_message: string } }

type Call = Pick<CallRow, 'id' | 'owner' | 'key_id' | 'app' | 'account'>

interface Where {
  readonly app: App
  readonly lookUps: readonly LookUp[]
  readonly so: LookingUp
}

/** Makes the next read. */
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
    const wrong = look.preview.needs && unmet(left, outcome.output)
    if (wrong && (await decides(ctx, row, look)))
      return { refused: { app_code: 'NOT_READY', app_message: notReady(app, look, wrong) } }
    const next = outcome.output['next_cursor']
    if (told.length === left.ids.length) return { so: { step: step + 1, page: 0, cursor: null, things, chained } }
    if (typeof next === 'string' && so.page + 1 < mostPages)
      return { so: { step, page: so.page + 1, cursor: next, things, chained } }
    const missing = { ...left, ids: left.ids.filter((id) => !told.some((one) => one.id === id)) }
    // A list may be cut or filtered: only one that is declared to hold all such things says that there is none.
    const whole = typeof next !== 'string' && look.preview.conclusive === true
    if (whole && (await decides(ctx, row, look)))
      return { refused: { app_code: 'NOT_FOUND', app_message: `${app.name} has no such thing: ${look.preview.of}.` } }
    return { so: without({ ...so, things, chained }, missing, whole ? 'absent' : 'not_found') }
  }
  if (outcome.kind === 'rejected' && look.preview.by !== undefined && (await decides(ctx, row, look)))
    return { refused: { app_code: outcome.appCode, app_message: outcome.appMessage } }
  const problem = problemOf(outcome)
  return {
    so: without(so, left, problem),
    ...(problem === 'reconnect' && { wants: 'reconnect' as const }),
  }
}

/**
 * Whether this read may end the call: it is declared conclusive, and the key may make it itself. A key that may not is told the same whether
 * there is such a thing or not.
 */
async function decides(ctx: Context, row: Call, { preview }: LookUp): Promise<boolean> {
  if (preview.conclusive !== true) return false
  const { key_id: keyId, owner, app } = row
  return (await callProblem(ctx.db, { keyId, owner, app, endpoint: preview.read, access: 'read' })) === null
}

function notReady(
  app: App,
  { preview }: LookUp,
  { field, value }: { readonly field: string; readonly value: unknown },
): string {
  const wanted = (preview.needs?.[field] ?? []).map((one) => JSON.stringify(one)).join(' or ')
  return `In ${app.name} the ${field} of ${preview.of} is ${JSON.stringify(value ?? null)}; for this it must be ${wanted}.`
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
