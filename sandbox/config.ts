import { isIP } from 'node:net'
import { join, resolve } from 'node:path'

export interface SandboxConfig {
  port: number
  host: string
  dataDir: string
}

/** The sandbox's own reading of the environment; nothing else in `sandbox/` looks at it. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): SandboxConfig {
  const text = env['SANDBOX_PORT'] ?? ''
  const port = text === '' ? 8090 : Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error(`SANDBOX_PORT must be a port number from 0 to 65535, not "${text}".`)
  }
  const host = env['SANDBOX_HOST'] || '127.0.0.1'
  if (isIP(host) === 0) throw new Error(`SANDBOX_HOST must be an IP address of this machine, not "${host}".`)
  return { port, host, dataDir: resolve(join(env['CALLGATE_DIR'] || '.callgate', 'sandbox')) }
}
