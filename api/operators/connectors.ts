import type Router from '@koa/router'
import { Type } from 'typebox'
import { levels } from '../../connectors/runtime/app.ts'
import { surfaceOf } from '../../connectors/runtime/surface.ts'
import {
  addConnector,
  notThere,
  removeConnector,
  tellScale,
  trustEndpoint,
  updateConnector,
} from '../../core/connectors/change.ts'
import { beginTrace, forgetTrace, listTraces, openTraces } from '../../core/connectors/traces.ts'
import type { TraceRow } from '../../core/connectors/traces.ts'
import { beginTry, readTry } from '../../core/connectors/tries.ts'
import { addedConnectors } from '../../core/connectors/rows.ts'
import type { ConnectorRow } from '../../core/connectors/rows.ts'
import type { Context } from '../../core/context.ts'
import { transaction } from '../../core/database/pool.ts'
import type { Api } from '../../core/http/api.ts'
import { allowMethods } from '../http/method.ts'
import { readNoQuery, readQuery } from '../http/query.ts'
import { actorOf, nameIn, postReader } from './request.ts'

const mebibyte = 1024 * 1024
/** Of a bundle, in characters. */
const longestCode = 4 * mebibyte
/** In bytes: as JSON, a character may take several. */
const longestBody = 12 * mebibyte

const parts = {
  package: Type.String({ minLength: 1, maxLength: 300 }),
  hosts: Type.Array(Type.String({ maxLength: 300 }), { minItems: 1, maxItems: 50 }),
  code: Type.String({ minLength: 1, maxLength: longestCode }),
}

/** Lists, adds, updates and removes added connectors. */
export function connectorsRoutes(router: Router, api: Api): void {
  const { ctx } = api
  const readNew = postReader({ slug: Type.String({ maxLength: 64 }), ...parts }, longestBody)
  const readVersion = postReader(parts, longestBody)
  const readTrust = postReader({ endpoint: Type.String({ maxLength: 64 }), trusted: Type.Boolean() })
  const readScale = postReader({
    hash: Type.String({ maxLength: 64 }),
    level: Type.Union([Type.Enum([...levels]), Type.Null()]),
  })
  const readNothing = postReader({})

  router.all('/connectors', async (http) => {
    if (http.method === 'POST') {
      http.body = await addConnector(ctx, await readNew(http), actorOf(http))
      return
    }
    allowMethods(http, 'GET', 'HEAD', 'POST')
    readNoQuery(http.querystring)
    const rows = await addedConnectors(ctx.db)
    http.body = { connectors: rows.map((row) => told(ctx, row)) }
  })

  router.all('/connectors/:slug', async (http) => {
    allowMethods(http, 'GET', 'HEAD')
    readNoQuery(http.querystring)
    const slug = nameIn(http, 'slug')
    const row = (await addedConnectors(ctx.db)).find((one) => one.slug === slug)
    if (row === undefined) throw notThere(slug)
    const app = ctx.apps.get(slug)
    http.body = { ...told(ctx, row), surface: app?.added?.hash === row.hash ? surfaceOf(app) : null }
  })

  router.all('/connectors/:slug/update', async (http) => {
    const slug = nameIn(http, 'slug')
    http.body = await updateConnector(ctx, { slug, ...(await readVersion(http)) }, actorOf(http))
  })

  router.all('/connectors/:slug/remove', async (http) => {
    const slug = nameIn(http, 'slug')
    await readNothing(http)
    await removeConnector(ctx, slug, actorOf(http))
    http.body = { slug, removed: true }
  })

  router.all('/connectors/:slug/trust', async (http) => {
    const slug = nameIn(http, 'slug')
    const wanted = await readTrust(http)
    await trustEndpoint(ctx, { slug, ...wanted }, actorOf(http))
    http.body = { slug, ...wanted }
  })

  router.all('/connectors/:slug/scale', async (http) => {
    const slug = nameIn(http, 'slug')
    const wanted = await readScale(http)
    await tellScale(ctx, { slug, ...wanted }, actorOf(http))
    http.body = { slug, ...wanted }
  })

  triesRoutes(router, api)
  tracesRoutes(router, api)
}

/** Traces that users recorded in their apps, for the connector's author. */
function tracesRoutes(router: Router, { ctx }: Api): void {
  const readWanted = postReader({ name: Type.String({ maxLength: 64 }) })
  const readNothing = postReader({})

  router.all('/connectors/:slug/traces', async (http) => {
    const app = nameIn(http, 'slug')
    if (http.method === 'POST') {
      const id = await beginTrace(ctx, { app, ...(await readWanted(http)) }, actorOf(http))
      http.body = { id, url: `${ctx.config.publicUrl}/record/${id}` }
      return
    }
    allowMethods(http, 'GET', 'HEAD', 'POST')
    const query = readQuery(http.querystring, ['name'])
    query.check()
    const { name } = query.values
    if (name === undefined) http.body = { traces: (await listTraces(ctx.db, app)).map(told) }
    else http.body = await openTraces(ctx, app, name)

    function told({ id, name: of, begun_by, begun_at, owner, ended_at, exchanges, kept }: TraceRow) {
      const state = ended_at === null ? (owner === null ? 'asked' : 'opened') : kept ? 'kept' : 'thrown_away'
      return { id, name: of, state, begun_by, begun_at, ...(kept && { ended_at, exchanges }) }
    }
  })

  router.all('/connectors/:slug/traces/:id/forget', async (http) => {
    const [app, id] = [nameIn(http, 'slug'), nameIn(http, 'id')]
    await readNothing(http)
    await transaction(ctx.db, (db) => forgetTrace(db, { app, id }, actorOf(http)))
    http.body = { id, forgotten: true }
  })
}

/** Trial calls whose exchange with the app is kept for the connector's author. */
function triesRoutes(router: Router, { ctx }: Api): void {
  const readTrial = postReader({ endpoint: Type.String({ maxLength: 64 }) })

  router.all('/connectors/:slug/tries', async (http) => {
    const app = nameIn(http, 'slug')
    http.body = await beginTry(ctx, { app, ...(await readTrial(http)) }, actorOf(http))
  })

  router.all('/connectors/:slug/tries/:id', async (http) => {
    allowMethods(http, 'GET', 'HEAD')
    readNoQuery(http.querystring)
    http.body = await readTry(ctx, nameIn(http, 'slug'), nameIn(http, 'id'))
  })
}

/** `state`: in this process. `outdated`: it serves, but was built with an older release's kit. */
function told(ctx: Pick<Context, 'apps'>, row: ConnectorRow) {
  const { slug, package: from, hash, hosts, trusted, added_by, changed_at, scale, scaled_at } = row
  const problem = ctx.apps.broken.get(slug)?.problem
  const app = ctx.apps.get(slug)
  const state = problem === undefined ? (app?.added?.hash === hash ? 'serves' : 'loading') : 'broken'
  const isOutdated = app?.added?.hash === hash && app.added.isOutdated
  const since = changed_at.toISOString()
  return {
    slug,
    package: from,
    state,
    ...(problem !== undefined && { problem }),
    ...(isOutdated && { outdated: true }),
    ...((problem !== undefined || isOutdated) && { do: `callgate connector update <folder or package of ${slug}>` }),
    hosts,
    trusted,
    ...(scaled_at && { scale, scaled_at: scaled_at.toISOString() }),
    hash,
    added_by,
    since,
  }
}
