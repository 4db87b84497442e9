import type { Settings } from './settings.ts'

interface Finding {
  readonly what: string
  readonly ok: boolean
  readonly found: string
  /** What to do about it. */
  readonly mend?: string
}

/** Looks at what a call needs, one thing after the other; 1 when something is broken. */
export async function doctor(settings: Settings, say: (line: unknown) => void): Promise<number> {
  const findings = [await gateway(settings), await key(settings), await accounts(settings), ...(await health(settings))]
  for (const { what, ok, found, mend } of findings)
    say(`${ok ? '✓' : '✗'} ${what}: ${found}${ok || mend === undefined ? '' : `\n    ${mend}`}`)
  return findings.every(({ ok }) => ok) ? 0 : 1
}

async function gateway({ url }: Settings): Promise<Finding> {
  const what = 'gateway'
  const response = await asked(`${url}/apps`)
  if (response === undefined)
    return {
      what,
      ok: false,
      found: `no answer from ${url}`,
      mend: 'Start it (npm start), or set CALLGATE_URL to where it is.',
    }
  if (!response.ok)
    return { what, ok: false, found: `${url} answered ${response.status}`, mend: 'CALLGATE_URL must end in /api/v1.' }
  const { apps = [] } = (await response.json()) as { apps?: unknown[] }
  const away = Math.abs(Date.parse(response.headers.get('date') ?? '') - Date.now()) / 1000
  if (away > 60)
    return {
      what,
      ok: false,
      found: `its clock differs by ${Math.round(away)} s`,
      mend: 'Set both clocks by NTP: times to decide and keys depend on them.',
    }
  return { what, ok: true, found: `${url} answers, ${apps.length} apps` }
}

async function key({ url, apiKey }: Settings): Promise<Finding> {
  const what = 'key'
  if (apiKey === undefined)
    return { what, ok: false, found: 'none', mend: 'Make one in the dashboard (Keys), and set CALLGATE_API_KEY.' }
  const response = await asked(`${url}/calls?limit=1`, apiKey)
  if (response === undefined) return { what, ok: false, found: 'could not be tried' }
  if (response.status === 403)
    return {
      what,
      ok: false,
      found: 'not valid',
      mend: 'It was revoked, has expired, or is of another gateway: make one in the dashboard (Keys).',
    }
  return { what, ok: response.ok, found: response.ok ? 'valid' : `answered ${response.status}` }
}

async function accounts({ url, apiKey }: Settings): Promise<Finding> {
  const what = 'accounts'
  const response = apiKey === undefined ? undefined : await asked(`${url}/connections`, apiKey)
  if (!response?.ok) return { what, ok: true, found: 'not asked' }
  const { connections } = (await response.json()) as {
    connections: { app: string; label: string; state: string; connect_url: string }[]
  }
  const broken = connections.filter(({ state }) => state === 'expired' || state === 'needs_check')
  if (broken.length === 0) return { what, ok: true, found: `${connections.length} connected` }
  return {
    what,
    ok: false,
    found: broken.map(({ app, label }) => `${label} (${app})`).join(', '),
    mend: `Sign in again: ${broken.map((one) => one.connect_url).join(' ')}`,
  }
}

/** What only the gateway's own machine is told. */
async function health({ adminUrl }: Settings): Promise<readonly Finding[]> {
  const response = await asked(`${adminUrl}/readyz`)
  if (response === undefined)
    return [
      {
        what: 'engine and database',
        ok: true,
        found: `not asked: nothing answers at ${adminUrl}, which only its operators reach`,
      },
    ]
  const ready = (await response.json()) as { database?: boolean; engine?: boolean }
  return [
    {
      what: 'database',
      ok: ready.database === true,
      found: ready.database === true ? 'answers' : 'away',
      mend: 'Look at .callgate/logs/postgres.log, or at DATABASE_URL.',
    },
    {
      what: 'engine',
      ok: ready.engine === true,
      found: ready.engine === true ? 'answers' : 'away',
      mend: 'Look at .callgate/logs/temporal.log, or at TEMPORAL_ADDRESS.',
    },
  ]
}

async function asked(url: string, apiKey?: string): Promise<Response | undefined> {
  try {
    return await fetch(url, {
      signal: AbortSignal.timeout(5000),
      ...(apiKey !== undefined && { headers: { Authorization: `Bearer ${apiKey}` } }),
    })
  } catch {
    // No answer is an answer here: the caller says what it means.
    return undefined
  }
}
