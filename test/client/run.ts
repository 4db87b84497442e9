import { spawn } from 'node:child_process'
import path from 'node:path'

const root = path.join(import.meta.dirname, '../..')

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface RunOptions {
  readonly cwd: string
  /** All that the program knows besides PATH. */
  readonly env: object
  readonly input?: string
  /** Gets all of stdout so far, whenever there is more. */
  readonly onOut?: (text: string) => void
  readonly onErr?: (text: string) => void
}

/** Runs a script of this project, or another program with its arguments, to its end. */
export function run(command: string, args: readonly string[], options: RunOptions): Promise<Ran> {
  const script = command.endsWith('.ts')
  const child = spawn(script ? process.execPath : command, script ? [path.join(root, command), ...args] : args, {
    cwd: options.cwd,
    env: { PATH: process.env['PATH'], ...options.env },
  })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
    options.onOut?.(out)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
    options.onErr?.(err)
  })
  child.stdin.end(options.input ?? '')
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code: code ?? -1, out, err }))
  })
}
