import type Router from '@koa/router'
import { Type } from 'typebox'
import type { Static, TObject } from 'typebox'
import { liftPause, setAppPaused, setEndpointPaused } from '../../core/operators/pauses.ts'
import type { Context } from '../../core/context.ts'
import { setRates } from '../../core/operators/operate.ts'
import { allPauses, appStates } from '../../core/operators/rows.ts'
import { CallgateError } from '../../schemas/errors.ts'
import type { Api } from '../../core/http/api.ts'
import { findApp, findEndpoint } from '../http/find.ts'
import { allowMethods } from '../http/method.ts'
import { readNoQuery } from '../http/query.ts'
import { actorOf, nameIn, postReader } from './request.ts'

const rate = Type.Optional(Type.Union([Type.Number({ exclusiveMinimum: 0, maximum: 1000 }), Type.Null()]))
const changes = { paused: Type.Optional(Type.Boolean()), app_rate: rate, account_rate: rate }
type Changes = Static<TObject<typeof changes>>

/** What is paused, the rate limits of apps, and where apps block access for now. */
export function appsRoutes(router: Router, { ctx }: Api): void {
  const { apps, db } = ctx
  const readChanges = postReader(changes)
  const readPaused = postReader({ paused: Type.Boolean() })
  const readNothing = postReader({})

  router.all('/apps', async (http) => {
    allowMethods(http, 'GET', 'HEAD')
    readNoQuery(http.querystring)
    const states = await appStates(
      db,
      apps.all.map(({ slug }) => slug),
    )
    http.body = { apps: states, broken: [...apps.broken.values()] }
  })

  router.all('/apps/:app', async (http) => {
    const { slug } = findApp(apps, nameIn(http, 'app'))
    await change(ctx, slug, await readChanges(http), actorOf(http))
    http.body = await stateOf(ctx, slug)
  })

  router.all('/apps/:app/endpoints/:endpoint', async (http) => {
    const { app, name: endpoint } = findEndpoint(findApp(apps, nameIn(http, 'app')), nameIn(http, 'endpoint'))
    const { paused } = await readPaused(http)
    await setEndpointPaused(ctx, { app, endpoint, paused }, actorOf(http))
    http.body = await stateOf(ctx, app)
  })

  router.all('/pauses', async (http) => {
    allowMethods(http, 'GET', 'HEAD')
    readNoQuery(http.querystring)
    http.body = { pauses: await allPauses(db) }
  })

  router.all('/pauses/:account/:endpoint/lift', async (http) => {
    const [account, endpoint] = [nameIn(http, 'account'), nameIn(http, 'endpoint')]
    await readNothing(http)
    if (!(await liftPause(ctx, account, endpoint, actorOf(http))))
      throw new CallgateError('not_found', { message: 'Nothing is paused there: GET /operator/pauses lists what is.' })
    http.body = { account, endpoint, lifted: true }
  })
}

/** A rate that is not given stays unchanged. */
async function change(ctx: Context, slug: string, changed: Changes, actor: string): Promise<void> {
  const { paused, app_rate: app, account_rate: account } = changed
  if (app !== undefined || account !== undefined) {
    const [now] = await appStates(ctx.db, [slug])
    const rates = {
      appRate: app === undefined ? (now?.app_rate ?? null) : app,
      accountRate: account === undefined ? (now?.account_rate ?? null) : account,
    }
    await setRates(ctx, slug, rates, actor)
  }
  if (paused !== undefined) await setAppPaused(ctx, slug, paused, actor)
}

async function stateOf({ db }: Context, slug: string): Promise<unknown> {
  const [state] = await appStates(db, [slug])
  if (state?.pending !== true) return state
  const effect = state.paused ? 'A pause holds from now on; the rest takes effect' : 'It takes effect'
  return { ...state, message: `Saved. ${effect} when the engine has taken it: pending is false then.` }
}
