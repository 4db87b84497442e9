import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { inspect } from 'node:util'
import { freePort } from '../../local-services/dev-server.ts'
import { cacheFolder, makeFolder } from '../../local-services/temporal.ts'
import { Agent } from './agent.ts'
import { startBrowser } from './browser.ts'
import { examplesMatch } from './examples.ts'
import { startGateway } from './gateway.ts'
import type { Gateway } from './gateway.ts'
import { Person } from './person.ts'
import type { RealApp, World } from './real-app.ts'
import { connectorOf, recordApp } from './record-run.ts'
import { isGold } from './scale.ts'
import { signIn } from './sign-in.ts'
import { isWatched } from './watch.ts'

export interface Result {
  readonly name: string
  readonly seconds: number
  /** The first failure, if any. */
  readonly problem: string | undefined
}

interface Options {
  /** Keeps folders with data and logs. */
  readonly keep: boolean
  /** Writes the live results of the reads into the connector's folder. */
  readonly keepLive?: boolean | undefined
  /** A folder for screenshots of the sign-in. */
  readonly frames?: string | undefined
  readonly log: (line: string) => void
  readonly signal: AbortSignal
}

/** Installs all apps, then plays their stories with one Callgate. Only the installations remain. */
export async function runRealApps(apps: readonly RealApp[], options: Options): Promise<readonly Result[]> {
  const { log, signal, keep } = options
  const cache = join(cacheFolder(process.env), 'real-apps')
  await makeFolder(cache)
  await Promise.all(apps.map((app) => app.install(cache, log)))
  signal.throwIfAborted()
  const ports = new Map<RealApp, number>()
  for (const app of apps) ports.set(app, await freePort())
  const gateway = await startGateway({ hosts: [...ports.values()].map((port) => `127.0.0.1:${port}`), log, signal })
  if (keep) log(`data and logs of Callgate are kept in ${gateway.dir}`)
  try {
    const results: Result[] = []
    for (const [app, port] of ports) {
      const began = Date.now()
      const problem = await until(signal, play(app, { ...options, gateway, cache, port })).then(
        () => undefined,
        (error: unknown) => inspect(error),
      )
      results.push({ name: app.name, seconds: (Date.now() - began) / 1000, problem })
      signal.throwIfAborted()
    }
    return results
  } finally {
    await gateway.close({ keep })
  }
}

async function play(
  app: RealApp,
  stage: Options & { readonly gateway: Gateway; readonly cache: string; readonly port: number },
): Promise<void> {
  const { gateway, cache, port, keep, frames, signal } = stage
  const log = (line: string): void => stage.log(`${app.name}: ${line}`)
  const folder = await mkdtemp(join(tmpdir(), `callgate-${app.name}-`))
  if (keep) log(`its data, log and recordings are kept in ${folder}`)
  await using done = new AsyncDisposableStack()
  done.defer(() => (keep ? undefined : rm(folder, { recursive: true, force: true })))
  const connector = connectorOf(app)
  const user = await gateway.user()
  const command = (...words: readonly string[]) => gateway.connector(user.key, ...words)
  const recorded = await recordApp(app, { cache, into: join(folder, 'recorded'), log })
  await command('test', recorded)
  log('its recordings are as they should be')
  examplesMatch(connector, recorded)
  log('the offline examples show the same')
  const data = join(folder, 'data')
  await mkdir(data)
  const running = await app.start({ cache, folder: data, port })
  done.defer(() => running.stop())
  log(`serves at ${running.origin}`)
  await command('add', connector, '--yes')
  await served(`${gateway.url}/docs/${app.name}`, signal)
  const agent = new Agent({ url: gateway.url, key: user.key, app: app.name })
  done.defer(() => agent.close())
  const browser = await startBrowser(gateway.dir)
  done.defer(() => browser.close())
  const person = new Person(browser, gateway.url, user)
  const signedIn = (account?: string) => signIn({ person, app, running, account, frames })
  const account = await signedIn()
  log('signed in on the live page')
  const world: World = {
    app: running,
    agent,
    person,
    account,
    signIn: () => signedIn(account),
    connector: command,
    log,
  }
  await isGold(world, { folder: connector, keepLive: stage.keepLive === true })
  log('its reads were made live, and it is gold')
  await isWatched(world, connector)
  log('its reads are watched by the word of their owner, and are as before')
  await app.story(world)
}

/** Each process checks for new connectors once a second. */
async function served(page: string, signal: AbortSignal): Promise<void> {
  while ((await fetch(page, { signal })).status !== 200) await pause(200, undefined, { signal })
}

/** The result, unless the signal aborts first. */
async function until<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const aborted = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  return Promise.race([work, aborted])
}
