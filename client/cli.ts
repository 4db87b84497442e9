import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Callgate } from './callgate.ts'
import type { CallRecord, EndpointId } from './callgate.ts'
import { doctor } from './doctor.ts'
import { CallEndedError, CallgateError } from './errors.ts'
import { settings } from './settings.ts'
import type { Settings } from './settings.ts'

/** `callgate <command>`: everything that the client can do, from a shell. Exit codes are in the help. */
const help = `callgate: actions of your apps, from a shell

  callgate apps                                  what apps there are
  callgate search book appointment               actions that fit these words
  callgate schema crm.get_project                what an action takes and returns, with an example
  callgate call crm.get_project '{"project_id":"…"}'   make a call; input as an argument, --file or - for stdin
  callgate calls --status awaiting_confirmation  your calls, newest first
  callgate wait call_…                           wait for a call's end
  callgate cancel call_…                         take back a call that has not been sent
  callgate connections                           your connected accounts
  callgate connect crm                           the page where you sign in to an app
  callgate doctor                                what works, what does not, and how to mend it

Options:
  --json            the answer as JSON, for programs
  --wait            call: wait for the end, also for the person's approval (the link goes to stderr)
  --file FILE       call: the input, as JSON
  --account ID      call: which of several accounts
  --key KEY         call: the idempotency key; the same key is the same call
  --status, --app, --limit     calls
  --url, --api-key  the gateway (default $CALLGATE_URL, $CALLGATE_API_KEY, else .callgate/demo.json of this folder)

Exit codes: 0 done; 1 refused or failed; 2 wrong usage; 3 waits for the person, or still running; 4 rejected, expired or cancelled;
5 unknown: look in the app before doing it again; 6 no answer from the gateway
`

class Usage extends Error {}

const { values, positionals } = readArguments()
try {
  process.exitCode = await run(positionals[0] ?? 'help', positionals.slice(1))
} catch (error) {
  process.exitCode = tell(error)
}

async function run(command: string, rest: readonly string[]): Promise<number> {
  if (command === 'help' || values.help === true) return print(help)
  const known = settings(values)
  const client = (): Callgate => {
    if (known.apiKey === undefined) throw new Usage('There is no API key: set CALLGATE_API_KEY, or give --api-key.')
    return new Callgate({ apiKey: known.apiKey, baseUrl: known.url })
  }
  switch (command) {
    case 'apps':
      return apps(known)
    case 'search':
      return search(known, rest)
    case 'schema':
      return print(await discover(known, `/${endpointPath(rest[0])}`))
    case 'call':
      return call(client(), rest)
    case 'calls':
      return calls(client())
    case 'wait':
      return report(await client().waitForEnd(callId(rest)))
    case 'cancel':
      return report(await client().cancel(callId(rest)))
    case 'connections':
      return print(await client().connections())
    case 'connect':
      return connect(known, rest)
    case 'doctor':
      return doctor(known, (line) => void print(line))
    default:
      throw new Usage(`There is no command "${command}".`)
  }
}

async function apps(known: Settings): Promise<number> {
  const { apps: list } = (await discover(known, '/apps')) as {
    apps: { slug: string; name: string; endpoint_count: number }[]
  }
  return print(
    values.json === true
      ? list
      : list.map(({ slug, name, endpoint_count: count }) => `${slug.padEnd(24)}${name} (${count} actions)`).join('\n'),
  )
}

interface Listed {
  readonly name: string
  readonly access: string
  readonly confirm: boolean
  readonly summary: string
}

async function search(known: Settings, words: readonly string[]): Promise<number> {
  const { apps: list } = (await discover(known, '/apps')) as { apps: { slug: string }[] }
  const wanted = words.flatMap((word) => word.toLowerCase().split(/[\s_.]+/)).filter((word) => word !== '')
  if (wanted.length === 0) throw new Usage('Say what you look for: callgate search book appointment')
  const found: (Listed & { endpoint: string; hits: number })[] = []
  for (const { slug } of list) {
    const { endpoints } = (await discover(known, `/${slug}/endpoints`)) as { endpoints: Listed[] }
    for (const one of endpoints) {
      const text = `${slug} ${one.name} ${one.summary}`.toLowerCase()
      const hits = wanted.filter((word) => text.includes(word)).length
      if (hits > 0) found.push({ ...one, endpoint: `${slug}.${one.name}`, hits })
    }
  }
  const best = found.toSorted((a, b) => b.hits - a.hits).slice(0, 20)
  const lines = best.map(({ endpoint, access, confirm, summary }) => {
    return `${endpoint} (${access}${confirm ? ', asks first' : ''})\n    ${summary}`
  })
  return print(
    values.json === true
      ? best.map(({ endpoint, access, confirm, summary }) => ({ endpoint, access, confirm, summary }))
      : lines.join('\n'),
  )
}

async function call(client: Callgate, [id, given]: readonly string[]): Promise<number> {
  endpointPath(id)
  const options = {
    ...(values.account !== undefined && { account: values.account }),
    ...(values.key !== undefined && { idempotencyKey: values.key }),
  }
  // The gateway checks the input against the endpoint's schema, and says what is wrong with it.
  const made = await client.call(id as EndpointId, inputOf(given) as never, options)
  if (made.status === 'executed') return print(made.output)
  if (made.status === 'awaiting_confirmation') {
    process.stderr.write(`Nothing has been sent yet. Approve it here: ${made.confirmUrl}\n`)
    if (values.wait !== true)
      return print({ status: made.status, call_id: made.callId, confirm_url: made.confirmUrl }, 3)
  } else if (made.status !== 'running') return report(await client.getCall(made.callId))
  else if (values.wait !== true) return print({ status: made.status, call_id: made.callId }, 3)
  return report(await client.waitForEnd(made.callId))
}

function inputOf(given: string | undefined): unknown {
  const text =
    values.file !== undefined
      ? readFileSync(values.file, 'utf8')
      : given === '-'
        ? readFileSync(0, 'utf8')
        : (given ?? '{}')
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Usage(`The input is not JSON: ${error instanceof Error ? error.message : ''}`)
  }
}

async function calls(client: Callgate): Promise<number> {
  const filter = {
    ...(values.status !== undefined && { status: values.status as CallRecord['status'] }),
    ...(values.app !== undefined && { app: values.app }),
    ...(values.limit !== undefined && { limit: Number(values.limit) }),
  }
  const { calls: list } = await client.listCalls(filter)
  if (values.json === true) return print(list)
  return print(
    list
      .map((one) => `${one.call_id}  ${one.status.padEnd(22)}${one.app}.${one.endpoint}  ${one.created_at}`)
      .join('\n'),
  )
}

async function connect(known: Settings, [slug]: readonly string[]): Promise<number> {
  const app = (await discover(known, `/${slug ?? ''}`)) as { connection?: { connect_url?: string } }
  if (app.connection?.connect_url === undefined) throw new Usage('Say which app: callgate connect crm')
  return print(values.json === true ? { connect_url: app.connection.connect_url } : app.connection.connect_url)
}

/** What anybody may read. */
async function discover({ url }: Settings, path: string): Promise<unknown> {
  let response: Response
  try {
    response = await fetch(`${url}${path}`)
  } catch (error) {
    throw new CallgateError(
      0,
      { error: 'no_answer', message: `No answer from ${url}. callgate doctor says more.` },
      undefined,
      error,
    )
  }
  const body: unknown = await response.json()
  if (!response.ok) throw new CallgateError(response.status, body as Record<string, unknown>)
  return body
}

function endpointPath(id: string | undefined): string {
  const [, app = '', name = ''] = /^([a-z-]+)\.([a-z_]+)$/.exec(id ?? '') ?? []
  if (name === '') throw new Usage('Say which action, as app.endpoint: callgate schema crm.get_project')
  return `${app}/endpoints/${name}`
}

function callId([id]: readonly string[]): string {
  if (id === undefined) throw new Usage('Say which call: its id begins with call_.')
  return id
}

/** A call's end, as its exit code tells. */
function report(record: CallRecord): number {
  if (record.status === 'executed') return print(values.json === true ? record : record.output)
  if (record.status === 'failed') throw new CallgateError(record.error?.http_status ?? 0, record.error ?? {})
  if (record.status === 'awaiting_confirmation' || record.status === 'running') return print(record, 3)
  print(record)
  throw new CallEndedError(record.call_id, record.status)
}

function print(value: unknown, code = 0): number {
  process.stdout.write(typeof value === 'string' ? `${value.trimEnd()}\n` : `${JSON.stringify(value, null, 2)}\n`)
  return code
}

function tell(error: unknown): number {
  if (error instanceof CallgateError) {
    if (values.json === true) print(error.body)
    process.stderr.write(`${error.code}: ${error.message}${error.link === undefined ? '' : `\nOpen ${error.link}`}\n`)
    return error.status === 0 ? 6 : 1
  }
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  if (error instanceof CallEndedError) return error.status === 'unknown' ? 5 : 4
  if (error instanceof Usage) process.stderr.write('callgate help lists the commands.\n')
  return 2
}

function readArguments() {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        json: flag,
        wait: flag,
        help: { ...flag, short: 'h' },
        file: text,
        account: text,
        key: text,
        status: text,
        app: text,
        limit: text,
        url: text,
        'api-key': text,
        'admin-url': text,
      },
    })
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : ''}\ncallgate help lists the options.\n`)
    process.exit(2)
  }
}
