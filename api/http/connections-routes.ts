import type Router from '@koa/router'
import { connectUrl } from '../../core/accounts/accounts.ts'
import { connectedAccounts } from '../../core/accounts/connections.ts'
import type { ConnectedAccount } from '../../core/accounts/connections.ts'
import type { ApiKey } from '../../core/keys/rows.ts'
import type { Api } from '../../core/http/api.ts'
import { authenticate } from './authenticate.ts'
import { keyLimits } from '../../core/http/rate-limit.ts'
import { allowMethods } from './method.ts'
import { readNoQuery } from './query.ts'

/** GET /connections: the user's connections in the apps that the key may use. */
export function connectionsRoutes(router: Router, api: Api): void {
  router.all('/connections', async (http) => {
    const key = await authenticate(api, http, keyLimits.records)
    allowMethods(http, 'GET', 'HEAD')
    readNoQuery(http.querystring)
    http.body = await listConnections(api, key)
  })
}

/** The body of GET /connections. */
export async function listConnections(api: Api, key: ApiKey) {
  const accounts = await connectedAccounts(api.ctx.db, key.id)
  return { connections: accounts.map((account) => shown(api, account)) }
}

function shown(api: Api, { id, app, label, origin, state, connected_at, last_used_at }: ConnectedAccount) {
  return {
    app,
    account: id,
    label,
    ...(origin !== '' && { origin }),
    state,
    connected_at: connected_at?.toISOString() ?? null,
    last_used_at: last_used_at?.toISOString() ?? null,
    connect_url: connectUrl(api.ctx.config.publicUrl, app, id),
  }
}
