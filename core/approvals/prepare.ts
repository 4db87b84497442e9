import { renderInApp } from '../../connectors/runtime/threads/exchange-threads.ts'
import type { Rendered } from '../../connectors/runtime/rendered.ts'
import type { Site } from '../../connectors/runtime/site.ts'
import type { App, Endpoint } from '../../connectors/registry.ts'
import { talkAs } from '../accounts/in-session.ts'
import { noteSessionState } from '../accounts/sessions.ts'
import { siteOf } from '../accounts/site.ts'
import { pauseAfterRead } from '../calls/blocks.ts'
import { openInput } from '../calls/record.ts'
import { accountOf, loadForSend } from '../calls/sending-rows.ts'
import type { SendRow } from '../calls/sending-rows.ts'
import { refusalOf } from '../calls/refusal.ts'
import { reconnectCodes } from '../calls/settle.ts'
import type { ReconnectCode } from '../../schemas/call.ts'
import { keptError, openPayload, placeOf, sealPayload } from '../calls/payload.ts'
import type { Context } from '../context.ts'
import { hashOfAdded } from '../connectors/rows.ts'
import { keepTry, tryOf } from '../connectors/tries.ts'
import { openFiles } from '../files/files.ts'
import { sleep } from '../sleep.ts'
import { failPoint } from '../fail-point.ts'
import { derivedKey } from '../secrets/crypto.ts'
import { inOrder, sameThings, lookUpsOf, sameLine } from './look-ups.ts'
import type { Seen } from './look-ups.ts'
import { openSeen } from './seen.ts'
import { lookNext } from './look.ts'
import type { LookingUp } from './look.ts'
import { withVersion } from './render.ts'
import { finishPreparing, postponePreparing, refuse, saveLookingUp } from './prepare-rows.ts'
import type { ErrorFields } from '../../schemas/errors.ts'
import { logUnopened } from '../security-log.ts'

/** Result of one step: `more` follow, each at the app's pace. */
export type Prepared = 'more' | 'done'

/**
 * One step towards what the approver sees: renders the request, if that needs the app, then makes
 * one preview read. A failed read does not end the call: the page shows what could not be
 * previewed. Only a write that would certainly be refused ends here.
 */
export async function prepareCall(ctx: Context, callId: string): Promise<Prepared> {
  const row = await loadForSend(ctx.db, callId)
  if (row?.status !== 'awaiting_confirmation' || row.prepare_at === null) return 'done'
  const app = row.request === null ? await newestOf(ctx, row.app) : ctx.apps.get(row.app)
  const endpoint = app?.endpoints.get(row.endpoint)
  const site = app && siteOf(ctx, app, row.account_origin)
  if (app === undefined || site === undefined || endpoint?.access !== 'write')
    return refused(ctx, row, 'definition_changed')
  if (!legible(ctx, row)) return givenUp(ctx, row)
  const input = openInput(ctx, row)
  if (row.request === null && app.added && !isInputOf(ctx, endpoint, input))
    return refused(ctx, row, 'definition_changed')
  const request = row.request === null ? await rendered(ctx, row, { app, site, endpoint, input }) : undefined
  if (request === 'over') return 'done'
  const ready =
    request === undefined ? row : { ...row, request: sealPayload(ctx.secrets, placeOf(row), 'request', request) }
  const before = lookingUp(ctx, row)
  const { lookUps, omitted } = lookUpsOf(endpoint, input, before.urgentFirst === true)
  const steps = lookUps.length
  if (before.step >= steps + before.chained.length)
    return finished(ctx, ready, { things: inOrder(endpoint, before.things), omitted }, steps)
  const next = await lookNext(ctx, row, { app, lookUps, so: before })
  if ('refused' in next) return refused(ctx, row, 'app_rejected', next.refused.fields, next.refused.message)
  if (next.wants === 'reconnect') {
    await finishPreparing(ctx, ready, {
      preview: row.preview,
      changed: false,
      waitingFor: 'reconnect',
      fresh: false,
    })
    return 'done'
  }
  if (next.so.step >= steps + next.so.chained.length)
    return finished(ctx, ready, { things: inOrder(endpoint, next.so.things), omitted }, steps)
  await saveLookingUp(ctx.db, ready, sealPayload(ctx.secrets, placeOf(row), 'look_up', next.so))
  return 'more'
}

/** An update reaches every process within two seconds: wait, so that the new version renders. */
async function newestOf(ctx: Context, slug: string): Promise<App | undefined> {
  const until = Date.now() + 10_000
  for (;;) {
    const app = ctx.apps.get(slug)
    if (app?.added === undefined || Date.now() > until) return app
    const hash = await hashOfAdded(ctx.db, slug)
    if (hash === undefined || hash === app.added.hash) return app
    await sleep(200)
  }
}

/** An update may have changed the endpoint's input. */
function isInputOf(ctx: Context, endpoint: Endpoint, input: Readonly<Record<string, unknown>>): boolean {
  return endpoint.parseInput(input, { cursorKey: derivedKey(ctx.secrets, 'cursor') }).ok
}

/** The call cannot be opened and so not approved: the page says it, and the app is not asked. */
async function givenUp(ctx: Context, row: SendRow): Promise<Prepared> {
  await finishPreparing(ctx, row, { preview: row.preview, changed: false, waitingFor: null, fresh: false })
  return 'done'
}

function legible(ctx: Context, row: SendRow): boolean {
  try {
    openInput(ctx, row)
    openFiles(ctx, row)
    openSeen(ctx, row)
    lookingUp(ctx, row)
    return true
  } catch (error) {
    logUnopened(ctx, { call: row.id }, error, 'a call that is to be shown cannot be opened')
    return false
  }
}

/** Without previews there is nothing to show. */
async function finished(ctx: Context, row: SendRow, seen: Seen, steps: number): Promise<Prepared> {
  const before = row.preview && (openPayload(ctx.secrets, placeOf(row), 'preview', row.preview) as Seen)
  const now = steps === 0 ? null : before ? keeping(before, seen) : seen
  const fresh = now === null || sameThings(now, seen)
  const changed = !sameThings(before, now)
  const preview = changed ? now && sealPayload(ctx.secrets, placeOf(row), 'preview', now) : row.preview
  failPoint('prepare.before-commit')
  await finishPreparing(ctx, row, { preview, changed, waitingFor: null, fresh })
  return 'done'
}

/** Keeps known values where this time the app could not be asked. */
function keeping(before: Seen, now: Seen): Seen {
  const things = now.things.map((thing) => {
    if (thing.problem === undefined || thing.problem === 'absent' || thing.problem === 'not_found') return thing
    return before.things.find((one) => sameLine(one, thing) && one.values !== undefined) ?? thing
  })
  return { ...now, things }
}

function lookingUp(ctx: Context, row: SendRow): LookingUp {
  if (row.look_up === null) return { urgentFirst: true, step: 0, page: 0, cursor: null, things: [], chained: [] }
  return openPayload(ctx.secrets, placeOf(row), 'look_up', row.look_up) as LookingUp
}

async function refused(
  ctx: Context,
  row: SendRow,
  code: 'app_rejected' | 'app_changed' | 'definition_changed',
  fields?: ErrorFields,
  message?: string,
): Promise<Prepared> {
  await refuse(ctx.db, row, keptError(ctx, row, code, fields, message))
  return 'done'
}

interface Making {
  readonly app: App
  readonly site: Site
  readonly endpoint: Endpoint
  readonly input: Readonly<Record<string, unknown>>
}

/** The request, rendered with the app's help; 'over': not now, or never. */
async function rendered(
  ctx: Context,
  row: SendRow,
  { app, site, endpoint, input }: Making,
): Promise<Rendered | 'over'> {
  if (row.account_state === 'disconnected') return waitForSignIn(ctx, row)
  if (row.paused_until !== null && !row.pause_over) return later(ctx, row, row.paused_until - Date.now())
  const account = { ...accountOf(row), session: row.session }
  const cursorKey = derivedKey(ctx.secrets, 'cursor')
  const trying = await tryOf(ctx.db, app, row)
  const now = new Date()
  const asked = await talkAs(ctx, { app, site, account }, (session) => {
    trying?.recorder.forget()
    return renderInApp({
      ...{ endpoint, input, files: openFiles(ctx, row), session, account: row.account, ...site, cursorKey, now },
      ...(trying && { send: trying.recorder.send }),
    })
  })
  if (asked === undefined) return waitForSignIn(ctx, row)
  const { outcome } = asked.result
  // A request that renders is kept as a trial when it is sent.
  if (trying && outcome.kind !== 'rendered')
    await keepTry(ctx, row, trying, {
      ...{ app, endpoint, input, cursorKey, now, outcome },
      origin: site.origin,
      session: asked.session,
    })
  const note = (reason: ReconnectCode | null): Promise<void> =>
    noteSessionState(ctx.db, row.account, reason, asked.account.session_version)
  switch (outcome.kind) {
    case 'rendered':
      if (row.account_reason !== null) await note(null)
      return withVersion(app, endpoint, outcome.request)
    case 'rejected': {
      const { fields, message } = refusalOf(outcome)
      await refused(ctx, row, 'app_rejected', fields, message)
      return 'over'
    }
    case 'changed':
      ctx.log.warn(
        { call: row.id, app: row.app, endpoint: row.endpoint, rule: outcome.rule },
        'a request cannot be made: its page is not as the connector knows it',
      )
      await refused(ctx, row, 'app_changed')
      return 'over'
    case 'auth_expired':
    case 'captcha':
    case 'mfa':
      await note(reconnectCodes[outcome.kind])
      return waitForSignIn(ctx, row)
    case 'blocked':
      await pauseAfterRead(ctx.db, row.account, row.endpoint)
      return later(ctx, row, 60_000)
    case 'rate_limited':
      return later(ctx, row, outcome.retryAfterMs)
    case 'app_error':
    case 'fenced':
    case 'lost':
    case 'refused':
    case 'timeout':
      return later(ctx, row, 0)
  }
}

async function waitForSignIn(ctx: Context, row: SendRow): Promise<'over'> {
  await finishPreparing(ctx, row, { preview: row.preview, changed: false, waitingFor: 'reconnect', fresh: false })
  return 'over'
}

/** Retries after `ms` or a backoff from 5 s, doubled up to 10 min, whichever is longer. */
async function later(ctx: Context, row: SendRow, ms: number): Promise<'over'> {
  await postponePreparing(ctx, row, Math.max(ms, Math.min(5_000 * 2 ** row.prepare_tries, 600_000)))
  return 'over'
}
