import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pino from 'pino'
import { loadSecrets } from '../../config.ts'
import { migrate } from '../../core/database/migrate.ts'
import { openPool } from '../../core/database/pool.ts'
import { createKey } from '../../core/keys/rows.ts'
import { createUser } from '../../core/users/rows.ts'
import { freePort } from '../../local-services/dev-server.ts'
import { findCluster } from '../../local-services/postgres.ts'
import { layFoundation } from '../supervisor/foundation.ts'
import { makeFolders } from '../supervisor/folders.ts'
import { nodeService } from '../supervisor/node-service.ts'
import { makeSecrets } from '../supervisor/secrets.ts'
import { readSettings, root } from '../supervisor/settings.ts'
import { supervise } from '../supervisor/supervise.ts'
import type { Login } from './person.ts'

/** A Callgate in its own folder, as `npm start` runs it, without the sandbox. */
export interface Gateway {
  readonly dir: string
  /** `http://127.0.0.1:…` */
  readonly url: string
  /** A new user with a key. */
  user(): Promise<Login & { readonly key: string }>
  /** Output of `npm run callgate -- connector …`, run as an operator with this user's key. */
  readonly connector: (key: string, ...words: readonly string[]) => Promise<string>
  /** Stops everything, and deletes the folder unless `keep` is set. */
  close(options: { readonly keep: boolean }): Promise<void>
}

/** `hosts`: local apps that may be reached by plain http. */
export async function startGateway(options: {
  readonly hosts: readonly string[]
  readonly log: (line: string) => void
  readonly signal: AbortSignal
}): Promise<Gateway> {
  const { hosts, log, signal } = options
  const dir = mkdtempSync(join(tmpdir(), 'callgate-real-apps-'))
  // Postgres and the sign-in browsers may run as other users, who need access.
  chmodSync(dir, 0o711)
  const own: NodeJS.ProcessEnv = { CALLGATE_DIR: dir }
  for (const name of ['PATH', 'HOME', 'XDG_CACHE_HOME', 'GOFLAGS', 'GOPROXY'])
    if (process.env[name] !== undefined) own[name] = process.env[name]
  for (const name of ['PORT', 'ADMIN_PORT', 'SANDBOX_PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT'])
    own[name] = String(await freePort())
  const settings = readSettings(own)
  const folders = makeFolders(dir)
  const cluster = await findCluster({ dir, env: own, log })
  const remove = async (): Promise<void> => {
    for (const folder of [cluster.dataDir, cluster.socketDir, dir]) await rm(folder, { recursive: true, force: true })
  }
  const secretsFile = join(dir, 'secrets.json')
  makeSecrets(secretsFile)
  const laid = await layFoundation({ settings, folders, env: own, log, signal })
  const env: NodeJS.ProcessEnv = {
    ...own,
    DATABASE_URL: laid.databaseUrl,
    TEMPORAL_ADDRESS: laid.temporalAddress,
    TEMPORAL_CONFIG_FILE: join(dir, 'temporal.toml'),
    HOST: settings.host,
    PUBLIC_URL: settings.publicUrl,
    SANDBOX_URL: settings.sandboxUrl,
    CALLGATE_SECRETS: secretsFile,
    DRAIN_SECONDS: '0',
    APP_ALLOW: '127.0.0.0/8',
    APP_HTTP_HOSTS: hosts.join(','),
  }
  const { logs, run } = folders
  const program = (name: string, script: string) => nodeService({ name, script, env, logs, stopWithinMs: 30_000 })
  try {
    const supervision = await supervise({
      run,
      foundation: laid.services,
      seed: () => migrate(laid.databaseUrl),
      programs: [program('api', 'server/main.ts'), program('worker', 'activities/worker.ts')],
      log,
      signal,
    })
    const ctx = { db: openPool(laid.databaseUrl, pino({ level: 'silent' }), 2), secrets: loadSecrets(secretsFile) }
    return {
      dir,
      url: settings.publicUrl,
      async user() {
        const login = {
          email: `${randomBytes(6).toString('hex')}@example.org`,
          password: randomBytes(12).toString('base64url'),
        }
        const owner = await createUser(ctx, { ...login, plan: 'large' })
        return { ...login, ...(await createKey(ctx, { owner, name: 'Agent', apps: null })) }
      },
      async connector(key, ...words) {
        const command = ['run', '--silent', 'callgate', '--', 'connector', ...words, '--as', 'real-apps']
        try {
          return (
            await promisify(execFile)('npm', command, {
              cwd: root,
              env: {
                ...{ ...env, npm_config_update_notifier: 'false' },
                ...{ CALLGATE_URL: `${settings.publicUrl}/api/v1`, CALLGATE_API_KEY: key },
              },
            })
          ).stdout
        } catch (error) {
          const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
          throw new Error(`connector ${words.join(' ')} failed: ${said.trim()}`, { cause: error })
        }
      },
      async close({ keep }) {
        await ctx.db.end()
        await supervision.stop()
        if (!keep) await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}
