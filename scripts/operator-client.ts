import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isOperatorName, operatorToken } from '../core/operators/credentials.ts'
import { loadSecrets, localUrl } from '../config.ts'

/** How operators' commands reach the admin port of a running gateway. */
export interface OperatorOptions {
  readonly url?: string | undefined
  readonly token?: string | undefined
  /** Who it is, for the log. */
  readonly as?: string | undefined
}

export interface OperatorAnswer {
  readonly ok: boolean
  /** JSON of several lines, or what else was said. */
  readonly text: string
}

/** How long an answer is waited for, in ms. */
const patience = 30_000

/** Those of every operators' command, for its help. */
export const operatorHelp = `  --url (default this machine's $ADMIN_PORT where set, else $CALLGATE_ADMIN_URL), --token (default $CALLGATE_OPERATOR_TOKEN, else from the key
  file $CALLGATE_SECRETS, .callgate/secrets.json), --as NAME: who you are, for the log (default $USER)`

/** Where a gateway of this machine listens; the address that operators' browsers use may not lead there from within a container. */
function adminUrl(env: NodeJS.ProcessEnv): string {
  const { ADMIN_PORT: port = '', CALLGATE_ADMIN_URL: url = '' } = env
  return port === '' && url !== '' ? url : localUrl(env['HOST'] || '127.0.0.1', Number(port || 8081))
}

/** Undefined: a name that cannot be written into the log. */
export function operatorName({ as }: OperatorOptions, env: NodeJS.ProcessEnv): string | undefined {
  return as !== undefined && !isOperatorName(as) ? undefined : (as ?? env['USER'] ?? 'unnamed')
}

interface Wanted {
  readonly method: string
  readonly route: string
  readonly body?: object | undefined
}

/** Throws with what to do where nobody answers. */
export async function askGateway(
  options: OperatorOptions,
  env: NodeJS.ProcessEnv,
  wanted: Wanted,
): Promise<OperatorAnswer> {
  return answerIn(await send(options, env, wanted, patience))
}

/** The same for what may be long: it is written out as it comes, and `text` is what was said against it. Throws where it ends too early. */
export async function copyFromGateway(
  options: OperatorOptions,
  env: NodeJS.ProcessEnv,
  wanted: Wanted,
  out: NodeJS.WritableStream,
): Promise<OperatorAnswer> {
  const response = await send(options, env, wanted, undefined)
  if (!response.ok || response.body === null) return answerIn(response)
  try {
    await pipeline(response.body, out, { end: false })
  } catch (error) {
    throw new NoAnswer('The answer ended too early: this is a part of it only.', { cause: error })
  }
  return { ok: true, text: '' }
}

async function answerIn(response: Response): Promise<OperatorAnswer> {
  const told = await response.text()
  // What is not of the gateway, or does not know it by this name, may answer in words.
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  return { ok: response.ok, text: isJson ? JSON.stringify(JSON.parse(told), null, 2) : told.trimEnd() }
}

async function send(
  options: OperatorOptions,
  env: NodeJS.ProcessEnv,
  { method, route, body }: Wanted,
  longest: number | undefined,
): Promise<Response> {
  const base = options.url ?? adminUrl(env)
  try {
    return await fetch(`${base}/operator${route}`, {
      method,
      headers: {
        Authorization: `Bearer ${tokenOf(options, env)}`,
        'X-Operator': operatorName(options, env) ?? 'unnamed',
        'Content-Type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
      ...(longest !== undefined && { signal: AbortSignal.timeout(longest) }),
    })
  } catch (error) {
    const isRead = method === 'GET'
    const said = isRead || !wasAsked(error) ? '' : ' Whether it was done is not known: look before you repeat it.'
    throw new NoAnswer(`No answer from ${base}. Is the gateway running? --url says where its admin port is.${said}`, {
      cause: error,
    })
  }
}

/** Whether somebody may have heard the question: there was a connection. */
function wasAsked(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  const unheard = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']
  return !(cause instanceof Error && 'code' in cause && unheard.includes(String(cause.code)))
}

export class NoAnswer extends Error {}

export function tokenOf(options: OperatorOptions, env: NodeJS.ProcessEnv): string {
  const given = options.token ?? env['CALLGATE_OPERATOR_TOKEN']
  if (given !== undefined) return given
  return operatorToken(
    loadSecrets(env['CALLGATE_SECRETS'] ?? path.join(env['CALLGATE_DIR'] ?? '.callgate', 'secrets.json')),
  )
}
