import type Router from '@koa/router'
import { Type } from 'typebox'
import { addConnector, removeConnector, trustEndpoint, updateConnector } from '../../core/connectors/change.ts'
import { beginTry, readTry } from '../../core/connectors/tries.ts'
import { addedConnectors } from '../../core/connectors/rows.ts'
import type { ConnectorRow } from '../../core/connectors/rows.ts'
import type { Context } from '../../core/context.ts'
import type { Api } from '../http/api.ts'
import { allowMethods } from '../http/method.ts'
import { readNoQuery } from '../http/query.ts'
import { actorOf, nameIn, postReader } from './request.ts'

const mebibyte = 1024 * 1024
/** Of a bundle, in characters. */
const longestCode = 4 * mebibyte
/** As JSON each of them may take several bytes. */
const longestBody = 12 * mebibyte

const parts = {
  package: Type.String({ minLength: 1, maxLength: 300 }),
  hosts: Type.Array(Type.String({ maxLength: 300 }), { minItems: 1, maxItems: 50 }),
  code: Type.String({ minLength: 1, maxLength: longestCode }),
}

/** The connectors that were added: which there are, and how they come and go. */
export function connectorsRoutes(router: Router, api: Api): void {
  const { ctx } = api
  const readNew = postReader({ slug: Type.String({ maxLength: 64 }), ...parts }, longestBody)
  const readVersion = postReader(parts, longestBody)
  const readTrust = postReader({ endpoint: Type.String({ maxLength: 64 }), trusted: Type.Boolean() })
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

  triesRoutes(router, api)
}

/** Calls of theirs whose exchange with the app is kept for the author. */
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

/** `state`: how this process has it. */
function told(ctx: Pick<Context, 'apps'>, row: ConnectorRow) {
  const { slug, package: from, hash, hosts, trusted, added_by, changed_at } = row
  const problem = ctx.apps.broken.get(slug)?.problem
  const app = ctx.apps.get(slug)
  const state = problem === undefined ? (app?.added?.hash === hash ? 'serves' : 'loading') : 'broken'
  const since = changed_at.toISOString()
  return {
    slug,
    package: from,
    state,
    ...(problem !== undefined && { problem }),
    hosts,
    trusted,
    hash,
    added_by,
    since,
  }
}
