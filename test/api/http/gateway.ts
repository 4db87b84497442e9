import { randomBytes } from 'node:crypto'
import pino from 'pino'
import { inject } from 'vitest'
import { connectTemporal } from '../../../core/temporal/client.ts'
import { createContext } from '../../../core/context.ts'
import type { Context } from '../../../core/context.ts'
import { createKey } from '../../../core/keys/rows.ts'
import { createUser } from '../../../core/users/rows.ts'
import { startApi } from '../../../server/server.ts'
import { loadConfig } from '../../../config.ts'
import { freePort } from '../../../local-services/dev-server.ts'
import { createDatabase } from '../../harness.ts'

/** The API with a real database, holding its engine for away: for everything that comes before a call is accepted. */
export interface Gateway {
  readonly ctx: Context
  /** `…/api/v1` */
  readonly url: string
  readonly publicUrl: string
  readonly adminUrl: string
  readonly owner: string
  newKey(apps?: readonly string[] | null): Promise<{ readonly id: string; readonly key: string }>
  /** Another API process of this gateway would be like it: its own pool and memory, the same database and secrets. */
  another(): Promise<Gateway>
  stop(): Promise<void>
}

export async function startGateway(
  env: Readonly<Record<string, string>> = {},
  first?: Pick<Gateway, 'ctx' | 'owner'>,
): Promise<Gateway> {
  const database = env['DATABASE_URL'] === undefined ? await createDatabase() : undefined
  const config = loadConfig({
    DATABASE_URL: database?.url,
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    PORT: String(await freePort()),
    CALLGATE_DIR: inject('sharedDir'),
    ...env,
  })
  const key = () => new Map([['k1', randomBytes(32)]])
  const secrets = first?.ctx.secrets ?? { kek: key(), approval: key(), pepper: key(), operator: randomBytes(32) }
  const { connection, temporal } = await connectTemporal(config)
  const ctx = createContext({
    config,
    secrets,
    log: pino({ level: process.env['TEST_LOG_LEVEL'] ?? 'silent' }),
    temporal,
  })
  ctx.engine.up = false
  const api = await startApi(ctx, { host: config.host, port: config.port, adminPort: 0 })
  const owner =
    first?.owner ?? (await createUser(ctx, { email: 'owner@example.com', password: 'a long password', plan: 'small' }))
  const others: Gateway[] = []
  const gateway: Gateway = {
    ctx,
    url: `${api.url}/api/v1`,
    publicUrl: api.url,
    adminUrl: api.adminUrl,
    owner,
    newKey: (apps = null) => createKey(ctx, { owner, name: 'test', apps }),
    async another() {
      const other = await startGateway({ ...env, DATABASE_URL: config.databaseUrl }, gateway)
      others.push(other)
      return other
    },
    async stop() {
      for (const other of others) await other.stop()
      await api.close()
      await ctx.db.end()
      await connection.close()
      await database?.drop()
    },
  }
  return gateway
}

export interface Got {
  readonly status: number
  readonly headers: Headers
  readonly body: Record<string, unknown>
}

/** Sends a request and reads the JSON answer; no JSON at all is `{}`. */
export async function ask(
  url: string,
  init: RequestInit & { readonly key?: string; json?: unknown } = {},
): Promise<Got> {
  const { key, json, ...rest } = init
  const headers = new Headers(rest.headers)
  if (key !== undefined) headers.set('Authorization', `Bearer ${key}`)
  if (json !== undefined) headers.set('Content-Type', 'application/json')
  const response = await fetch(url, {
    ...rest,
    headers,
    ...(json !== undefined && { method: 'POST', body: JSON.stringify(json) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
  }
}
