/** What came back over the wire. */
export interface Wire {
  readonly status: number
  readonly headers: Headers
  readonly body: Record<string, unknown>
  readonly result: Record<string, unknown>
  readonly error: { readonly code?: number; readonly message?: string; readonly data?: Record<string, unknown> }
}

export interface Message {
  readonly method: string
  readonly params?: Record<string, unknown>
  readonly capabilities?: object
  readonly headers?: Record<string, string>
}

let ids = 0

/** What a message of the 2026 era says about its sender. */
export function envelope(capabilities: object = {}, version = '2026-07-28') {
  return {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  }
}

/** One message of the 2026 era, as any HTTP client could send it. */
export function send(
  url: string,
  key: string,
  { method, params = {}, capabilities = {}, headers }: Message,
): Promise<Wire> {
  const _meta = envelope(capabilities)
  const name = params['taskId'] ?? params['name'] ?? params['uri']
  return post(url, JSON.stringify({ jsonrpc: '2.0', id: ++ids, method, params: { ...params, _meta } }), {
    Authorization: `Bearer ${key}`,
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': method,
    ...(typeof name === 'string' && { 'Mcp-Name': name }),
    ...headers,
  })
}

/** One message of the 2025 era. */
export function send2025(
  url: string,
  key: string,
  method: string,
  params: object = {},
  headers: Record<string, string> = {},
): Promise<Wire> {
  const message = JSON.stringify({ jsonrpc: '2.0', id: ++ids, method, params })
  return post(url, message, { Authorization: `Bearer ${key}`, ...headers })
}

export async function post(url: string, text: string, headers: Record<string, string> = {}): Promise<Wire> {
  const response = await fetch(url, {
    method: 'POST',
    body: text,
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
  })
  return wire(response)
}

export async function wire(response: Response): Promise<Wire> {
  const content = await response.text()
  const streamed = response.headers.get('Content-Type')?.startsWith('text/event-stream')
  const json = streamed ? /^data: (.*)$/m.exec(content)?.[1] : content
  const body = JSON.parse(json === undefined || json === '' ? '{}' : json) as Record<string, unknown>
  const { result = {}, error = {} } = body as { result?: Wire['result']; error?: Wire['error'] }
  return { status: response.status, headers: response.headers, body, result, error }
}
