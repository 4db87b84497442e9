import type { ServerContext } from '@modelcontextprotocol/server'
import type { Session } from './tool.ts'

const everySeconds = 3

/** Reports progress every three seconds to a client that asks for it: some then time out later. */
export async function withProgress<T>({ mcpReq }: ServerContext, { api }: Session, work: () => Promise<T>): Promise<T> {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return work()
  let progress = 0
  const timer = setInterval(() => {
    progress += everySeconds
    const message = `Still under way, for ${progress} s.`
    mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, progress, message } })
      .catch((error: unknown) => {
        clearInterval(timer)
        api.ctx.log.debug({ err: error }, 'a client could not be told of progress')
      })
  }, everySeconds * 1000)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
