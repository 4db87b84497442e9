import type { Endpoint } from '../../connectors/registry.ts'

/** The same call as code. */
interface PlayCall {
  readonly publicUrl: string
  readonly endpoint: Endpoint
  readonly input: Readonly<Record<string, unknown>>
  /** Undefined if there is only one. */
  readonly account: string | undefined
  /** It may need its owner's approval. */
  readonly asks: boolean
}

/** The call in one language, ready to copy, without the key. */
export interface Code {
  readonly id: 'curl' | 'typescript' | 'python' | 'mcp'
  readonly name: string
  readonly hint: string
  readonly text: string
}

export function codesOf(call: PlayCall): readonly Code[] {
  return [
    { id: 'curl', name: 'curl', hint: 'With the key in $CALLGATE_API_KEY.', text: curlOf(call) },
    {
      id: 'typescript',
      name: 'TypeScript',
      hint: `Install the client first: ${call.publicUrl}/clients.`,
      text: typescriptOf(call),
    },
    { id: 'python', name: 'Python', hint: 'With httpx.', text: pythonOf(call) },
    { id: 'mcp', name: 'MCP', hint: `A message to ${call.publicUrl}/mcp.`, text: mcpOf(call) },
  ]
}

const addressOf = ({ publicUrl, endpoint }: PlayCall): string => `${publicUrl}/api/v1/${endpoint.app}/${endpoint.name}`

function curlOf(call: PlayCall): string {
  return [
    `curl -X POST ${quoted(addressOf(call))}`,
    '  -H "Authorization: Bearer $CALLGATE_API_KEY"',
    "  -H 'Content-Type: application/json'",
    ...(call.account === undefined ? [] : [`  -H ${quoted(`X-Callgate-Account: ${call.account}`)}`]),
    `  -d ${quoted(JSON.stringify(call.input))}`,
  ].join(' \\\n')
}

/** Quotes a text for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function typescriptOf({ publicUrl, endpoint, input, account, asks }: PlayCall): string {
  const options = [
    ...(account === undefined ? [] : [`  account: ${JSON.stringify(account)},`]),
    ...(asks ? ['  onConfirm: (url) => console.log(`Please approve: ${url}`),'] : []),
  ]
  const last = options.length === 0 ? ')' : `, {\n${options.join('\n')}\n})`
  return `import { Callgate } from '@callgate/client'

const callgate = new Callgate({
  apiKey: process.env.CALLGATE_API_KEY ?? '',
  baseUrl: ${JSON.stringify(`${publicUrl}/api/v1`)},
})
const output = await callgate.run(${JSON.stringify(`${endpoint.app}.${endpoint.name}`)}, ${JSON.stringify(input, null, 2)}${last}
console.log(output)`
}

function pythonOf(call: PlayCall): string {
  const account = call.account === undefined ? '' : `\n        "X-Callgate-Account": ${JSON.stringify(call.account)},`
  return `import os

import httpx

response = httpx.post(
    ${JSON.stringify(addressOf(call))},
    headers={
        "Authorization": f"Bearer {os.environ['CALLGATE_API_KEY']}",${account}
    },
    json=${pythonLiteral(call.input, '    ')},
    timeout=60,
)
print(response.status_code, response.json())`
}

/** A JSON value in Python: string escapes are the same in both. */
function pythonLiteral(value: unknown, indent: string): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const inner = `${indent}    `
  const parts = Array.isArray(value)
    ? value.map((item) => pythonLiteral(item, inner))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${pythonLiteral(item, inner)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  if (parts.length === 0) return open + close
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`
}

function mcpOf({ endpoint, input, account }: PlayCall): string {
  const given = { app: endpoint.app, action: endpoint.name, input, ...(account !== undefined && { account }) }
  const params = { name: endpoint.access === 'read' ? 'read_action' : 'write_action', arguments: given }
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, null, 2)
}
