import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loggedTo, type Service } from '../../local-services/service.ts'
import { compiledAhead } from './compiled.ts'
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
  const home = options.root ?? root
  const dir = options.env['CALLGATE_DIR']
  return {
    name: options.name,
    logFile,
    prepare: () => compiledAhead(home, dir),
    spawn: () =>
      loggedTo(logFile, ({ stdio, ...base }) => {
        const withChannel = [...(Array.isArray(stdio) ? stdio : []), 'ipc' as const]
        return spawn(process.execPath, [...flagsIn(home), options.script], {
          ...base,
          stdio: withChannel,
          cwd: home,
          env: { MALLOC_ARENA_MAX: '2', ...options.env },
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

/**
 * As in the Dockerfile. What a process makes and throws away would be spread over 128 MB before V8 looks at it; C's allocator would have a
 * store of its own for each thread.
 */
function flagsIn(home: string): string[] {
  const loader = join(home, 'core/compiled/load.mjs')
  return ['--max-semi-space-size=8', ...(existsSync(loader) ? ['--import', loader] : [])]
}
