import { existsSync, readFileSync } from 'node:fs'
import { addressOf, isAddress } from './address.ts'

/** The gateway to use, and the API key for it. */
export interface Settings {
  /** Ends in `/api/v1`; unchanged if it is not a valid URL. */
  readonly url: string
  readonly apiKey: string | undefined
  /** The operators' server, for health checks. */
  readonly adminUrl: string
}

/** Precedence: options, environment, then what `npm start` wrote into this folder. */
export function settings(options: {
  readonly url?: string | undefined
  readonly 'api-key'?: string | undefined
  readonly 'admin-url'?: string | undefined
}): Settings {
  const { env } = process
  const dir = env['CALLGATE_DIR'] || '.callgate'
  const demo = readJson<{ readonly base_url?: string; readonly api_key?: string }>(`${dir}/demo.json`)
  const started = readJson<{ readonly admin_url?: string }>(`${dir}/gateway.json`)
  const given = options.url ?? env['CALLGATE_URL'] ?? demo.base_url ?? 'http://127.0.0.1:8080'
  const url = isAddress(given) ? addressOf(given) : given
  return {
    url,
    // The key in the file belongs to that gateway: never send it to another one.
    apiKey: options['api-key'] ?? env['CALLGATE_API_KEY'] ?? (url === demo.base_url ? demo.api_key : undefined),
    adminUrl: options['admin-url'] ?? env['CALLGATE_ADMIN_URL'] ?? localAdmin(env['ADMIN_PORT'], started.admin_url),
  }
}

function localAdmin(port: string | undefined, started: string | undefined): string {
  return port === undefined && started !== undefined ? started : `http://127.0.0.1:${port ?? '8081'}`
}

/** Empty when `npm start` never ran in this folder. */
function readJson<T extends object>(file: string): Partial<T> {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : {}
}
