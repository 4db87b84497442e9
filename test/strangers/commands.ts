import path from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { run } from '../client/run.ts'
import type { Place, Stranger, Way } from './led.ts'

/** Opens the address once that a program says in what it writes, lets the person allow it, and has its listener called. */
export function browser(way: Way, said: RegExp): { hear(all: string): void; done(): Promise<unknown> } {
  let visit: Promise<unknown> | undefined
  return {
    hear(all) {
      const found = said.exec(all)?.[1]
      if (found !== undefined) visit ??= way.visit(found).then((back) => fetch(back))
    },
    done: async () => visit,
  }
}

/** A command line that is started anew for each tool; whoever signed in stays so by the files in the folder. */
export function commandLine(
  { folder }: Place,
  way: Way,
  command: string,
  env: Readonly<Record<string, string>>,
  argsOf: (tool: string, args: string) => string[],
): Stranger {
  return {
    async use(tool, args) {
      const person = browser(way, /(http:\S+\/oauth\/authorize\?\S+)/)
      const all = argsOf(tool, JSON.stringify(args))
      const hear = (text: string) => person.hear(text)
      const { code, out, err } = await run(process.execPath, [command, ...all], {
        cwd: folder,
        env: { HOME: folder, ...env },
        onErr: hear,
        onOut: hear,
      })
      await person.done()
      if (code !== 0) throw new Error(`${path.basename(command)} ${tool}: ${code} ${err}${out}`)
      return toldBy(out)
    },
    close: async () => {},
  }
}

/** The answer of the tool, bare or as the whole result. */
function toldBy(out: string): Record<string, unknown> {
  const body = JSON.parse(out.slice(out.search(/^\{/m))) as Record<string, unknown>
  const result = (body['result'] ?? body) as Record<string, unknown>
  const content = result['content'] as { readonly text: string }[] | undefined
  return content === undefined ? result : (JSON.parse(content[0]?.text ?? '') as Record<string, unknown>)
}

/** A host that only starts programs, and mcp-remote, which it starts. */
export async function remoteHost({ mcpUrl, folder }: Place, way: Way, script: string): Promise<Stranger> {
  const header = way.key === undefined ? [] : ['--header', `Authorization:Bearer ${way.key}`]
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [script, mcpUrl, ...header],
    // Without a PATH there is no program that could open a browser.
    env: { PATH: '', HOME: folder, MCP_REMOTE_CONFIG_DIR: folder },
    stderr: 'pipe',
  })
  const person = browser(way, /visiting:\s+(http\S+)\s/)
  let said = ''
  transport.stderr?.on('data', (bytes: Buffer) => person.hear((said += bytes.toString())))
  const client = new Client({ name: 'a-host', version: '1.0.0' })
  await client.connect(transport, { timeout: 120_000 })
  await person.done()
  return withClient(client)
}

/** The official client of this language, once it is connected. */
export function withClient(client: Client): Stranger {
  return {
    async use(name, args) {
      const [content] = (await client.callTool({ name, arguments: args })).content
      return JSON.parse(content?.type === 'text' ? content.text : '') as Record<string, unknown>
    },
    close: () => client.close(),
  }
}
