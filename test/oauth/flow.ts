import { createHash, randomBytes } from 'node:crypto'
import { hidden } from '../../scripts/browsing.ts'
import { post } from '../mcp/raw.ts'
import type { Visitor } from '../web/visitor.ts'

/** Where the made-up program listens; nobody does. */
export const redirect = 'http://127.0.0.1:9/callback'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Record<string, unknown>
}

export function pkce(): { readonly verifier: string; readonly challenge: string } {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** A program that speaks OAuth with the gateway by hand. */
export class Program {
  readonly #url: string
  readonly id: string
  readonly secret: string | undefined

  constructor(publicUrl: string, id: string, secret?: string) {
    this.#url = publicUrl
    this.id = id
    this.secret = secret
  }

  static async register(publicUrl: string, metadata: Record<string, unknown> = {}): Promise<Program> {
    const { status, body } = await register(publicUrl, metadata)
    if (status !== 201) throw new Error(`the registration answered ${status} ${String(body['error'])}`)
    return new Program(publicUrl, String(body['client_id']), body['client_secret'] as string | undefined)
  }

  /** The path to which it sends its person. Undefined leaves a parameter out. */
  asks(challenge: string, other: Record<string, string | undefined> = {}): string {
    const fields = {
      response_type: 'code',
      client_id: this.id,
      redirect_uri: redirect,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      state: 'a state',
      ...other,
    }
    const given = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined)
    return `/oauth/authorize?${new URLSearchParams(given).toString()}`
  }

  token(fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> {
    return sendForm(`${this.#url}/oauth/token`, { client_id: this.id, ...fields }, headers)
  }

  exchange(code: string, verifier: string, other: Record<string, string> = {}): Promise<Answer> {
    return this.token({
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: redirect,
      ...(this.secret !== undefined && { client_secret: this.secret }),
      ...other,
    })
  }

  refresh(token: unknown, other: Record<string, string> = {}): Promise<Answer> {
    return this.token({ grant_type: 'refresh_token', refresh_token: String(token), ...other })
  }

  revoke(token: unknown): Promise<Answer> {
    return sendForm(`${this.#url}/oauth/revoke`, { client_id: this.id, token: String(token) })
  }

  /** From the person's page to the tokens. */
  async granted(person: Visitor, choices: Choices = {}, other: Record<string, string> = {}): Promise<Answer> {
    const { verifier, challenge } = pkce()
    const back = await decide(person, this.asks(challenge, other), choices)
    return this.exchange(back.searchParams.get('code') ?? 'none', verifier)
  }
}

export async function register(publicUrl: string, metadata: Record<string, unknown> = {}): Promise<Answer> {
  const fields = {
    redirect_uris: [redirect],
    client_name: 'A made-up program',
    token_endpoint_auth_method: 'none',
    ...metadata,
  }
  return answered(
    await fetch(`${publicUrl}/oauth/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(fields),
    }),
  )
}

async function sendForm(
  url: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return answered(await fetch(url, { method: 'POST', headers, body: new URLSearchParams(fields) }))
}

export async function answered(response: Response): Promise<Answer> {
  const { status, headers } = response
  return { status, headers, body: (await response.json()) as Record<string, unknown> }
}

export interface Choices {
  readonly decision?: 'allow' | 'deny'
  readonly rights?: 'read' | 'write'
  /** All apps, unless one is named. */
  readonly app?: string
  /** Of the named app, this action only. */
  readonly endpoint?: string
}

/** The person opens the page and decides; returns where the browser is sent. */
export async function decide(person: Visitor, path: string, choices: Choices = {}): Promise<URL> {
  const page = await person.get(path)
  if (page.status !== 200)
    throw new Error(`the consent page is ${page.status}: ${page.headers.get('Location') ?? page.text}`)
  const { decision = 'allow', rights = 'write', app, endpoint } = choices
  const answer = await person.post('/oauth/authorize', {
    csrf: hidden(page.text, 'csrf'),
    request: path.slice(path.indexOf('?') + 1),
    decision,
    rights,
    ...(app === undefined ? { all: 'yes' } : { app }),
    ...(app !== undefined && endpoint !== undefined && { only: app, endpoint: `${app}/${endpoint}` }),
  })
  const back = /^0; url=(.+)$/.exec(answer.headers.get('Refresh') ?? '')?.[1]
  if (back === undefined) throw new Error(`the decision was answered ${answer.status}`)
  return new URL(back)
}

/** A message to the MCP server with a token, or without. */
export function ping(url: string, token: unknown): Promise<Answer> {
  const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  return post(url, message, typeof token === 'string' ? { Authorization: `Bearer ${token}` } : {})
}
