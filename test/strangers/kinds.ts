import { copyFile, readFile, symlink } from 'node:fs/promises'
import path from 'node:path'
import { createMCPClient } from '@ai-sdk/mcp'
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { freePort } from '../../local-services/dev-server.ts'
import { packagesOf } from '../../scripts/npm-packages.ts'
import { pythonWith } from '../../scripts/python.ts'
import { redirect } from '../oauth/flow.ts'
import { officialProvider, signedInStranger } from '../oauth/provider.ts'
import type { Kept } from '../oauth/provider.ts'
import { commandLine, remoteHost, withClient } from './commands.ts'
import { Led } from './led.ts'
import type { Place, Started, Stranger, Way } from './led.ts'

/** What they were installed to. */
export interface Installed {
  /** Programs of Python: with version 2 of the official package, and with version 1, which LangGraph's adapters need. */
  readonly python: string
  readonly pythonLangGraph: string
  readonly npm: string
  readonly vercel: string
}

export interface Kind {
  readonly name: string
  /** By no sign-in of a person. */
  readonly keyOnly?: boolean
  /** Statuses of which it shows no words: at 401 it signs a person in, or it reads neither body nor status line. */
  readonly silentAt?: readonly number[]
  /** Who signed in stays so when it is started again. */
  readonly stays?: boolean
  /** With a sign-in it speaks 2026-07-28 and follows tasks: it tells of a write once the person has decided. */
  readonly follows?: boolean
  start(place: Place, installed: Installed): Promise<Started> | Started
}

const here = import.meta.dirname
const examples = path.join(here, '../../examples/agents')
const noTracing = { OPENAI_AGENTS_DISABLE_TRACING: '1' }

export async function installStrangers(): Promise<Installed> {
  const [python, pythonLangGraph, npm, vercelFolder] = await Promise.all([
    pythonOf('requirements.txt'),
    pythonOf('requirements-langgraph.txt'),
    packagesOf(here),
    packagesOf(examples),
  ])
  return { python, pythonLangGraph, npm, vercel: vercelFolder }
}

async function pythonOf(file: string): Promise<string> {
  const requirements = (await readFile(path.join(examples, file), 'utf8')).trimEnd().split('\n')
  return (await pythonWith({ requirements })).python
}

export const kinds: readonly Kind[] = [
  { name: 'the official client of TypeScript, 2025', start: each((place, way) => official(place, way)) },
  {
    name: 'the official client of TypeScript, 2026',
    // Pinned to a revision, it tells of its first message only that it failed.
    silentAt: [401, 429],
    start: each((place, way) => official(place, way, '2026-07-28')),
  },
  { name: '@ai-sdk/mcp', start: each(aiSdk) },
  {
    name: 'mcp-remote',
    silentAt: [401, 429],
    stays: true,
    start: each((place, way, { npm }) => remoteHost(place, way, `${npm}/mcp-remote/dist/proxy.js`)),
  },
  { name: 'mcporter', silentAt: [401, 429], start: each(mcporter) },
  { name: 'the Inspector', silentAt: [401], follows: true, start: each(inspector) },
  { name: 'the official client of Python, version 2', start: python('official.py') },
  { name: 'the official client of Python, version 1', start: python('official_1.py', {}, 'pythonLangGraph') },
  { name: 'FastMCP', start: python('fast.py', { BROWSER: 'echo visit %s' }) },
  { name: 'an agent of the OpenAI Agents SDK', start: python('openai_model.py', noTracing) },
  { name: 'an agent of Pydantic AI', start: python('pydantic_ai_model.py') },
  { name: 'an agent of LangGraph', start: python('langgraph_model.py', {}, 'pythonLangGraph') },
  { name: 'an agent of the AI SDK', keyOnly: true, start: vercel },
]

/** Started anew for each way in. */
function each(open: (place: Place, way: Way, installed: Installed) => Promise<Stranger> | Stranger): Kind['start'] {
  return (place, installed) => ({ open: async (way) => open(place, way, installed), stop: async () => {} })
}

async function official({ mcpUrl }: Place, way: Way, pin?: string): Promise<Stranger> {
  const kept: Kept = {}
  const provider = officialProvider(kept, redirect)
  const url = new URL(mcpUrl)
  const transport = () =>
    way.key === undefined
      ? new StreamableHTTPClientTransport(url, { authProvider: provider })
      : new StreamableHTTPClientTransport(url, { requestInit: { headers: { Authorization: `Bearer ${way.key}` } } })
  const client = () =>
    new Client({ name: 'official', version: '1' }, pin === undefined ? {} : { versionNegotiation: { mode: { pin } } })
  if (way.key === undefined) {
    const first = transport()
    await client()
      .connect(first)
      .catch((error: unknown) => {
        if (!(error instanceof UnauthorizedError)) throw error
      })
    const back = await way.visit(kept.asked?.href ?? '')
    await first.finishAuth(back.searchParams)
  }
  const connected = client()
  await connected.connect(transport())
  return withClient(connected)
}

async function aiSdk({ mcpUrl: url }: Place, way: Way): Promise<Stranger> {
  const { key } = way
  const access =
    key === undefined
      ? { authProvider: await signedInStranger({}, redirect, url, (asked) => way.visit(asked.href)) }
      : { headers: { 'X-API-Key': key } }
  const client = await createMCPClient({ transport: { type: 'http', url, ...access } })
  const tools = await client.tools()
  return {
    async use(name, args) {
      const result: unknown = await tools[name]?.execute(args, { toolCallId: name, messages: [], context: {} })
      return (result as { readonly structuredContent: Record<string, unknown> }).structuredContent
    },
    close: () => client.close(),
  }
}

function mcporter(place: Place, way: Way, { npm }: Installed): Stranger {
  const header = way.key === undefined ? [] : ['--header', `Authorization=Bearer ${way.key}`]
  const server = ['--http-url', place.mcpUrl, '--allow-http', '--name', 'callgate', ...header]
  const command = path.join(npm, '.bin/mcporter')
  return commandLine(place, way, command, { MCPORTER_OAUTH_NO_BROWSER: '1' }, (tool, args) => [
    ...['call', ...server, '--tool', tool, '--args', args, '--output', 'json', '--timeout', '60000'],
  ])
}

async function inspector(place: Place, way: Way, { npm }: Installed): Promise<Stranger> {
  const back = `http://127.0.0.1:${await freePort()}/oauth/callback`
  const access =
    way.key === undefined
      ? ['--callback-url', back, '--protocol-era', 'auto']
      : ['--header', `Authorization: Bearer ${way.key}`]
  const command = path.join(npm, '.bin/inspector')
  // Else it signs nobody in without a terminal, and keeps what it gets in a keychain.
  const env = { MCP_AUTO_OPEN_ENABLED: 'true', MCP_INSPECTOR_SECRET_STORE: 'file', MCP_STORAGE_DIR: place.folder }
  return commandLine(place, way, command, env, (tool, args) => [
    ...['--cli', place.mcpUrl, '--transport', 'http', ...access, '--format', 'json'],
    ...['--method', 'tools/call', '--tool-name', tool, '--tool-args-json', args],
  ])
}

function python(
  script: string,
  env: Readonly<Record<string, string>> = {},
  which: 'python' | 'pythonLangGraph' = 'python',
): Kind['start'] {
  return (place, installed) => {
    const paths = { PYTHONPATH: examples, PYTHONDONTWRITEBYTECODE: '1', PYTHONWARNINGS: 'ignore' }
    const args = [path.join(here, script)]
    const listens = env['BROWSER'] !== undefined
    return new Led({ command: installed[which], args, env: { ...paths, ...env }, listens }, place)
  }
}

async function vercel(place: Place, installed: Installed): Promise<Started> {
  await copyFile(path.join(examples, 'vercel-ai.mjs'), path.join(place.folder, 'vercel-ai.mjs'))
  await copyFile(path.join(here, 'vercel-model.mjs'), path.join(place.folder, 'vercel-model.mjs'))
  await symlink(installed.vercel, path.join(place.folder, 'node_modules'))
  return new Led({ command: process.execPath, args: ['vercel-model.mjs'] }, place)
}
