import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { Client, Connection } from '@temporalio/client'
import pino from 'pino'
import { inject } from 'vitest'
import { accept } from '../../core/calls/accept.ts'
import { connect } from '../../core/accounts/sessions.ts'
import { createContext } from '../../core/context.ts'
import type { Context } from '../../core/context.ts'
import { createKey } from '../../core/keys/rows.ts'
import { createUser } from '../../core/users/rows.ts'
import { createApp } from '../../server/server.ts'
import { loadConfig } from '../../config.ts'
import { createDatabase } from '../harness.ts'
import { letterApps } from './letters.ts'
import { portOf } from '../support/listen.ts'

/** The pages over real HTTP, with the made-up app and no worker: a call stays where the test puts it. */
export interface Site {
  readonly ctx: Context
  readonly url: string
  stop(): Promise<void>
}

export interface Owner {
  readonly id: string
  readonly email: string
  readonly password: string
  readonly key: string
  readonly keyId: string
  readonly account: string
}

export async function startSite(options: {
  readonly databaseUrl: string
  readonly temporal: Client
  readonly publicUrl?: string
  /** Shared by sites on one database. */
  readonly secrets?: Context['secrets']
  /** How many proxies' word counts for where somebody comes from. */
  readonly trustProxy?: number
  /** Further settings. */
  readonly settings?: Readonly<Record<string, string>>
}): Promise<Site> {
  const env = {
    DATABASE_URL: options.databaseUrl,
    TEMPORAL_ADDRESS: 'unused',
    CALLGATE_DIR: tmpdir(),
    PUBLIC_URL: options.publicUrl ?? 'http://127.0.0.1:8080',
    TRUST_PROXY: String(options.trustProxy ?? 0),
    ...options.settings,
  }
  const secrets = options.secrets ?? {
    kek: new Map([['k1', randomBytes(32)]]),
    approval: new Map([['k1', randomBytes(32)]]),
    pepper: new Map([['k1', randomBytes(32)]]),
    operator: randomBytes(32),
  }
  const made = createContext({
    config: loadConfig(env),
    secrets,
    log: pino({ level: 'fatal' }),
    temporal: options.temporal,
  })
  const ctx: Context = { ...made, apps: letterApps }
  const server = createApp(ctx).listen(0, '127.0.0.1')
  const port = await portOf(server)
  return {
    ctx,
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections()
      server.close()
      await ctx.db.end()
    },
  }
}

export interface TestSite extends Site {
  /** The same data, served under another public address. */
  another(
    publicUrl: string,
    options?: { readonly trustProxy?: number; readonly settings?: Readonly<Record<string, string>> },
  ): Promise<Site>
}

/** A site with a database of its own. */
export async function startTestSite(): Promise<TestSite> {
  const database = await createDatabase()
  const connection = await Connection.connect({ address: inject('temporalAddress') })
  const parts = { databaseUrl: database.url, temporal: new Client({ connection, namespace: database.namespace }) }
  const site = await startSite(parts)
  const sites = [site]
  return {
    ...site,
    async another(publicUrl, options = {}) {
      const next = await startSite({ ...parts, ...options, publicUrl, secrets: site.ctx.secrets })
      sites.push(next)
      return next
    },
    async stop() {
      for (const one of sites) await one.stop()
      await connection.close()
      await database.drop()
    },
  }
}

export async function makeOwner(ctx: Context, options: { label?: string; keyName?: string } = {}): Promise<Owner> {
  const email = `${randomBytes(6).toString('hex')}@example.test`
  const password = randomBytes(9).toString('base64url')
  const id = await createUser(ctx, { email, password, plan: 'large' })
  const key = await createKey(ctx, { owner: id, name: options.keyName ?? 'Club assistant', apps: null })
  const account = await connect(ctx, {
    owner: id,
    app: 'letters',
    externalId: id,
    label: options.label ?? 'secretary@club.example',
    session: { cookies: [], user_agent: null },
  })
  return { id, email, password, key: key.key, keyId: key.id, account }
}

/** Accepts a `write_letter`, which then waits for its owner. Returns the call id. */
export async function askFor(
  ctx: Context,
  owner: Owner,
  input: Readonly<Record<string, unknown>> = {},
  idempotencyKey?: string,
): Promise<string> {
  const endpoint = letterApps.get('letters')?.endpoints.get('write_letter')
  if (endpoint === undefined) throw new Error('the app has no write_letter')
  const call = await accept(ctx, {
    owner: owner.id,
    keyId: owner.keyId,
    endpoint,
    input: { subject: 'Summer party', recipients: ['m_1', 'm_2'], body: 'Come all!', ...input },
    account: undefined,
    idempotencyKey,
  })
  return call.callId
}

export async function statusOf(ctx: Context, callId: string): Promise<string | undefined> {
  const { rows } = await ctx.db.query<{ status: string }>('SELECT status FROM calls WHERE id = $1', [callId])
  return rows[0]?.status
}
