import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { loggedTo, type Service } from '../../local-services/service.ts'
import { built } from './built.ts'
import { root } from './settings.ts'

/** A Node process of Callgate. It sends `{ ready: true }` once it serves, and drains on SIGTERM. */
export function nodeService(options: {
  name: string
  script: string
  env: NodeJS.ProcessEnv
  logs: string
  stopWithinMs: number
  /** Default: one minute. */
  stalledAfterMs?: number
  /** Another checkout to run from. */
  root?: string | undefined
}): Service {
  const logFile = join(options.logs, `${options.name}.log`)
  const home = options.root ?? root
  let program = join(home, options.script)
  return {
    name: options.name,
    logFile,
    async prepare() {
      program = await built(home, options.script)
    },
    spawn: () =>
      loggedTo(logFile, ({ stdio, ...base }) => {
        const withChannel = [...(Array.isArray(stdio) ? stdio : []), 'ipc' as const]
        return spawn(process.execPath, ['--max-semi-space-size=8', program], {
          ...base,
          stdio: withChannel,
          cwd: home,
          // As in the Dockerfile.
          env: { MALLOC_ARENA_MAX: '2', ...options.env },
        })
      }),
    ready: saysReady,
    stalledAfterMs: options.stalledAfterMs ?? 60_000,
    stopSignal: 'SIGTERM',
    stopWithinMs: options.stopWithinMs,
  }
}

function saysReady(child: ChildProcess, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('gave up waiting')))
    child.on('message', (message: unknown) => {
      if (typeof message === 'object' && message !== null && 'ready' in message && message.ready === true) resolve()
    })
  })
}
