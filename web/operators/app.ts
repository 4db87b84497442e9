import { allPauses, appStates, changedLately, openByEndpoint } from '../../core/operators/rows.ts'
import { setRates } from '../../core/operators/operate.ts'
import { queueStates } from '../../core/temporal/queue-states.ts'
import { liftPause, setAppPaused, setEndpointPaused } from '../../core/operators/pauses.ts'
import { closeChange, openChanges } from '../../core/watch/changes.ts'
import { outcomesOf } from '../../core/watch/outcomes.ts'
import { dropWatch, watchesOf } from '../../core/watch/watches.ts'
import type { App } from '../../connectors/registry.ts'
import type { Form } from '../form.ts'
import { knownApp } from '../parts/known-app.ts'
import { PageError } from '../page-error.ts'
import { replyPage, seeOther } from '../reply.ts'
import { AppPage } from './app-page.tsx'
import type { TypedRates } from './app-page.tsx'
import { BrokenAppPage } from './broken-app.tsx'
import type { Posted, Visit } from './visit.ts'

/** Number of unparsed answers shown. */
const shownChanges = 10
/** Period of the outcome table. */
const outcomeDays = 14

export async function showApp(visit: Visit<'app'>): Promise<void> {
  const { ctx, koa, operator, params } = visit
  const broken = ctx.apps.broken.get(params.app)
  const { temporalUiUrl } = ctx.config
  if (broken !== undefined) return replyPage(koa, 200, BrokenAppPage({ operator, app: broken, temporalUiUrl }))
  await reply(visit, knownApp(ctx, params.app), 200)
}

/** Pauses or resumes the app or an endpoint, sets its rates, or lifts a block. */
export async function changeApp(posted: Posted<'app'>): Promise<void> {
  const { ctx, koa, operator, form, params } = posted
  const app = knownApp(ctx, params.app)
  const { slug } = app
  const done = (said: string): void => seeOther(koa, `/apps/${slug}?said=${said}`)
  const action = form.get('action') ?? ''
  switch (action) {
    case 'pause':
      return done((await setAppPaused(ctx, slug, true, operator.actor)) ? action : 'pause-later')
    case 'resume':
      return done((await setAppPaused(ctx, slug, false, operator.actor)) ? action : 'later')
    case 'pause-endpoint':
    case 'resume-endpoint': {
      const endpoint = endpointOf(app, form)
      await setEndpointPaused(ctx, { app: slug, endpoint, paused: action === 'pause-endpoint' }, operator.actor)
      return done(action)
    }
    case 'lift': {
      const lifted = await liftPause(ctx, form.get('account') ?? '', endpointOf(app, form), operator.actor)
      return done(lifted ? 'lift' : 'lifted-before')
    }
    case 'close-change': {
      const [kind = '', place = ''] = [form.get('kind'), form.get('place')]
      const closed = await closeChange(
        ctx,
        { app: slug, endpoint: form.get('endpoint') ?? '', kind, place },
        operator.actor,
      )
      return done(closed ? action : 'closed-before')
    }
    case 'end-watch':
      return done((await dropWatch(ctx, form.get('watch') ?? '', operator.actor)) ? action : 'closed-before')
    case 'rates': {
      const typed = { app: form.get('app_rate') ?? '', account: form.get('account_rate') ?? '' }
      const rates = { appRate: rateOf(typed.app), accountRate: rateOf(typed.account) }
      const { appRate, accountRate } = rates
      if (appRate === undefined || accountRate === undefined) return reply(posted, app, 422, typed)
      return done((await setRates(ctx, slug, { appRate, accountRate }, operator.actor)) ? 'rates' : 'later')
    }
    default:
      throw new PageError(422, 'Nothing was done', 'The form did not say what to do.')
  }
}

/** Sends per second; null: the connector's default; undefined: invalid. */
function rateOf(typed: string): number | null | undefined {
  const text = typed.trim()
  if (text === '') return null
  const rate = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0
  return rate > 0 && rate <= 1_000 ? rate : undefined
}

function endpointOf({ endpoints }: App, form: Form): string {
  const endpoint = endpoints.get(form.get('endpoint') ?? '')
  if (endpoint === undefined) throw new PageError(422, 'Nothing was done', 'This app has no such endpoint.')
  return endpoint.name
}

async function reply({ ctx, koa, operator }: Visit, app: App, status: number, typed?: TypedRates): Promise<void> {
  const { slug } = app
  const [[state], open, blocks, queues, changed, outcomes, changes, watches] = await Promise.all([
    appStates(ctx.db, [slug]),
    openByEndpoint(ctx.db, slug),
    allPauses(ctx.db, slug),
    queueStates(ctx, [slug]),
    changedLately(ctx.db, slug, shownChanges),
    outcomesOf(ctx.db, slug, outcomeDays),
    openChanges(ctx.db, slug),
    watchesOf(ctx.db, slug),
  ])
  if (state === undefined) throw new Error('an app has no state')
  const problems = { app: rateOf(typed?.app ?? '') === undefined, account: rateOf(typed?.account ?? '') === undefined }
  replyPage(
    koa,
    status,
    AppPage({
      ...{ operator, app, state, open, blocks, changed, queue: queues.get(slug), problems },
      ...{ outcomes, outcomeDays, changes, watches },
      typed: typed ?? { app: shown(state.app_rate), account: shown(state.account_rate) },
      said: koa.URL.searchParams.get('said'),
      temporalUiUrl: ctx.config.temporalUiUrl,
    }),
  )
}

const shown = (rate: number | null): string => (rate === null ? '' : String(rate))
