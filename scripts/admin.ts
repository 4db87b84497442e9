import { parseArgs } from 'node:util'
import { NoAnswer, askGateway, copyFromGateway, operatorHelp, operatorName, tokenOf } from './operator-client.ts'
import type { OperatorAnswer } from './operator-client.ts'

/** `npm run -s admin -- <command>`: operators' commands, through a gateway's admin port. */
const help = `callgate-admin: what operators do

  apps                                   what is paused, rates, how many calls wait, run, or ended unknown
  pause <app>, resume <app>              calls are accepted and wait until it is resumed
  pause <app>.<endpoint>, resume <app>.<endpoint>   the same for one endpoint
  rates <app> [--app-rate N] [--account-rate N]   sends per second; "default" as the connector says
  pauses                                 endpoints that an app refuses for now
  lift <account> <endpoint>              try again now
  calls [--call-id] [--owner ID|EMAIL] [--app] [--status] [--waiting-for] [--limit]
        [--stuck] [--unresolved]         running for ten minutes without a known reason; unknown and not looked into
  call <call id>                         one call, without what it says
  resolve <call id> --happened yes|no    record what you found about one that ended unknown
  cancel <call id> --reason TEXT         end one whose sending has not begun
  refund <call id> --reason TEXT         give back what it used
  user add <email> [--may-invite]        makes the link with which somebody becomes a user, shown this once; the first user of
                                         all may invite others, further ones only with --may-invite
  user revoke <invitation id>            the link does nothing any more
  user export <email>                    all that is theirs, as lines of JSON: what their calls said, too; they see that you did
  user password-link <email>             makes a link with which they set a new password, shown this once, good for 30 minutes:
                                         hand it to nobody else
  user second-step-off <email>           who lost their authenticator app and recovery codes signs in with the password alone: be sure
                                         who asks
  user erase <email>                     deletes their account and all that is theirs, for good; what is being sent ends first
  keys                                   which approval keys are there, and what still needs each: one that nothing needs may go
  operators                              who has a token of their own
  operator add <name>                    makes one, shown this once; from the first one on the shared token opens nothing
  operator revoke <name>                 it opens nothing any more
  data-keys                              how old the accounts' data keys are, and how many have older ones besides
  data-keys renew                        gives every account a new one; what older ones sealed is opened until it is forgotten
  backup                                 notes that one was made just now: without a new one for 28 hours, an alert tells
  log                                    what operators did
  security [<kind>] [--limit n]          refusals that an attack would leave behind, by minute and address, with the keys and rows they were about
  token                                  the token that is sent: yours, or the shared one, for the JSON routes below /operator/ on the admin port

${operatorHelp}
`

const text = { type: 'string' } as const
const options = {
  help: { type: 'boolean', short: 'h' },
  url: text,
  token: text,
  as: text,
  owner: text,
  app: text,
  status: text,
  limit: text,
  reason: text,
  happened: text,
  'call-id': text,
  'waiting-for': text,
  'app-rate': text,
  'account-rate': text,
  stuck: { type: 'boolean' },
  'may-invite': { type: 'boolean' },
  unresolved: { type: 'boolean' },
} as const
const { values, positionals } = readArguments()

const { env } = process
const [command = 'help', first = '', second = ''] = values.help === true ? [] : positionals
process.exitCode = await run()

function readArguments() {
  try {
    return parseArgs({ allowPositionals: true, options })
  } catch (error) {
    return wrongUsage(error instanceof Error ? error.message : String(error))
  }
}

function wrongUsage(message: string): never {
  console.error(`${message}\ncallgate-admin: help lists commands and options.`)
  process.exit(2)
}

async function run(): Promise<number> {
  const encoded = encodeURIComponent
  switch (command) {
    case 'apps':
    case 'pauses':
    case 'log':
    case 'keys':
    case 'operators':
      return ask('GET', `/${command}`)
    case 'security': {
      const wanted = new URLSearchParams({ ...(first !== '' && { kind: first }), limit: values.limit ?? '50' })
      return ask('GET', `/security?${wanted.toString()}`)
    }
    case 'pause':
    case 'resume':
      return ask('POST', `/apps/${first.split('.').map(encoded).join('/endpoints/')}`, { paused: command === 'pause' })
    case 'rates':
      return ask('POST', `/apps/${encoded(first)}`, {
        ...(values['app-rate'] !== undefined && { app_rate: rateOf(values['app-rate']) }),
        ...(values['account-rate'] !== undefined && { account_rate: rateOf(values['account-rate']) }),
      })
    case 'lift':
      return ask('POST', `/pauses/${encoded(first)}/${encoded(second)}/lift`)
    case 'calls':
      return ask('GET', `/calls?${filter()}`)
    case 'call':
      return ask('GET', `/calls/${encoded(first)}`)
    case 'resolve':
      return ask('POST', `/calls/${encoded(first)}/resolve`, {
        happened: values.happened === 'yes' ? true : values.happened === 'no' ? false : values.happened,
      })
    case 'cancel':
    case 'refund':
      return ask('POST', `/calls/${encoded(first)}/${command}`, { reason: values.reason })
    case 'user':
      if (first === 'add')
        return ask('POST', '/users', { email: second, ...(values['may-invite'] === true && { may_invite: true }) })
      if (first === 'password-link') return ask('POST', '/users/password-link', { email: second })
      if (first === 'second-step-off') return ask('POST', '/users/second-step-off', { email: second })
      if (first === 'revoke') return ask('POST', `/invitations/${encoded(second)}/revoke`)
      if (first === 'erase') return ask('POST', '/users/erase', { email: second })
      if (first === 'export') return copy('/users/export', { email: second })
      console.log(help.trimEnd())
      return 2
    case 'backup':
      return ask('POST', '/backups')
    case 'operator':
      if (first === 'add') return ask('POST', '/operators', { name: second })
      if (first === 'revoke') return ask('POST', `/operators/${encoded(second)}/revoke`)
      console.log(help.trimEnd())
      return 2
    case 'data-keys':
      return first === 'renew' ? renewDataKeys() : ask('GET', '/data-keys')
    case 'token':
      console.log(tokenOf(values, env))
      return 0
    default:
      console.log(help.trimEnd())
      return command === 'help' ? 0 : 2
  }
}

/** Renews in batches until no account has a key from before now. */
async function renewDataKeys(): Promise<number> {
  const before = new Date().toISOString()
  for (let left = Infinity; left > 0;) {
    const answer = await answerTo('POST', '/data-keys', { before })
    if (answer?.ok !== true) {
      console.error(answer?.text ?? 'Call it again: it goes on where it was.')
      return answer === undefined ? 6 : 1
    }
    console.log(answer.text)
    const now = Number((JSON.parse(answer.text) as { readonly left: unknown }).left)
    if (!(now < left)) {
      console.error('They do not get fewer: see the log of the API.')
      return 1
    }
    left = now
  }
  return 0
}

/** Passes non-numbers through, so that the gateway reports the error. */
function rateOf(value: string): number | string | null {
  if (value === 'default') return null
  return Number.isFinite(Number(value)) ? Number(value) : value
}

function filter(): string {
  const { owner, app, status, limit, stuck, unresolved } = values
  const wanted = {
    ...{ call_id: values['call-id'], owner, app, status, waiting_for: values['waiting-for'], limit },
    ...{ stuck, unresolved },
  }
  return new URLSearchParams(
    Object.entries(wanted).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ).toString()
}

async function ask(method: string, route: string, body?: object): Promise<number> {
  const answer = await answerTo(method, route, body)
  if (answer === undefined) return 6
  if (answer.ok) console.log(answer.text)
  else console.error(answer.text)
  return answer.ok ? 0 : 1
}

/** Streams a response that may be long. */
async function copy(route: string, body: object): Promise<number> {
  const problem = await answered(() => copyFromGateway(values, env, { method: 'POST', route, body }, process.stdout))
  if (problem?.text) console.error(problem.text)
  return problem === undefined ? 6 : problem.ok ? 0 : 1
}

function answerTo(method: string, route: string, body?: object): Promise<OperatorAnswer | undefined> {
  return answered(() => askGateway(values, env, { method, route, body }))
}

/** Exits if the operator's name is invalid. Undefined: no response, which is reported. */
async function answered(asking: () => Promise<OperatorAnswer>): Promise<OperatorAnswer | undefined> {
  if (operatorName(values, env) === undefined)
    wrongUsage('--as takes up to 60 letters without accents, digits, and the signs . _ @ -')
  try {
    return await asking()
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    console.error(error.message)
    return undefined
  }
}
