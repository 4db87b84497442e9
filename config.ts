import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import ipaddr from 'ipaddr.js'

/** What the API and worker processes read from the environment, once, at boot. No secrets. */
export interface Config {
  readonly databaseUrl: string
  /** Maximum number of connections in this process's pool. */
  readonly databaseConnections: number
  readonly temporalAddress: string
  readonly temporalNamespace: string
  readonly host: string
  readonly port: number
  readonly adminPort: number
  /** Port of a worker's health and metrics; null: none. */
  readonly workerAdminPort: number | null
  /** Port of the Temporal SDK's own metrics of this process; null: none. */
  readonly sdkMetricsPort: number | null
  /** Where operators reach the API's admin port, without a trailing slash. */
  readonly adminUrl: string
  /** Public address of the gateway, without a trailing slash. */
  readonly publicUrl: string
  /** Where the sandbox apps are, without a trailing slash. */
  readonly sandboxUrl: string
  readonly temporalUiUrl: string
  /** Embedded Temporal UI: where our proxy listens, and the UI behind it. Null: none to guard. */
  readonly temporalUi: { readonly host: string; readonly port: number; readonly upstream: string } | null
  /** Folder of data, logs and pid files. */
  readonly dir: string
  readonly secretsFile: string
  /** Record of erased users, outside the database and its backups. */
  readonly erasedFile: string
  /** Number of proxies in front whose X-Forwarded-For entry is believed; 0 = none. */
  readonly trustProxy: number
  /** Listen for clients only once ready: until then, load balancers use another process. */
  readonly listenWhenReady: boolean
  /** Days that inputs and outputs of final calls are kept. */
  readonly retentionDays: number
  /** Outgoing mail; null: not set up. `url` is a function so that printing it shows no password. */
  readonly mail: { readonly url: () => string; readonly from: string } | null
  /** Networks that webhooks may reach besides public addresses, as CIDRs. */
  readonly webhookAllow: readonly string[]
  /** The same for app addresses that users enter when they connect. */
  readonly appAllow: readonly string[]
  /** The same for file URLs in calls, plain http included. */
  readonly fileAllow: readonly string[]
  /** Hosts, with ports, where such an app may be reached over plain http. */
  readonly appHttpHosts: readonly string[]
  /** Origins whose pages may call /mcp from a browser, besides local ones and our own. */
  readonly mcpOrigins: readonly string[]
  /** How long a stopping process fails /readyz, yet accepts connections, before closing (s). */
  readonly drainSeconds: number
  /** Maximum number of sign-in browsers that an API process runs at once. */
  readonly signInBrowsers: number
  /** The service that runs them; null: this process does. Printing this shows no secret. */
  readonly browserService: BrowserService | null
  /**
   * Limits at which a process refuses new calls: calls in acceptance, requests waiting for a
   * database connection, median event loop delay (ms), queued workflow tasks.
   */
  readonly admission: Readonly<Record<AdmissionSignal, number>>
  /** Where spans go, OTLP over HTTP; null: no tracing. */
  readonly tracesUrl: string | null
  /** Release name set by the deploy (core/temporal/releases.ts); null: unnamed. */
  readonly release: string | null
  readonly logLevel: string
  /** Where a test makes this process kill itself (core/fail-point.ts); null outside tests. */
  readonly failPoint: string | null
}

/** Load signals at which a process refuses new calls: core/admission.ts. */
export const admissionSignals = ['accepting', 'database', 'event_loop', 'workflows'] as const
export type AdmissionSignal = (typeof admissionSignals)[number]

/** Where sign-in browsers run if not in this process, and the secret to send there. */
export interface BrowserService {
  readonly url: string
  readonly secret: () => string
}

/** Configuration of the browser service; it shares only the secret with the gateway. */
export interface BrowserServerConfig {
  readonly host: string
  readonly port: number
  readonly secret: () => string
  /** Browsers at once, for all API processes together. */
  readonly browsers: number
  readonly dir: string
}

/** Keys kept outside the database, by key id, 32 bytes each. The last seals and signs; all open. */
export interface Secrets {
  readonly kek: ReadonlyMap<string, Buffer>
  readonly approval: ReadonlyMap<string, Buffer>
  /** For hashes of API keys, cookies, cursors, idempotency contents: the last makes, all verify. */
  readonly pepper: ReadonlyMap<string, Buffer>
  /** What the shared operator token is derived from. */
  readonly operator: Buffer
}

type Env = Readonly<Record<string, string | undefined>>

const logLevels: readonly string[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

/** Reads and checks the environment; throws one error that lists every problem. */
export function loadConfig(env: Env = process.env): Config {
  const problems: string[] = []
  /** An empty variable counts as unset. */
  const text = (name: string, fallback: string): string => env[name] || fallback
  const required = (name: string): string => {
    const value = text(name, '')
    if (value === '') problems.push(`${name} is not set`)
    return value
  }
  const number = (name: string, fallback: number, max?: number, min?: number): number =>
    numberOf(env, name, problems, { fallback, max, min })
  const yes = (name: string): boolean => {
    const value = text(name, 'false')
    if (!/^(?:true|false)$/.test(value)) problems.push(`${name} must be true or false, not "${value}"`)
    return value === 'true'
  }
  const portOrNone = (name: string): number | null => (text(name, '') === '' ? null : number(name, 0))
  const url = (name: string, fallback: string): string => urlOf(text(name, fallback), name, problems)

  const host = text('HOST', '127.0.0.1')
  const port = number('PORT', 8080)
  const adminPort = number('ADMIN_PORT', 8081)
  const dir = path.resolve(text('CALLGATE_DIR', '.callgate'))
  const secretsFile = path.resolve(text('CALLGATE_SECRETS', path.join(dir, 'secrets.json')))
  const config: Config = {
    databaseUrl: withPassword(required('DATABASE_URL'), fileOf(env, 'DATABASE_PASSWORD_FILE', problems), problems),
    databaseConnections: number('DATABASE_CONNECTIONS', 20, 500, 5),
    temporalAddress: required('TEMPORAL_ADDRESS'),
    temporalNamespace: text('TEMPORAL_NAMESPACE', 'default'),
    host,
    port,
    adminPort,
    workerAdminPort: portOrNone('WORKER_ADMIN_PORT'),
    sdkMetricsPort: portOrNone('SDK_METRICS_PORT'),
    adminUrl: url('CALLGATE_ADMIN_URL', localUrl(host, adminPort)),
    publicUrl: url('PUBLIC_URL', localUrl(host, port)),
    sandboxUrl: url('SANDBOX_URL', `http://localhost:${number('SANDBOX_PORT', 8090)}`),
    temporalUiUrl: url('TEMPORAL_UI_URL', `http://127.0.0.1:${number('TEMPORAL_UI_PORT', 8233)}`),
    temporalUi:
      text('TEMPORAL_UI_UPSTREAM', '') === ''
        ? null
        : {
            host: text('TEMPORAL_UI_HOST', '127.0.0.1'),
            port: number('TEMPORAL_UI_PORT', 8233),
            upstream: url('TEMPORAL_UI_UPSTREAM', ''),
          },
    dir,
    secretsFile,
    erasedFile: path.resolve(text('CALLGATE_ERASED', path.join(path.dirname(secretsFile), 'erased.jsonl'))),
    trustProxy: number('TRUST_PROXY', 0, 100),
    listenWhenReady: yes('LISTEN_WHEN_READY'),
    retentionDays: number('CALLGATE_RETENTION_DAYS', 30, 36_500),
    mail: mailOf(env, problems),
    webhookAllow: networksOf(env, 'WEBHOOK_ALLOW', problems),
    appAllow: networksOf(env, 'APP_ALLOW', problems),
    fileAllow: networksOf(env, 'FILE_ALLOW', problems),
    appHttpHosts: hostsOf(env, problems),
    mcpOrigins: originsOf(env, problems),
    drainSeconds: number('DRAIN_SECONDS', 10, 600),
    signInBrowsers: number('SIGN_IN_BROWSERS', 3, 100, 1),
    browserService: browserServiceOf(env, problems),
    admission: {
      accepting: number('ADMIT_ACCEPTING', 200, 100_000, 1),
      database: number('ADMIT_DATABASE_WAITS', 200, 100_000, 1),
      event_loop: number('ADMIT_LOOP_DELAY_MS', 1_000, 60_000, 1),
      workflows: number('ADMIT_WORKFLOW_TASKS', 2_000, 1_000_000, 1),
    },
    tracesUrl:
      (text('OTEL_EXPORTER_OTLP_ENDPOINT', '') && `${url('OTEL_EXPORTER_OTLP_ENDPOINT', '')}/v1/traces`) || null,
    release: text('CALLGATE_RELEASE', '') || null,
    logLevel: text('LOG_LEVEL', 'info'),
    failPoint: env['CALLGATE_FAIL_POINT'] || null,
  }
  const { pathname = '/', search = '', hash = '' } = URL.parse(config.publicUrl) ?? {}
  if (pathname + search + hash !== '/')
    problems.push(
      `PUBLIC_URL must end with the host or its port, as nothing is served below a path: "${config.publicUrl}"`,
    )
  if (config.release !== null && !/^[\w.+-]{1,60}$/.test(config.release))
    problems.push(`CALLGATE_RELEASE may have up to 60 letters, digits and the signs . _ + -, not "${config.release}"`)
  if (!logLevels.includes(config.logLevel))
    problems.push(`LOG_LEVEL must be one of ${logLevels.join(', ')}, not "${config.logLevel}"`)
  if (config.failPoint !== null && env['NODE_ENV'] !== 'test')
    problems.push('CALLGATE_FAIL_POINT kills this process: it is for tests only and needs NODE_ENV=test')
  if (problems.length > 0) throw new Error(`Configuration: ${problems.join('; ')}`)
  return config
}

/** What of it concerns sign-in browsers alone. */
export function loadBrowserService(env: Env = process.env): BrowserService | null {
  const problems: string[] = []
  const service = browserServiceOf(env, problems)
  if (problems.length > 0) throw new Error(`Configuration: ${problems.join('; ')}`)
  return service
}

export function loadBrowserServerConfig(env: Env = process.env): BrowserServerConfig {
  const problems: string[] = []
  const config: BrowserServerConfig = {
    host: env['HOST'] || '127.0.0.1',
    port: numberOf(env, 'PORT', problems, { fallback: 8070 }),
    secret: browserSecretOf(env, problems),
    browsers: numberOf(env, 'CALLGATE_BROWSERS', problems, { fallback: 6, max: 100, min: 1 }),
    dir: path.resolve(env['CALLGATE_DIR'] || '.callgate'),
  }
  if (problems.length > 0) throw new Error(`Configuration: ${problems.join('; ')}`)
  return config
}

function urlOf(value: string, name: string, problems: string[]): string {
  if (!/^https?:$/.test(URL.parse(value)?.protocol ?? ''))
    problems.push(`${name} must be an http or https address, not "${value}"`)
  return value.replace(/\/+$/, '')
}

function browserServiceOf(env: Env, problems: string[]): BrowserService | null {
  const name = 'CALLGATE_BROWSER_URL'
  const url = env[name] ?? ''
  return url === '' ? null : { url: urlOf(url, name, problems), secret: browserSecretOf(env, problems) }
}

function numberOf(
  env: Env,
  name: string,
  problems: string[],
  { fallback, max = 65_535, min = 0 }: { fallback: number; max?: number | undefined; min?: number | undefined },
): number {
  const value = Number(env[name] || String(fallback))
  if (!Number.isInteger(value) || value < min || value > max)
    problems.push(`${name} must be a whole number from ${min} to ${max}, not "${env[name]}"`)
  return value
}

/** No problem quotes it. A header carries it, so it is printable ASCII. */
function browserSecretOf(env: Env, problems: string[]): () => string {
  const secret = env['CALLGATE_BROWSER_SECRET'] || fileOf(env, 'CALLGATE_BROWSER_SECRET_FILE', problems) || ''
  if (!/^[!-~]{32,}$/.test(secret))
    problems.push('CALLGATE_BROWSER_SECRET or the file CALLGATE_BROWSER_SECRET_FILE must have 32 characters or more')
  return () => secret
}

/** URL at which this machine reaches a server that listens on that address. */
export function localUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** Text of the file that the variable names; undefined when it names none. */
function fileOf(env: Env, name: string, problems: string[]): string | undefined {
  const file = env[name] ?? ''
  if (file === '') return undefined
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    problems.push(`${name} cannot be read (${error instanceof Error ? error.message : String(error)})`)
    return undefined
  }
}

function withPassword(databaseUrl: string, password: string | undefined, problems: string[]): string {
  if (password === undefined) return databaseUrl
  const url = URL.parse(databaseUrl)
  if (url === null || password === '') {
    problems.push('DATABASE_PASSWORD_FILE must hold a password, and DATABASE_URL be an address without one')
    return databaseUrl
  }
  url.password = encodeURIComponent(password)
  return url.href
}

/** The mail server. Its address may hold a password, so no problem quotes it. */
function mailOf(env: Env, problems: string[]): Config['mail'] {
  const url = env['SMTP_URL'] || fileOf(env, 'SMTP_URL_FILE', problems) || ''
  const from = env['SMTP_FROM'] ?? ''
  if (url === '') return null
  const parsed = URL.parse(url)
  if (!/^smtps?:$/.test(parsed?.protocol ?? '') || parsed?.hostname === '')
    problems.push('SMTP_URL must be an address like smtps://user:password@mail.example.com:465')
  if (!/^[^\r\n]*[^\s@]+@[^\s@]+$/.test(from)) problems.push('SMTP_FROM must be the email address that mail comes from')
  return { url: () => url, from }
}

function networksOf(env: Env, name: string, problems: string[]): readonly string[] {
  const networks = listOf(env, name)
  for (const network of networks)
    if (!ipaddr.isValidCIDR(network))
      problems.push(`${name} must list networks like 10.1.0.0/16 with commas between them, not "${network}"`)
  return networks
}

function hostsOf(env: Env, problems: string[]): readonly string[] {
  const hosts = listOf(env, 'APP_HTTP_HOSTS')
  for (const host of hosts)
    if (URL.parse(`http://${host}`)?.host !== host)
      problems.push(`APP_HTTP_HOSTS must list hosts like wiki.example.com:8080 with commas between them, not "${host}"`)
  return hosts
}

function originsOf(env: Env, problems: string[]): readonly string[] {
  const origins = listOf(env, 'MCP_ORIGINS')
  for (const origin of origins)
    if (!/^https?:/.test(origin) || URL.parse(origin)?.origin !== origin)
      problems.push(
        `MCP_ORIGINS must list sites like https://chat.example.com with commas between them, not "${origin}"`,
      )
  return origins
}

function listOf(env: Env, name: string): readonly string[] {
  return (env[name] ?? '').split(',').flatMap((text) => text.trim() || [])
}

/** Reads the key file (JSON, see docs/operating.md). Throws if a key is missing or not 32 bytes. */
export function loadSecrets(file: string): Secrets {
  const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'))
  const field = (value: unknown, name: string): unknown =>
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
  const key = (value: unknown, name: string): Buffer => {
    const bytes = Buffer.from(typeof value === 'string' ? value : '', 'base64')
    if (bytes.length !== 32) throw new Error(`${file}: ${name} must be 32 bytes in base64`)
    return bytes
  }
  const ring = (name: string): ReadonlyMap<string, Buffer> => {
    const entries = Object.entries(field(parsed, name) ?? {})
    if (entries.length === 0) throw new Error(`${file}: ${name} needs at least one key`)
    return new Map(entries.map(([id, value]) => [id, key(value, `${name}.${id}`)]))
  }
  // Older key files have one pepper, as text.
  const single = field(parsed, 'pepper')
  const pepper = typeof single === 'string' ? new Map([['k1', key(single, 'pepper')]]) : ring('pepper')
  const operator = field(parsed, 'operator')
  return {
    kek: ring('kek'),
    approval: ring('approval'),
    pepper,
    operator: operator === undefined ? operatorOf(pepper) : key(operator, 'operator'),
  }
}

/** For older key files without an operator key: derived from the oldest pepper. */
function operatorOf(pepper: ReadonlyMap<string, Buffer>): Buffer {
  const [oldest = Buffer.alloc(0)] = pepper.values()
  return createHmac('sha256', oldest).update('derived\0operator').digest()
}
