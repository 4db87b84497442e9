import { existsSync, readFileSync } from 'node:fs'
import { addressOf, isAddress } from './address.ts'

/** Which gateway, and with which key. */
export interface Settings {
  /** Ends in `/api/v1`; as it was given where it is no address. */
  readonly url: string
  readonly apiKey: string | undefined
  /** Where the gateway's operators look at its health. */
  readonly adminUrl: string
}

/** Options come first, then the environment, then what `npm start` wrote into this folder. */
export function settings(options: {
  readonly url?: string | undefined
  readonly 'api-key'?: string | undefined
  readonly 'admin-url'?: string | undefined
}): Settings {
  const { env } = process
  const demo = readDemo(`${env['CALLGATE_DIR'] ?? '.callgate'}/demo.json`)
  const given = options.url ?? env['CALLGATE_URL'] ?? demo.base_url ?? 'http://127.0.0.1:8080'
  const url = isAddress(given) ? addressOf(given) : given
  return {
    url,
    // The key in the file is that gateway's: no other one gets to see it.
    apiKey: options['api-key'] ?? env['CALLGATE_API_KEY'] ?? (url === demo.base_url ? demo.api_key : undefined),
    adminUrl: options['admin-url'] ?? env['CALLGATE_ADMIN_URL'] ?? `http://127.0.0.1:${env['ADMIN_PORT'] ?? '8081'}`,
  }
}

function readDemo(file: string): { readonly base_url?: string; readonly api_key?: string } {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { base_url?: string; api_key?: string }) : {}
}
