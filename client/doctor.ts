import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { isAddress } from './address.ts'
import type { Answer } from './answer.ts'
import type { Finding } from './finding.ts'
import type { Settings } from './settings.ts'

/** Checks everything that a call needs; exit code 1 when a check fails. */
export async function doctor(settings: Settings): Promise<Answer> {
  const { findings: reached, answering } = await gateway(settings)
  const findings = [
    ...reached,
    await key(settings),
    await accounts(settings),
    ...(await health(settings, answering)),
    ...(await machine(settings, answering)),
  ]
  const lines = findings.map(
    ({ what, ok, found, mend }) =>
      `${ok ? '✓' : '✗'} ${what}: ${found}${ok || mend === undefined ? '' : `\n    ${mend}`}`,
  )
  return { value: findings, text: lines.join('\n'), code: findings.every(({ ok }) => ok) ? 0 : 1 }
}

/** Checks the gateway and its clock; returns the port at which it answers, too. */
async function gateway({ url }: Settings): Promise<{ findings: readonly Finding[]; answering: readonly number[] }> {
  const bad = (found: string, mend: string) => ({
    findings: [{ what: 'gateway', ok: false, found, mend }],
    answering: [],
  })
  if (!isAddress(url)) return bad(`"${url}" is no address`, 'Set CALLGATE_URL to its address, from http:// to /api/v1.')
  const response = await asked(`${url}/apps`)
  if (response === undefined)
    return bad(`no answer from ${url}`, 'Start it (npm start), or set CALLGATE_URL to where it is.')
  const { apps } = await bodyOf<{ apps?: unknown[] }>(response)
  if (apps === undefined)
    return bad(
      `${url} answered ${response.status}, and is no Callgate`,
      'Set CALLGATE_URL to its address, ending in /api/v1.',
    )
  const found = `${url} answers, ${apps.length} apps`
  return { findings: [{ what: 'gateway', ok: true, found }, clock(response)], answering: [portOf(url)] }
}

function clock(response: Response): Finding {
  const what = 'clock'
  const away = Math.round(Math.abs(Date.parse(response.headers.get('date') ?? '') - Date.now()) / 1000)
  if (away <= 60) return { what, ok: true, found: "agrees with the gateway's" }
  const mend = 'Set both clocks by NTP: times to decide and keys depend on them.'
  return { what, ok: false, found: `differs from the gateway's by ${away} s`, mend }
}

async function key({ url, apiKey }: Settings): Promise<Finding> {
  const what = 'key'
  if (apiKey === undefined)
    return { what, ok: false, found: 'none', mend: 'Make one in the dashboard (Keys), and set CALLGATE_API_KEY.' }
  if (!/^[!-~]+$/.test(apiKey.trim()))
    return {
      what,
      ok: false,
      found: 'it has characters that no key has',
      mend: 'Copy it again: all of it, and nothing else.',
    }
  const response = await asked(`${url}/calls?limit=1`, apiKey)
  const { calls, error } = response ? await bodyOf<{ calls?: unknown[]; error?: string }>(response) : {}
  if (calls !== undefined) return { what, ok: true, found: 'valid' }
  if (error !== 'api_key_invalid') return { what, ok: false, found: `could not be tried (${error ?? 'no answer'})` }
  const mend = 'It was revoked, has expired, or is of another gateway: make one in the dashboard (Keys).'
  return { what, ok: false, found: 'not valid', mend }
}

interface Connection {
  readonly app: string
  readonly label: string
  readonly state: string
  readonly connect_url: string
}

async function accounts({ url, apiKey }: Settings): Promise<Finding> {
  const what = 'accounts'
  const response = apiKey === undefined ? undefined : await asked(`${url}/connections`, apiKey)
  const { connections } = response ? await bodyOf<{ connections?: readonly Connection[] }>(response) : {}
  if (connections === undefined) return { what, ok: true, found: 'not asked' }
  const broken = connections.filter(({ state }) => state === 'expired' || state === 'needs_check')
  if (broken.length === 0) return { what, ok: true, found: `${connections.length} connected` }
  const found = broken.map(({ app, label }) => `${label} (${app})`).join(', ')
  return { what, ok: false, found, mend: `Sign in again: ${broken.map((one) => one.connect_url).join(' ')}` }
}

/** The gateway's readiness, from a port that only its operators reach. */
async function health({ adminUrl }: Settings, answering: readonly number[]): Promise<readonly Finding[]> {
  const response = await asked(`${adminUrl}/readyz`)
  const { database, engine } = response ? await bodyOf<{ database?: boolean; engine?: boolean }>(response) : {}
  if (database === undefined || engine === undefined) {
    const found = `not asked: no Callgate answers at ${adminUrl}, which only its operators reach`
    const mend = 'Set ADMIN_PORT as it is set where the gateway runs, or CALLGATE_ADMIN_URL.'
    return [{ what: 'database and engine', ok: answering.length === 0 || !isHere(adminUrl), found, mend }]
  }
  const finding = (what: string, ok: boolean, mend: string) => ({ what, ok, found: ok ? 'answers' : 'away', mend })
  return [
    finding('database', database, 'Look at .callgate/logs/postgres.log, or at DATABASE_URL.'),
    finding('engine', engine, 'Look at .callgate/logs/temporal.log, or at TEMPORAL_ADDRESS.'),
  ]
}

/** Local checks, by the gateway's own part of the doctor, which the packed client lacks. */
async function machine({ url, adminUrl }: Settings, answering: readonly number[]): Promise<readonly Finding[]> {
  const what = 'secret keys, ports and Chromium'
  const script = fileURLToPath(new URL('../scripts/doctor/main.ts', import.meta.url))
  if (!isAddress(url)) return [{ what, ok: true, found: 'not looked at: where the gateway is, is not known' }]
  if (!isHere(url)) return [{ what, ok: true, found: 'not looked at: the gateway is on another machine' }]
  if (!existsSync(script)) return [{ what, ok: true, found: 'not looked at: Callgate itself is not in this folder' }]
  const ports = answering.length === 0 ? [] : [...answering, portOf(adminUrl)]
  try {
    const options = { timeout: 60_000 }
    const { stdout } = await promisify(execFile)(process.execPath, [script, ...ports.map(String)], options)
    return JSON.parse(stdout) as Finding[]
  } catch (error) {
    const found = `could not be looked at (${error instanceof Error ? error.message : ''})`
    return [{ what, ok: false, found, mend: 'Install what Callgate needs: npm ci.' }]
  }
}

function isHere(url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname.replaceAll(/[[\]]/g, '') : ''
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses?.map(({ address }) => address) ?? [])
  return host === 'localhost' || own.includes(host)
}

function portOf(url: string): number {
  const { port, protocol } = new URL(url)
  return Number(port || (protocol === 'https:' ? 443 : 80))
}

async function bodyOf<T extends object>(response: Response): Promise<Partial<T>> {
  // Not JSON, or cut short: every field is then missing, and the findings explain that.
  return Object((await response.json().catch(() => undefined)) as unknown) as Partial<T>
}

async function asked(url: string, apiKey?: string): Promise<Response | undefined> {
  try {
    return await fetch(url, {
      signal: AbortSignal.timeout(5000),
      redirect: 'manual',
      ...(apiKey !== undefined && { headers: { Authorization: `Bearer ${apiKey}` } }),
    })
  } catch {
    // Undefined means no answer; each caller explains what follows from it.
    return undefined
  }
}
