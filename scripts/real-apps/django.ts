import { execFile, spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { loggedTo } from '../../local-services/service.ts'
import type { Service } from '../../local-services/service.ts'
import { SetupError } from '../../local-services/setup-error.ts'
import type { RunningApp } from './real-app.ts'

interface Where {
  readonly cwd: string
  /** Added to the minimal environment. */
  readonly env: Readonly<Record<string, string>>
}

/** A minimal environment: the app must not see the shell's settings of Python or Callgate. */
function envOf({ env }: Pick<Where, 'env'>): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: process.env['HOME'], PYTHONUNBUFFERED: '1', ...env }
}

/** Returns stdout; throws the end of stderr. */
export async function runPython(python: string, args: readonly string[], where: Where): Promise<string> {
  try {
    const options = { cwd: where.cwd, env: envOf(where), maxBuffer: 64 * 1024 * 1024 }
    return (await promisify(execFile)(python, args, options)).stdout
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error)
    throw new SetupError(`python ${args[0]} ${args[1] ?? ''} failed:\n${said.slice(-2000)}`, { cause: error })
  }
}

/** The app's own web server, ready once it serves `page`. */
export function webService(
  options: Where & {
    readonly name: string
    readonly python: string
    readonly args: readonly string[]
    readonly logFile: string
    readonly page: string
  },
): Service {
  const { name, python, args, cwd, logFile, page } = options
  return {
    name,
    logFile,
    prepare: async () => undefined,
    spawn: () => loggedTo(logFile, (how) => spawn(python, args, { ...how, cwd, env: envOf(options) })),
    async ready(_child, signal) {
      while (!signal.aborted) {
        // Not listening yet.
        const answer = await fetch(page, { signal }).catch(() => undefined)
        if (answer?.ok) return
        await pause(100)
      }
    },
    stalledAfterMs: 120_000,
    stopSignal: 'SIGTERM',
    stopWithinMs: 10_000,
  }
}

/** Queries a SQLite file that a running app writes to. */
export function rowsOf(file: string): RunningApp['rows'] {
  return (sql, ...values) => {
    const database = new DatabaseSync(file, { timeout: 10_000 })
    try {
      return database.prepare(sql).all(...values)
    } finally {
      database.close()
    }
  }
}

/** Changes files below a folder and restores them. */
export function editing(folder: string): RunningApp['changeTemplate'] {
  return async (name, text, other) => {
    const file = join(folder, name)
    const before = await readFile(file, 'utf8')
    if (!before.includes(text)) throw new Error(`the template ${name} has no ${text}`)
    await writeFile(file, before.replaceAll(text, other))
    return () => writeFile(file, before)
  }
}
