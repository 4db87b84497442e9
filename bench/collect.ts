import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'

/**
 * Forces garbage collection in a Node process and its worker threads, through the inspector that
 * SIGUSR1 opens (Node's documentation, "Debugger"); the remaining memory is in use. The process
 * must run with `--inspect-port` set to that port.
 */
export async function collectGarbage(pid: number, inspectPort: number): Promise<void> {
  process.kill(pid, 'SIGUSR1')
  const socket = new WebSocket(await inspectorOf(inspectPort))
  const open = Promise.withResolvers<void>()
  socket.once('open', () => open.resolve())
  socket.once('error', open.reject)
  await open.promise
  const workers: string[] = []
  const answers = new Map<number, () => void>()
  socket.on('message', (data: Buffer) => {
    const { id, method, params } = JSON.parse(data.toString()) as {
      readonly id?: number
      readonly method?: string
      readonly params?: { readonly sessionId: string }
    }
    if (id !== undefined) answers.get(id)?.()
    if (method === 'NodeWorker.attachedToWorker' && params !== undefined) workers.push(params.sessionId)
  })
  let last = 0
  const ask = async (method: string, params: object = {}): Promise<void> => {
    const id = ++last
    const { promise, resolve } = Promise.withResolvers<void>()
    answers.set(id, resolve)
    socket.send(JSON.stringify({ id, method, params }))
    await promise
  }
  await ask('NodeWorker.enable', { waitForDebuggerOnStart: false })
  await ask('HeapProfiler.collectGarbage')
  for (const sessionId of workers) {
    const message = JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' })
    await ask('NodeWorker.sendMessageToWorker', { sessionId, message })
  }
  // Workers answer separately, and V8 returns pages to the system a little later.
  await pause(3_000)
  socket.terminate()
}

async function inspectorOf(port: number): Promise<string> {
  for (let tries = 0; ; tries++) {
    try {
      const [target] = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as [
        { readonly webSocketDebuggerUrl: string },
      ]
      return target.webSocketDebuggerUrl
    } catch (error) {
      if (tries === 50) throw error
      await pause(100)
    }
  }
}
