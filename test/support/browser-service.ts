import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { BrowserService } from '../../config.ts'
import { localUrl } from '../../config.ts'

export interface RunningBrowserService {
  readonly service: BrowserService
  readonly child: ChildProcess
  /** Command lines of its Chromium processes; of the first one of each browser unless another `kind` is named. */
  readonly browsers: (kind?: string) => readonly string[]
  /** What its browsers left behind. */
  readonly leftovers: () => readonly string[]
  stop(): Promise<void>
}

export const browserSecret = 'a-secret-of-the-tests-which-nobody-guesses'

/** The browser service as a process of its own, which knows nothing of this one. */
export async function startBrowserService(
  options: { readonly host?: string; readonly browsers?: number; readonly port?: number } = {},
): Promise<RunningBrowserService> {
  const { host = '127.0.0.1', browsers = 6 } = options
  const dir = await mkdtemp(path.join(tmpdir(), 'callgate-browser-'))
  await chmod(dir, 0o711)
  const child = fork(path.join(import.meta.dirname, '../../web/connect/browser-server/main.ts'), {
    env: {
      PATH: process.env['PATH'],
      HOST: host,
      PORT: String(options.port ?? 0),
      CALLGATE_DIR: dir,
      CALLGATE_BROWSERS: String(browsers),
      CALLGATE_BROWSER_SECRET: browserSecret,
    },
    execArgv: [],
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  const url = localUrl(host, port)
  return {
    service: { url, secret: () => browserSecret },
    child,
    browsers: (kind) => commandsIn(dir).filter((one) => (kind === undefined ? isFirst(one) : one.includes(kind))),
    leftovers: () => readdirSync(path.join(dir, 'browsers')),
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const exit = once(child, 'exit')
        child.kill('SIGTERM')
        await exit
      }
      await rm(dir, { recursive: true, force: true })
    },
  }
}

const isFirst = (command: string): boolean => !command.includes('--type=')

function commandsIn(dir: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const ended = readFileSync(`/proc/${name}/stat`, 'utf8').includes(') Z ')
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8')
        return !ended && command.startsWith(path.join(dir, 'chromium')) ? [command] : []
      } catch {
        // It ended meanwhile.
        return []
      }
    })
}
