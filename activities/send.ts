import { ApplicationFailure, Context as Activity } from '@temporalio/activity'
import type { Exchange, ExchangeOptions } from '../connectors/runtime/exchange.ts'
import { exchange } from '../connectors/runtime/threads/exchange-threads.ts'
import type { App, Endpoint } from '../connectors/registry.ts'
import type { Site } from '../connectors/runtime/site.ts'
import { isFinal } from '../schemas/call.ts'
import type { SendJob, SendOutcome } from '../schemas/call.ts'
import type { AppSession } from '../schemas/session.ts'
import { assertOwnTry, notOwnRun } from '../core/temporal/own-run.ts'
import type { Context } from '../core/context.ts'
import { inSession, keepCookies, readyToWrite } from '../core/accounts/in-session.ts'
import { usableSession } from '../core/accounts/sessions.ts'
import type { InSession } from '../core/accounts/renewal.ts'
import { siteOf } from '../core/accounts/site.ts'
import { derivedKey } from '../core/secrets/crypto.ts'
import { whileAway } from '../core/database/failures.ts'
import { retry } from '../core/retry.ts'
import { letGo } from '../core/calls/recovery-rows.ts'
import type { Sender } from '../core/calls/sender-lock.ts'
import { accountOf, loadForSend, takeRightToSend } from '../core/calls/sending-rows.ts'
import type { SendRow } from '../core/calls/sending-rows.ts'
import { evidence, finalOutcome } from '../core/calls/evidence.ts'
import { failPoint, failPointUnanswered } from '../core/fail-point.ts'
import { whyNotToSend } from '../core/calls/guards.ts'
import { holdIfPaused } from '../core/calls/operator-pause.ts'
import { internalFailure, lostRight, unknownCall } from '../core/temporal/failures.ts'
import { appQueue } from '../core/temporal/task-queues.ts'
import { openInput } from '../core/calls/record.ts'
import { keepTry, tryOf } from '../core/connectors/tries.ts'
import { lookAtOnce } from '../core/calls/look-at-once.ts'
import { fail, settleExchange } from '../core/calls/settle.ts'
import { openPayload, placeOf } from '../core/calls/payload.ts'
import { openContents, openFiles, sealedContents } from '../core/files/files.ts'
import { isOfOtherVersion, isStillSentSo, mayLeave } from '../core/approvals/render.ts'
import { changedSince, notSentable, requestChanged } from '../core/approvals/second-look.ts'
import { traced } from '../core/tracing.ts'
import type { WorkerMetrics } from './metrics.ts'
import type { Outcome } from '../connectors/runtime/outcome.ts'
import type { Rendered } from '../connectors/runtime/rendered.ts'
import { logUnopened } from '../core/security-log.ts'

/** Reads get this many tries if the app fails or does not answer; a write has one. */
export const readTries = 3
/** Postgres outage that an attempt waits out (ms): with the app's 15 s, below the 90 s timeout. */
const longestDatabaseAway = 60_000

/** Sends a call's request, at most once per attempt of a write, and settles the outcome. */
export function sendActivities(ctx: Context, self: Sender, metrics: WorkerMetrics, leaving: AbortSignal) {
  return {
    async send(job: SendJob): Promise<SendOutcome> {
      assertOwnTry(ctx, job)
      const activity = Activity.current()
      const number = self.nextTry()
      let lastWord: string | undefined
      const say = (word: string): void => {
        lastWord = word
        activity.heartbeat(lastWord)
      }
      const beat = setInterval(() => activity.heartbeat(lastWord), 1_000)
      try {
        const outcome = await send({ ctx, number, alive: self.alive, metrics, leaving, say }, job)
        failPoint('send.before-report')
        return outcome
      } catch (error) {
        await letGoOf(ctx, job.callId, number)
        const failure = asFailure(ctx, job, error)
        if (lastWord === undefined) throw failure
        const { message, type, nonRetryable } = failure
        throw ApplicationFailure.create({
          message,
          type: type ?? 'internal',
          nonRetryable: nonRetryable === true,
          details: [lastWord],
        })
      } finally {
        clearInterval(beat)
      }
    },
  }
}

/** Otherwise recovery waits as long as an attempt may take, as it does while Postgres is down. */
async function letGoOf(ctx: Context, callId: string, number: number): Promise<void> {
  try {
    await letGo(ctx.db, callId, number)
  } catch (error) {
    ctx.log.warn({ call: callId, err: error }, 'the end of a try could not be noted')
  }
}

/** The cause may quote a statement or an answer: log it here, never put it in the history. */
function asFailure(ctx: Context, job: SendJob, error: unknown): ApplicationFailure {
  if (error instanceof ApplicationFailure) return error
  logUnopened(ctx, { call: job.callId }, error, 'sending failed inside Callgate')
  return internalFailure()
}

export type SendActivities = ReturnType<typeof sendActivities>

interface Try extends Pick<Sender, 'alive'> {
  readonly ctx: Context
  /** Number that identifies it in the rows. */
  readonly number: number
  readonly metrics: WorkerMetrics
  /** Aborted: the process is stopping. It finishes what it began and skips optional work. */
  readonly leaving: AbortSignal
  /** Heartbeats evidence of what it is about to do, or has begun. */
  readonly say: (word: string) => void
  /** Outcome of the app's answer, once there is one. */
  answer?: string
}

async function send(trying: Try, job: SendJob): Promise<SendOutcome> {
  const { ctx } = trying
  const began = performance.now()
  const until = Date.now() + longestDatabaseAway
  const row = await retry(() => loadForSend(ctx.db, job.callId), whileAway(until))
  if (row === undefined) throw unknownCall()
  if (Activity.current().info.taskQueue !== appQueue(row.app)) throw notOwnRun(ctx)
  if (isFinal(row.status)) return finalOutcome(ctx, row, row.status)
  if (row.status !== 'running' || row.attempt !== job.attempt || !mayBeTried(row)) throw lostRight()

  const { app, endpoint, attempt } = row
  const attributes = { 'callgate.call': row.id, 'callgate.app': app, 'callgate.endpoint': endpoint }
  const outcome = await traced('send', { parent: job.traceparent, attributes }, async (span) => {
    const came = await sendOpen(trying, row, until)
    span.setAttributes({ 'callgate.attempt': attempt, 'callgate.answer': trying.answer ?? 'none' })
    return came
  })
  const cameTo = outcome.kind === 'final' ? outcome.status : outcome.kind
  const ms = Math.round(performance.now() - began)
  const line = { call: row.id, app, endpoint, attempt, outcome: cameTo, answer: trying.answer, ms }
  ctx.log.info(line, outcome.kind === 'final' ? 'a call has ended' : 'a call goes on')
  if (outcome.kind === 'final') trying.metrics.ended(row, outcome.status)
  return outcome
}

async function sendOpen(self: Try, row: SendRow, until: number): Promise<SendOutcome> {
  const retries = whileAway(until)
  const { ctx, number, alive, metrics, leaving, say } = self
  const stopped = await retry(() => whyNotToSend(ctx, row), retries)
  if (stopped !== undefined) return stopped

  const { app, endpoint, site } = definitionOf(ctx, row)
  const contents = await retry(() => sealedContents(ctx, row), retries)
  const sealed = openSealed(ctx, row, contents)
  if (sealed === undefined) return retry(() => fail(ctx, row, 'internal'), retries)
  const place = { app, site, account: accountOf(row) }
  const session = await retry(() => usableSession(ctx, { ...place.account, session: row.session }), retries)
  if (session === undefined)
    return settleExchange(ctx, row, { outcome: { kind: 'auth_expired' }, session: null, sent: false }, true)
  const isOther = row.confirm && isOfOtherVersion(app, sealed.request)
  if (isOther && sealed.request && !isStillSentSo(endpoint, site, sealed.request)) return notSentable(ctx, row)
  if (sealed.request && !mayLeave(site, endpoint, sealed.request))
    return isOther ? notSentable(ctx, row) : retry(() => fail(ctx, row, 'definition_changed'), retries)
  const changed = row.confirm ? await changedSince(ctx, row, { app, endpoint, input: sealed.input }) : undefined
  if (changed !== undefined) return changed
  const writes = endpoint.access === 'write'
  const asking = performance.now()
  const noteAsked = (outcome: Outcome): void => {
    self.answer = metrics.asked(row, outcome, (performance.now() - asking) / 1_000)
  }
  const ready = writes ? await readyToWrite(ctx, place, session) : { ...place, session }
  if ('outcome' in ready) noteAsked(ready.outcome)
  if ('outcome' in ready) return settleExchange(ctx, row, { outcome: ready.outcome, session: null, sent: false }, true)
  if (row.access === 'write' && row.confirm) say(evidence(ctx, 'approved', row))
  await alive()
  const began = new Date()
  const trying = await retry(() => tryOf(ctx.db, app, row), retries)
  const cursorKey = derivedKey(ctx.secrets, 'cursor')
  const talk = (session: AppSession): Promise<Exchange> => {
    trying?.recorder.forget()
    return exchange({
      endpoint,
      ...sealed,
      session,
      account: row.account,
      ...site,
      cursorKey,
      ...(trying && { send: trying.recorder.send }),
      fence: async () => {
        const taken = await takeRight(ctx, row, number)
        if (taken) say(evidence(ctx, 'begun', row))
        return taken
      },
    })
  }
  const [current, talked] = await Promise.all([
    // A read needs no fence, as it changes nothing: its start is recorded in parallel.
    writes || retry(() => takeRight(ctx, row, number), retries),
    writes ? once(ready, talk) : inSession(ctx, place, session, talk),
  ])
  const { result } = talked
  noteAsked(result.outcome)
  if (trying) {
    const { input, request } = sealed
    const now = request?.madeAt === undefined ? began : new Date(request.madeAt)
    const { origin } = site
    await keepTry(ctx, row, trying, {
      app,
      endpoint,
      origin,
      session: talked.session,
      input,
      cursorKey,
      now,
      outcome: result.outcome,
    })
  }
  if (result.instead) {
    await keepCookies(ctx, talked, until)
    return requestChanged(ctx, row, { app, endpoint, input: sealed.input }, result.instead)
  }
  if (isOther && result.outcome.kind === 'changed' && !result.sent) {
    await keepCookies(ctx, talked, until)
    return notSentable(ctx, row)
  }
  if (!current || result.outcome.kind === 'fenced') return standing(ctx, row)
  failPoint('send.before-settling')
  const { session_version } = (await keepCookies(ctx, talked, until)).account
  const sentRow = { ...row, session_version, sentBy: number }
  const known = leaving.aborted ? result : await lookAtOnce(ctx, row, { endpoint, input: sealed.input, began }, result)
  return retry(() => settleExchange(ctx, sentRow, known, row.tries + 1 >= readTries), retries)
}

/** A write is sent once per attempt, a read up to `readTries` times; never two at once. */
function mayBeTried(row: SendRow): boolean {
  return row.access === 'write' ? row.send === 'ready' : row.nobody_sends && row.tries < readTries
}

async function takeRight(ctx: Context, row: SendRow, number: number): Promise<boolean> {
  failPoint('send.before-fence')
  const taken = await takeRightToSend(ctx.db, row, number)
  failPoint('send.after-fence')
  failPointUnanswered('send.unanswered')
  return taken
}

/** The row refused the send lease. A final row decides; else the next attempt's guards say why. */
async function standing(ctx: Context, row: SendRow): Promise<SendOutcome> {
  const now = await loadForSend(ctx.db, row.id)
  if (now !== undefined && isFinal(now.status)) return finalOutcome(ctx, now, now.status)
  if (now?.attempt === row.attempt) await holdIfPaused(ctx, now)
  throw lostRight()
}

interface Talked extends InSession {
  readonly result: Exchange
}

async function once(ready: InSession, talk: (session: AppSession) => Promise<Exchange>): Promise<Talked> {
  return { ...ready, result: await talk(ready.session) }
}

function definitionOf(
  ctx: Context,
  row: SendRow,
): { readonly app: App; readonly endpoint: Endpoint; readonly site: Site } {
  const app = ctx.apps.get(row.app)
  const endpoint = app?.endpoints.get(row.endpoint)
  const site = app && siteOf(ctx, app, row.account_origin)
  if (app === undefined || endpoint === undefined || site === undefined)
    throw new Error(`no endpoint ${row.app}.${row.endpoint}`)
  return { app, endpoint, site }
}

/** Undefined: the sealed data was altered or its key is missing. Nothing was sent; never retry. */
function openSealed(
  ctx: Context,
  row: SendRow,
  contents: ReadonlyMap<string, Buffer | null>,
): Pick<ExchangeOptions, 'input' | 'request' | 'files' | 'contents'> | undefined {
  try {
    const request = row.request && (openPayload(ctx.secrets, placeOf(row), 'request', row.request) as Rendered)
    const files = openFiles(ctx, row)
    return {
      input: openInput(ctx, row),
      files,
      contents: openContents(ctx, row, contents),
      ...(request && { request }),
    }
  } catch (error) {
    logUnopened(ctx, { call: row.id }, error, 'what a call would send cannot be opened; refused')
    return undefined
  }
}
