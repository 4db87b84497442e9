import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { loggedTo, type Service } from '../../local-services/service.ts'
import { root } from './settings.ts'

/** A Node program of ours. It says `process.send({ ready: true })` once it serves, and finishes what it began on SIGTERM. */
export function nodeService(options: {
  name: string
  script: string
  env: NodeJS.ProcessEnv
  logs: string
  stopWithinMs: number
  /** A minute, or so long. */
  readyWithinMs?: number
  /** Where the code is, when it is not this. */
  root?: string | undefined
}): Service {
  const logFile = join(options.logs, `${options.name}.log`)
  return {
    name: options.name,
    logFile,
    prepare: async () => undefined,
    spawn: () =>
      loggedTo(logFile, ({ stdio, ...base }) => {
        const withChannel = [...(Array.isArray(stdio) ? stdio : []), 'ipc' as const]
        return spawn(process.execPath, [options.script], {
          ...base,
          stdio: withChannel,
          cwd: options.root ?? root,
          env: options.env,
        })
      }),
    ready: saysReady,
    readyWithinMs: options.readyWithinMs ?? 60_000,
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
