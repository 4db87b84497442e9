import type { Tool } from '@modelcontextprotocol/server'
import { sightOf } from '../../core/keys/sight.ts'
import { toolDescription } from './app-tools.ts'
import { orUnavailable } from '../../core/http/unavailable.ts'
import { protocolError } from './results.ts'
import type { Session } from './tool.ts'
import type { Toolset } from './toolsets.ts'

/**
 * The tools that the key may use now, with its approval policies. Leaves out endpoints that it may
 * not call, and a tool that runs any endpoint if the key may call none of that kind. Throws a
 * ProtocolError.
 */
export async function usableTools(session: Session, { tools, endpoints }: Toolset): Promise<Tool[]> {
  const { api, key } = session
  const seen = await orUnavailable('message', () => sightOf(api.ctx, key, endpoints)).catch((error: unknown) => {
    throw protocolError(session, error)
  })
  const allowed = new Map(seen.filter(({ problem }) => problem === null).map(({ endpoint, asks }) => [endpoint, asks]))
  const kinds = new Set([...allowed.keys()].map(({ access }) => access))
  return tools.flatMap(({ runs, definition }): Tool[] => {
    if (typeof runs !== 'object') return runs === undefined || kinds.has(runs) ? [definition] : []
    const asks = allowed.get(runs)
    if (asks === undefined) return []
    return asks === runs.confirm ? [definition] : [{ ...definition, description: toolDescription(runs, asks) }]
  })
}
