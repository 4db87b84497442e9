import type { Tool } from '@modelcontextprotocol/server'
import { sightOf } from '../../core/keys/sight.ts'
import { orUnavailable } from '../http/unavailable.ts'
import { protocolError } from './results.ts'
import type { Session } from './tool.ts'
import type { Toolset } from './toolsets.ts'

/**
 * The tools that the key may use as of now. Those of endpoints that it may not call are left out, and one that runs any endpoint where
 * the key may call none of its kind. Throws a ProtocolError.
 */
export async function usableTools(session: Session, { tools, endpoints }: Toolset): Promise<Tool[]> {
  const { api, key } = session
  const seen = await orUnavailable('message', () => sightOf(api.ctx, key, endpoints)).catch((error: unknown) => {
    throw protocolError(session, error)
  })
  const allowed = new Set(seen.filter(({ problem }) => problem === null).map(({ endpoint }) => endpoint))
  const kinds = new Set([...allowed].map(({ access }) => access))
  return tools
    .filter(({ runs }) => runs === undefined || (typeof runs === 'string' ? kinds.has(runs) : allowed.has(runs)))
    .map(({ definition }) => definition)
}
