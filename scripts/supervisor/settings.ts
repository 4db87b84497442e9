import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { localUrl } from '../../config.ts'
import { SetupError } from '../../local-services/setup-error.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Settings of `npm start`, from the environment. */
export interface Settings {
  dir: string
  host: string
  ports: Ports
  publicUrl: string
  sandboxUrl: string
  temporalUiUrl: string
  /** An external server and database, instead of the embedded ones. */
  temporalAddress: string | undefined
  temporalNamespace: string
  databaseUrl: string | undefined
}

export interface Ports {
  PORT: number
  ADMIN_PORT: number
  SANDBOX_PORT: number
  TEMPORAL_PORT: number
  TEMPORAL_UI_PORT: number
}

export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const text = (name: string) => (env[name] === '' ? undefined : env[name])
  const port = (name: keyof Ports, fallback: number) => {
    const value = Number(text(name) ?? fallback)
    if (Number.isInteger(value) && value > 0 && value < 65_536) return value
    throw new SetupError(`${name} must be a port number from 1 to 65535, not "${env[name]}"`)
  }
  const ports = {
    PORT: port('PORT', 8080),
    ADMIN_PORT: port('ADMIN_PORT', 8081),
    SANDBOX_PORT: port('SANDBOX_PORT', 8090),
    TEMPORAL_PORT: port('TEMPORAL_PORT', 7233),
    TEMPORAL_UI_PORT: port('TEMPORAL_UI_PORT', 8233),
  }
  const host = text('HOST') ?? '127.0.0.1'
  const temporalAddress = text('TEMPORAL_ADDRESS')
  return {
    dir: resolve(text('CALLGATE_DIR') ?? join(root, '.callgate')),
    host,
    ports,
    publicUrl: (text('PUBLIC_URL') ?? localUrl(host, ports.PORT)).replace(/\/+$/, ''),
    sandboxUrl: `http://localhost:${ports.SANDBOX_PORT}`,
    temporalUiUrl: text('TEMPORAL_UI_URL') ?? `http://127.0.0.1:${ports.TEMPORAL_UI_PORT}`,
    temporalAddress,
    temporalNamespace: (temporalAddress && text('TEMPORAL_NAMESPACE')) || 'default',
    databaseUrl: text('DATABASE_URL'),
  }
}
