import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

type Fields = Readonly<Record<string, unknown>>

/** Result of a call: `executed`, the status of an open call, or an error code. */
export interface Came {
  readonly to: string
  /** The output, the record, or the error. */
  readonly body: Fields
  readonly callId: string
}

/** An agent with one user's key: over HTTP, and over MCP by the official client. */
export class Agent {
  readonly #url: string
  readonly #key: string
  readonly #app: string
  #client: Promise<Client> | undefined

  constructor(options: { readonly url: string; readonly key: string; readonly app: string }) {
    this.#url = options.url
    this.#key = options.key
    this.#app = options.app
  }

  /** Any request below /api/v1. */
  async send(method: string, path: string, body?: object): Promise<{ readonly status: number; readonly body: Fields }> {
    const { status, body: fields } = await this.#send(method, path, body)
    return { status, body: fields }
  }

  /** Calls an endpoint over HTTP. */
  async call(endpoint: string, input: object = {}): Promise<Came> {
    const { status, body, requestId } = await this.#send('POST', `/${this.#app}/${endpoint}`, input)
    const to = status === 200 ? 'executed' : String(status === 202 ? body['status'] : body['error'])
    return { to, body, callId: requestId }
  }

  /** The output of a call that must execute at once. */
  async read(endpoint: string, input: object = {}): Promise<Fields> {
    const came = await this.call(endpoint, input)
    if (came.to !== 'executed') throw new Error(`${endpoint} came to ${came.to}: ${JSON.stringify(came.body)}`)
    return came.body
  }

  /** Calls an endpoint over MCP, as its own tool. */
  async use(tool: string, input: Readonly<Record<string, unknown>> = {}): Promise<Came> {
    this.#client ??= this.#connect()
    const result = await (await this.#client).callTool({ name: tool, arguments: input })
    const body = fieldsOf(result.structuredContent)
    const unfinished = 'call_id' in body && 'status' in body
    const callId = result._meta?.['callgate/call_id'] ?? body['call_id']
    const to = result.isError === true ? body['error'] : unfinished ? body['status'] : 'executed'
    return { to: String(to), body, callId: String(callId) }
  }

  /** The names of the app's tools. */
  async tools(): Promise<readonly string[]> {
    this.#client ??= this.#connect()
    return (await (await this.#client).listTools()).tools.map(({ name }) => name)
  }

  /** The record of a call once it is final or waits for the user, at the latest after a minute. */
  async record(callId: string): Promise<Fields> {
    const until = Date.now() + 60_000
    for (;;) {
      const { body } = await this.send('GET', `/calls/${callId}?wait=10`)
      const waits = body['status'] === 'awaiting_confirmation' || body['waiting_for'] === 'reconnect'
      const open = body['status'] === 'running' || waits
      if (!open || waits || Date.now() > until) return body
    }
  }

  async close(): Promise<void> {
    await (await this.#client)?.close()
  }

  async #connect(): Promise<Client> {
    const client = new Client({ name: 'real-apps', version: '1.0.0' }, { capabilities: {} })
    const headers = { Authorization: `Bearer ${this.#key}` }
    const place = new URL(`${this.#url}/mcp/${this.#app}`)
    await client.connect(new StreamableHTTPClientTransport(place, { requestInit: { headers } }))
    return client
  }

  async #send(method: string, path: string, body?: object) {
    const response = await fetch(`${this.#url}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.#key}`, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const requestId = response.headers.get('X-Request-Id') ?? ''
    return { status: response.status, body: fieldsOf(await response.json()), requestId }
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
