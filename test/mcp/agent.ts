import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { ClientCapabilities } from '@modelcontextprotocol/client'

/** What a tool answered. */
export interface Told {
  readonly isError: boolean
  readonly body: Record<string, unknown>
  readonly meta: Record<string, unknown>
}

export type Era = '2025' | '2026'

export interface AgentOptions {
  readonly era?: Era
  readonly path?: string
  readonly capabilities?: ClientCapabilities
}

/** The official client, as an agent's framework would use it. */
export class Agent {
  readonly client: Client

  constructor(client: Client) {
    this.client = client
  }

  static async connect(publicUrl: string, key: string, options: AgentOptions = {}): Promise<Agent> {
    const { era = '2025', path = '/mcp', capabilities = {} } = options
    const client = new Client(
      { name: 'test-agent', version: '1.0.0' },
      { capabilities, ...(era === '2026' && { versionNegotiation: { mode: { pin: '2026-07-28' } } }) },
    )
    const headers = { Authorization: `Bearer ${key}` }
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${publicUrl}${path}`), { requestInit: { headers } }),
    )
    return new Agent(client)
  }

  /** Calls a tool; its text and its structured content say the same. */
  async use(name: string, args: Record<string, unknown> = {}): Promise<Told> {
    const result = await this.client.callTool({ name, arguments: args })
    const [content] = result.content
    if (content?.type !== 'text') throw new Error(`${name} answered without a text`)
    const body = JSON.parse(content.text) as Record<string, unknown>
    if (JSON.stringify(result.structuredContent) !== content.text) throw new Error(`${name}: text and structure differ`)
    return { isError: result.isError === true, body, meta: result._meta ?? {} }
  }

  close(): Promise<void> {
    return this.client.close()
  }
}
