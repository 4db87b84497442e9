import { parseArgs } from 'node:util'
import { Usage } from './answer.ts'
import type { Answer } from './answer.ts'
import { Callgate } from './callgate.ts'
import { call, calls, cancel, wait } from './calling.ts'
import { apps, connect, schema, search } from './discovery.ts'
import { doctor } from './doctor.ts'
import { CallEndedError, CallgateError, OptionError } from './errors.ts'
import { listen } from './listen.ts'
import { settings } from './settings.ts'
import { types } from './types.ts'

/** `callgate <command>`: the client's features in a shell. Exit codes are in the help. */
const help = `callgate: actions of your apps, from a shell

  callgate apps                                  what apps there are
  callgate search book appointment               actions that fit these words
  callgate schema crm.get_project                what an action takes and returns, with an example
  callgate call crm.get_project '{"project_id":"…"}'   make a call; input as an argument, --file or - for stdin
  callgate calls --status awaiting_confirmation  your calls, newest first
  callgate wait call_…                           wait for a call's end
  callgate cancel call_…                         take back a call that has not been sent
  callgate listen 8000                           post what webhooks would say of your calls to a port of this machine
  callgate connections                           your connected accounts
  callgate connect crm                           the page where you sign in to an app
  callgate types                                 write callgate.d.ts: the types of all apps of the gateway, for TypeScript
  callgate doctor                                what works, what does not, and how to mend it
  callgate connector help                        for operators: apps that are not built in

Options:
  --json            the answer as JSON, for programs
  --wait            call: wait for the end, also for the person's approval (the link goes to stderr)
  --file FILE       call: the input, as JSON
  --account ID      call: which of several accounts
  --key KEY         call: the idempotency key; the same key is the same call
  --reason TEXT     call: why, for the person who approves it
  --metadata JSON   call: texts to find the call by, as '{"run":"r-17"}'
  --status, --app, --limit, --cursor     calls; types: --app writes those of one app
  --url, --api-key  the gateway (default $CALLGATE_URL, $CALLGATE_API_KEY, else .callgate/demo.json of this folder)
  --admin-url       doctor: its admin port (default $CALLGATE_ADMIN_URL, else http://127.0.0.1:$ADMIN_PORT, else .callgate/gateway.json)

Examples:
  callgate call property-advertising.list_listings '{"limit":3}' | jq -r '.listings[].title'
  callgate call property-advertising.reply_to_contact --file reply.json --key reply-17 --wait
  callgate calls --json --status unknown | jq -r '.calls[].call_id'

Exit codes: 0 done; 1 refused or failed; 2 wrong usage; 3 waits for the person, or still running; 4 the call was rejected, expired
or cancelled; 5 unknown: look in the app before doing it again; 6 no answer from the gateway. With --json, an error is JSON, too.
`

const { values, positionals } = readArguments()
try {
  const [command = 'help', ...rest] = positionals
  process.exitCode = show(values.help === true ? { value: help } : await run(command, rest))
} catch (error) {
  process.exitCode = tell(error)
}

async function run(command: string, rest: readonly string[]): Promise<Answer> {
  const known = settings(values)
  const client = (): Callgate => {
    if (known.apiKey === undefined) throw new Usage('There is no API key: set CALLGATE_API_KEY, or give --api-key.')
    return new Callgate({ apiKey: known.apiKey, baseUrl: known.url })
  }
  switch (command) {
    case 'help':
      return { value: help }
    case 'apps':
      return apps(known.url)
    case 'search':
      return search(known.url, rest)
    case 'schema':
      return schema(known.url, rest[0])
    case 'call':
      return call(client(), rest, values)
    case 'calls': {
      const { status, app, limit, cursor } = values
      return calls(client(), { status, app, limit, cursor })
    }
    case 'wait':
      return wait(client(), rest[0])
    case 'cancel':
      return cancel(client(), rest[0])
    case 'listen':
      return listen({ client: client(), url: known.url, to: rest[0] })
    case 'connections':
      return connections(client())
    case 'connect':
      return connect(known.url, rest[0])
    case 'types':
      return types(known.url, rest[0], values.app)
    case 'doctor':
      return doctor(known)
    case 'connector':
      throw new Usage("callgate connector runs in the gateway's own folder: npm run -s callgate -- connector help")
    default:
      throw new Usage(`There is no command "${command}".`)
  }
}

async function connections(client: Callgate): Promise<Answer> {
  const list = await client.connections()
  const lines = list.map(({ app, label, origin, state, account }) =>
    [app, label, origin, state, account].filter((part) => part !== undefined).join('  '),
  )
  return { value: list, text: lines.length === 0 ? 'No app is connected: callgate connect crm' : lines.join('\n') }
}

function show({ value, text, code = 0 }: Answer): number {
  print(values.json === true ? value : (text ?? value))
  return code
}

function print(value: unknown): void {
  process.stdout.write(
    plain(typeof value === 'string' ? `${value.trimEnd()}\n` : `${JSON.stringify(value, null, 2)}\n`),
  )
}

/** Escapes control characters: apps and other users write part of the text shown. */
function plain(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Prints the error, with --json also to stdout for scripts; returns the exit code. */
function tell(error: unknown): number {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof CallgateError) {
    if (values.json === true) print({ error: error.code, message, ...error.body })
    process.stderr.write(plain(`${error.code}: ${message}${error.link === undefined ? '' : `\nOpen ${error.link}`}\n`))
    return error.status === 0 ? 6 : 1
  }
  process.stderr.write(plain(`${message}\n`))
  if (error instanceof CallEndedError) {
    if (values.json === true) print({ status: error.status, call_id: error.callId, message })
    return error.status === 'unknown' ? 5 : 4
  }
  if (!(error instanceof Usage || error instanceof OptionError)) throw error
  if (values.json === true) print({ error: 'usage', message })
  process.stderr.write('callgate help lists the commands.\n')
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
        reason: text,
        metadata: text,
        status: text,
        app: text,
        limit: text,
        cursor: text,
        url: text,
        'api-key': text,
        'admin-url': text,
      },
    })
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    if (process.argv.includes('--json')) print({ error: 'usage', message })
    process.stderr.write(`${message}\ncallgate help lists the options.\n`)
    process.exit(2)
  }
}
