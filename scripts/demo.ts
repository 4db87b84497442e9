import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import pino from 'pino'
import { connect } from '../core/accounts/sessions.ts'
import type { Context } from '../core/context.ts'
import { createKey, findKey, revokeKey } from '../core/keys/rows.ts'
import { migrate } from '../core/database/migrate.ts'
import { openPool } from '../core/database/pool.ts'
import { createUser, findUserByEmail, setPassword, verifyPassword } from '../core/users/rows.ts'
import { listKeys } from '../core/keys/keys.ts'
import { setKeySight } from '../core/keys/limits.ts'
import { setScope } from '../core/accounts/settings.ts'
import { loadSecrets } from '../config.ts'
import { exampleOf } from '../connectors/examples.ts'
import { loadApps } from '../connectors/registry.ts'
import { seededAccounts } from './demo-accounts.ts'
import type { SeededAccount } from './demo-accounts.ts'

/** Credentials to try the gateway with. */
export interface Login {
  readonly email: string
  readonly password: string
  readonly api_key: string
}

export type OtherUser = 'stranger' | 'unconnected' | 'poor' | 'narrow' | 'revoked' | 'two_accounts'

export interface Urls {
  readonly base_url: string
  readonly mcp_url: string
  readonly dashboard_url: string
  readonly temporal_ui_url: string
  readonly sandbox_url: string
}

/** The content of demo.json. Source: contract, "Where things listen". */
export interface Demo extends Urls, Login {
  readonly others: Readonly<Record<OtherUser, Login>>
}

export interface ExampleCall {
  readonly path: string
  readonly body: unknown
}

type Ctx = Pick<Context, 'db' | 'secrets' | 'log' | 'apps'>

const users = ['demo', 'stranger', 'unconnected', 'poor', 'narrow', 'revoked', 'two_accounts'] as const
type DemoUser = (typeof users)[number]

/**
 * Creates or updates the demo users and writes demo.json (mode 600). Keys and passwords stay the
 * same while demo.json exists. Sessions come from the sandbox's control route, without passwords.
 */
export async function seedDemo(options: {
  readonly databaseUrl: string
  readonly secretsFile: string
  readonly sandboxUrl: string
  readonly dir: string
  readonly urls: Urls
}): Promise<Demo & { readonly examples: { readonly read: ExampleCall; readonly confirm: ExampleCall } }> {
  await migrate(options.databaseUrl)
  const log = pino({ level: 'silent' })
  const ctx: Ctx = {
    db: openPool(options.databaseUrl, log, 4),
    secrets: loadSecrets(options.secretsFile),
    log,
    apps: loadApps({ sandboxUrl: options.sandboxUrl }),
  }
  try {
    const file = path.join(options.dir, 'demo.json')
    const earlier = readDemo(file)
    const accounts = new Map(
      await Promise.all(
        ctx.apps.all.map(async (app) => [app.slug, await seededAccounts(options.sandboxUrl, app.slug)] as const),
      ),
    )
    const logins = new Map<DemoUser, Login>()
    for (const name of users) logins.set(name, await seedUser(ctx, name, earlierLogin(earlier, name), accounts))
    const login = (name: DemoUser): Login => logins.get(name) ?? missing(name)
    const demo: Demo = {
      ...options.urls,
      ...login('demo'),
      others: {
        stranger: login('stranger'),
        unconnected: login('unconnected'),
        poor: login('poor'),
        narrow: login('narrow'),
        revoked: login('revoked'),
        two_accounts: login('two_accounts'),
      },
    }
    writeFileSync(`${file}.new`, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 })
    renameSync(`${file}.new`, file)
    return {
      ...demo,
      examples: {
        read: example('property-advertising', 'list_listings'),
        confirm: example('property-advertising', 'reply_to_contact'),
      },
    }
  } finally {
    await ctx.db.end()
  }
}

function example(app: string, endpoint: string): ExampleCall {
  const recorded = exampleOf(app, endpoint, new Date())
  if (recorded === undefined) throw new Error(`${app}.${endpoint} has no example`)
  return { path: `/${app}/${endpoint}`, body: recorded.input }
}

async function seedUser(
  ctx: Ctx,
  name: DemoUser,
  earlier: Login | undefined,
  accounts: ReadonlyMap<string, readonly SeededAccount[]>,
): Promise<Login> {
  const email = earlier?.email ?? `${name.replaceAll('_', '-')}@callgate.test`
  const password = earlier?.password ?? randomBytes(12).toString('base64url')
  const owner = await userWithPassword(ctx, { email, password, plan: name === 'poor' ? 'none' : 'large' })
  for (const [app, seeded] of accounts) {
    for (const account of seeded.filter(({ user }) => user === name)) {
      await connect(ctx, { owner, app, externalId: account.account, label: account.label, session: account.session })
    }
  }
  if (name === 'narrow') await setScope(ctx, owner, 'property-advertising', 'read')
  return { email, password, api_key: await keyOf(ctx, owner, name, earlier?.api_key) }
}

async function userWithPassword(
  ctx: Ctx,
  user: { readonly email: string; readonly password: string; readonly plan: 'none' | 'large' },
): Promise<string> {
  const found = await findUserByEmail(ctx, user.email)
  if (found === undefined) return createUser(ctx, user)
  if (found.passwords_allowed && (await verifyPassword(ctx, user.email, user.password)) === undefined)
    await setPassword({ ...ctx, config: { mail: null } }, found.id, user.password)
  return found.id
}

/**
 * The key of demo.json if the database has it, else a new one. A revoked key stays revoked. Every
 * key sees all calls of its owner, so that one key suffices to try the gateway.
 */
async function keyOf(ctx: Ctx, owner: string, name: DemoUser, earlier: string | undefined): Promise<string> {
  const known = earlier === undefined ? undefined : await findKey(ctx, earlier)
  const narrowed = (await listKeys(ctx.db, owner)).some(({ id, sees_all }) => id === known?.id && !sees_all)
  if (known !== undefined && narrowed) await setKeySight(ctx, owner, known.id, true)
  if (earlier !== undefined && (name === 'revoked' || known !== undefined)) return earlier
  const apps = name === 'narrow' ? ctx.apps.all.map(({ slug }) => slug).filter((slug) => slug !== 'crm') : null
  const { id, key } = await createKey(ctx, { owner, name: 'Demo key', apps, seesAll: true })
  if (name === 'revoked') await revokeKey(ctx, owner, id)
  return key
}

function readDemo(file: string): Partial<Demo> | undefined {
  if (!existsSync(file)) return undefined
  return JSON.parse(readFileSync(file, 'utf8')) as Partial<Demo>
}

function earlierLogin(demo: Partial<Demo> | undefined, name: DemoUser): Login | undefined {
  const login = name === 'demo' ? demo : demo?.others?.[name]
  if (login?.email === undefined || login.password === undefined || login.api_key === undefined) return undefined
  return { email: login.email, password: login.password, api_key: login.api_key }
}

function missing(name: string): never {
  throw new Error(`the demo user ${name} was not made`)
}
