import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isOperatorName, operatorToken } from '../core/operators/credentials.ts'
import { loadSecrets, localUrl } from '../config.ts'

/** How operators' commands reach a gateway's admin port. */
export interface OperatorOptions {
  readonly url?: string | undefined
  readonly token?: string | undefined
  /** The operator's name, for the audit log. */
  readonly as?: string | undefined
}

export interface OperatorAnswer {
  readonly ok: boolean
  /** Formatted JSON, or another response text. */
  readonly text: string
}

/** Response timeout, in ms. */
const patience = 30_000

/** Help text of the options that all operators' commands share. */
export const operatorHelp = `  --url (default this machine's $ADMIN_PORT where set, else $CALLGATE_ADMIN_URL, else what npm start wrote to .callgate/gateway.json),
  --token (default $CALLGATE_OPERATOR_TOKEN, else from the key file $CALLGATE_SECRETS, .callgate/secrets.json), --as NAME: who you are, for the log
  (default $USER)`

/** The admin port's URL on this machine: the browsers' URL may not work within a container. */
function adminUrl(env: NodeJS.ProcessEnv): string {
  const { ADMIN_PORT: port = '', CALLGATE_ADMIN_URL: url = '' } = env
  if (port !== '') return localUrl(env['HOST'] || '127.0.0.1', Number(port))
  return url || startedAt(env) || localUrl(env['HOST'] || '127.0.0.1', 8081)
}

/** The URL that `npm start` wrote; undefined if it never ran in this folder. */
function startedAt(env: NodeJS.ProcessEnv): string | undefined {
  const file = path.join(env['CALLGATE_DIR'] || '.callgate', 'gateway.json')
  if (!existsSync(file)) return undefined
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly admin_url?: string }).admin_url
}

/** Undefined: an invalid name. */
export function operatorName({ as }: OperatorOptions, env: NodeJS.ProcessEnv): string | undefined {
  return as !== undefined && !isOperatorName(as) ? undefined : (as ?? env['USER'] ?? 'unnamed')
}

interface Wanted {
  readonly method: string
  readonly route: string
  readonly body?: object | undefined
}

/** Throws NoAnswer, with advice, if there is no response. */
export async function askGateway(
  options: OperatorOptions,
  env: NodeJS.ProcessEnv,
  wanted: Wanted,
): Promise<OperatorAnswer> {
  return answerIn(await send(options, env, wanted, patience))
}

/** Streams to `out`; `text`: the error of a refusal. Throws NoAnswer, also if truncated. */
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
  // Other servers, and a gateway that does not know the host name, may answer with plain text.
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  const text = isJson ? JSON.stringify(JSON.parse(told), null, 2) : told.trimEnd()
  // A machine may have several gateways.
  return { ok: response.ok, text: response.ok ? text : `${text}\n(refused by ${new URL(response.url).origin})` }
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

/** Whether the request may have been received: the connection was made. */
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
