import { setTimeout as pause } from 'node:timers/promises'
import { begin, exitText, lastLines, type Exit, type Running, type Service } from '../../local-services/service.ts'
import { identify } from '../../local-services/process-identity.ts'
import { messageOf, SetupError } from '../../local-services/setup-error.ts'
import { removePidFile, writePidFile } from './pid-files.ts'

const patience = 3
const soonMs = 2_000
const longestPauseMs = 30_000
/** Interval of reports about a slow start. */
const reportMs = 30_000

/** Keeps a service alive: respawns it at once when it dies, with backoff when it cannot start. */
export class Keeper {
  readonly service: Service
  readonly #run: string
  readonly #log: (line: string) => void
  readonly #first = Promise.withResolvers<void>()
  readonly #halt = new AbortController()
  #running: Running | undefined
  #loop: Promise<void> | undefined
  #crashes = 0

  constructor(service: Service, run: string, log: (line: string) => void) {
    this.service = service
    this.#run = run
    this.#log = log
    this.#first.promise.catch(() => undefined)
  }

  /** Resolves when it first serves; rejects when it crashes `patience` times before. */
  start(): Promise<void> {
    this.#loop ??= this.#keep().catch((error: unknown) => this.#first.reject(error))
    return this.#first.promise
  }

  async stop(): Promise<void> {
    this.#halt.abort()
    await this.#running?.stop()
    await this.#loop
    removePidFile(this.#run, this.service.name)
  }

  async #keep(): Promise<void> {
    let hasServed = false
    while (!this.#halt.signal.aborted) {
      const { reason, crashed, served } = await this.#attempt(hasServed)
      hasServed ||= served
      if (this.#halt.signal.aborted) return
      this.#crashes = crashed ? this.#crashes + 1 : 0
      if (this.#crashes >= patience && !hasServed) throw new SetupError(this.#complaint(reason))
      await this.#beforeNext(reason)
    }
  }

  async #attempt(isRespawn: boolean): Promise<{ reason: string; crashed: boolean; served: boolean }> {
    const started = Date.now()
    try {
      const { exit, served } = await this.#runOnce(isRespawn, started)
      // A SIGKILL comes from outside: not a crash.
      const crashed = exit.signal !== 'SIGKILL' && (!served || Date.now() - started < soonMs)
      return { reason: exitText(exit), crashed, served }
    } catch (error) {
      if (!isRespawn) throw error
      return { reason: messageOf(error), crashed: true, served: false }
    }
  }

  async #runOnce(isRespawn: boolean, started: number): Promise<{ exit: Exit; served: boolean }> {
    const { name } = this.service
    const running = await begin(this.service)
    this.#running = running
    if (this.#halt.signal.aborted) void running.stop()
    writePidFile(this.#run, name, running.pid)
    let served = false
    const report = setInterval(() => this.#log(this.#slowStart(started)), reportMs).unref()
    void running.ready.catch(() => undefined).finally(() => clearInterval(report))
    const serving = running.ready.then(
      () => {
        served = true
        this.#first.resolve()
        if (isRespawn) this.#log(`${name} serves again after ${Date.now() - started} ms (process ${running.pid})`)
      },
      async (error: unknown) => {
        // It ended, which is reported below, or stalled: then kill it.
        if (identify(running.pid)) this.#log(messageOf(error))
        await running.kill()
      },
    )
    const exit = await running.exited
    await serving
    return { exit, served }
  }

  async #beforeNext(reason: string): Promise<void> {
    if (this.#crashes < patience) {
      this.#log(`${this.service.name} ended (${reason}): starting it again`)
      if (this.#crashes === 0) return
    } else this.#log(this.#complaint(reason))
    const ms = Math.min(200 * 2 ** this.#crashes, longestPauseMs)
    // Rejects only on stop, which the caller checks next.
    await pause(ms, undefined, { signal: this.#halt.signal }).catch(() => undefined)
  }

  #slowStart(started: number): string {
    const { name, logFile } = this.service
    return `${name} is still starting after ${Math.round((Date.now() - started) / 1000)} s; its log: ${logFile}`
  }

  #complaint(reason: string): string {
    const { name, logFile } = this.service
    const tail = lastLines(logFile, 8).map((line) => `    ${line}`)
    return [`${name} crashed ${this.#crashes} times at its start (${reason}). The end of ${logFile}:`, ...tail].join(
      '\n',
    )
  }
}
