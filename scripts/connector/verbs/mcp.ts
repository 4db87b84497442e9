import { once } from 'node:events'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { authorsServer } from '../mcp/server.ts'
import type { Verb } from '../verb.ts'

/** Serves these verbs as tools. */
export const mcpOf = (verbs: readonly Verb[]): Verb => ({
  name: 'mcp',
  words: [],
  about: ['serves what a coding agent needs of this as MCP tools over stdin and stdout'],
  async run(given) {
    const server = serveStdio(() => authorsServer(verbs, given), {
      onerror: (error) => process.stderr.write(`${error.message}\n`),
    })
    // A client that has gone closes its end.
    await Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close'), once(given.signal, 'abort')])
    await server.close()
    return 0
  },
})
