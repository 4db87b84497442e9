import { ConnectorFailed } from '../../isolate/failed.ts'
import { Lanes } from './lanes.ts'
import type { Said, Step } from './messages.ts'
import { nameOf } from './source.ts'
import type { CodeSource } from './source.ts'
import { Task } from './task.ts'
import type { Wanted } from './task.ts'
import { ExchangeWorker } from './worker.ts'

export interface PoolOptions {
  readonly mostThreads?: number
  /** Limit of one step in ms of CPU time, and four times that in wall time. Default 5,000. */
  readonly stepMs?: number
}

/** Timeout in ms to start a thread, and to load code on it. */
const loadMs = 30_000
/** After a step used its whole limit, its lane rests for this many limits. */
const restTimes = 10
/** Queued steps of one lane at most. */
const mostWaiting = 2_000
const idleMs = 60_000
/** After this many failed starts in a row, queued steps fail, too: the machine lacks memory. */
const mostFailedStarts = 3

interface Waiting {
  readonly task: Task
  readonly step: Step
}

interface Thread {
  readonly worker: ExchangeWorker
  readonly known: Set<string>
  readonly tasks: Map<number, Task>
  isReady: boolean
  /** CPU time in ms at the end of its last step. */
  cpuMs: number
  /** Its current step. `isLoading`: the code is not loaded yet. */
  now: (Waiting & { readonly isLoading: boolean }) | undefined
  timer: NodeJS.Timeout | undefined
  idleTimer: NodeJS.Timeout | undefined
}

/** Threads for author code and apps' answers. Each runs one step at a time, and may be ended. */
export class ExchangePool {
  #most: number
  readonly #stepMs: number
  readonly #threads = new Set<Thread>()
  readonly #lanes = new Lanes<Waiting>()
  #failedStarts = 0

  constructor({ mostThreads = 4, stepMs = 5_000 }: PoolOptions = {}) {
    this.#most = mostThreads
    this.#stepMs = stepMs
  }

  begin(wanted: Wanted): Task {
    const task = new Task(wanted)
    if (this.#lanes.waiting(wanted.lane) >= mostWaiting) task.fail(new ConnectorFailed('has too much to do'))
    else this.#again(task)
    return task
  }

  forget(source: CodeSource): void {
    for (const { worker, known } of this.#threads)
      if (known.delete(nameOf(source))) worker.give({ kind: 'forget', source: nameOf(source) })
  }

  /** Running jobs fail, and no thread starts from now on. */
  end(): void {
    this.#most = 0
    for (const thread of this.#threads) this.#gone(thread)
    this.#giveUp()
  }

  #again(task: Task): void {
    const step = task.start()
    if (step === undefined) return task.fail(new ConnectorFailed('was interrupted too often'))
    this.#lanes.add(task.wanted.lane, { task, step })
    this.#pump()
  }

  #pump(): void {
    for (;;) {
      const idle = [...this.#threads].filter(({ now, isReady }) => isReady && now === undefined)
      let on: Thread | undefined
      const next = this.#lanes.next(({ task }) => {
        on = this.#threadOf(task)
        if (on === undefined) [on] = idle
        return task.isOver || (on !== undefined && idle.includes(on))
      })
      if (next === undefined) break
      if (this.#refused(next.task)) this.#lanes.done(next.task.wanted.lane)
      else if (on) this.#give(on, next)
    }
    this.#grow()
  }

  #threadOf(task: Task): Thread | undefined {
    return [...this.#threads].find(({ tasks }) => tasks.has(task.id))
  }

  /** In a resting lane only jobs that may have acted continue, to learn the action's fate. */
  #refused(task: Task): boolean {
    if (!task.isOver && this.#lanes.rests(task.wanted.lane) && !task.mayHaveActed)
      task.fail(new ConnectorFailed('rests after it took too long'))
    if (task.isOver) this.#leave(task)
    return task.isOver
  }

  #leave(task: Task): void {
    const thread = this.#threadOf(task)
    thread?.tasks.delete(task.id)
    thread?.worker.give({ kind: 'forget', id: task.id })
  }

  /** Adds a thread if all are busy and a queued step could start at once. */
  #grow(): void {
    const isBusy = [...this.#threads].every(({ now, isReady }) => isReady && now !== undefined)
    if (!isBusy || this.#threads.size === this.#most) return
    if (!this.#lanes.has(({ task }) => this.#threadOf(task) === undefined)) return
    const thread: Thread = {
      worker: new ExchangeWorker({ said: (said) => this.#heard(thread, said), gone: () => this.#gone(thread) }),
      ...{ known: new Set<string>(), tasks: new Map<number, Task>(), isReady: false },
      ...{ cpuMs: 0, now: undefined, timer: undefined, idleTimer: undefined },
    }
    thread.timer = setTimeout(() => this.#gone(thread), loadMs)
    this.#threads.add(thread)
  }

  #give(thread: Thread, next: Waiting): void {
    const { source } = next.task.wanted
    const isLoading = source !== undefined && !thread.known.has(nameOf(source))
    clearTimeout(thread.idleTimer)
    thread.tasks.set(next.task.id, next.task)
    thread.now = { ...next, isLoading }
    if (source !== undefined && isLoading) {
      this.#limit(thread, loadMs)
      thread.worker.give({ kind: 'know', source })
    } else {
      this.#limit(thread, next.task.wanted.stepMs ?? this.#stepMs)
      const name = source === undefined ? null : nameOf(source)
      const step = next.step.kind === 'start' ? { ...next.step, source: name } : next.step
      try {
        thread.worker.give(step)
      } catch (error) {
        // Not serializable: only this job fails.
        thread.tasks.delete(next.task.id)
        next.task.fail(error)
        this.#idle(thread)
      }
    }
  }

  #limit(thread: Thread, ms: number): void {
    clearTimeout(thread.timer)
    const until = performance.now() + 4 * ms
    const { now, cpuMs: begun } = thread
    const look = async (): Promise<void> => {
      // CPU time, not wall time: on a busy machine a thread may be waiting, or unable to answer.
      const used = ((await thread.worker.cpuMs()) ?? begun) - begun
      if (thread.now !== now || !this.#threads.has(thread)) return
      const left = Math.max(ms - used, ms * 0.1)
      if (used < ms * 0.9 && performance.now() < until) thread.timer = setTimeout(() => void look(), left)
      else this.#overdue(thread, ms)
    }
    thread.timer = setTimeout(() => void look(), ms)
  }

  #overdue(thread: Thread, ms: number): void {
    const task = thread.now?.task
    if (task) {
      thread.tasks.delete(task.id)
      this.#lanes.rest(task.wanted.lane, restTimes * this.#stepMs)
      task.fail(new ConnectorFailed(`took longer than ${ms} ms`))
    }
    this.#gone(thread)
  }

  #heard(thread: Thread, said: Said): void {
    switch (said.kind) {
      case 'ready':
        thread.isReady = true
        thread.cpuMs = said.cpuMs
        this.#failedStarts = 0
        clearTimeout(thread.timer)
        this.#rest(thread)
        return this.#pump()
      case 'idle':
        thread.cpuMs = said.cpuMs
        return this.#idle(thread)
      case 'ask': {
        const task = thread.tasks.get(said.id)
        const { lane } = task?.wanted ?? { lane: '' }
        task?.answer(said)?.then(
          (result) => {
            // The thread may have ended meanwhile: the job then asks again on another.
            if (task.isOver || thread.tasks.get(task.id) !== task) return
            this.#lanes.add(lane, { task, step: { kind: 'answer', id: said.id, ask: said.ask, result } })
            this.#pump()
          },
          () => undefined,
        )
        return undefined
      }
      case 'done':
        thread.tasks.get(said.id)?.done(said.result)
        thread.tasks.delete(said.id)
        return undefined
      case 'failed':
        thread.tasks.get(said.id)?.failed(said.fault)
        thread.tasks.delete(said.id)
        return undefined
    }
  }

  #idle(thread: Thread): void {
    const { now } = thread
    if (now === undefined) return
    clearTimeout(thread.timer)
    thread.now = undefined
    if (now.isLoading) {
      const { source } = now.task.wanted
      if (source) thread.known.add(nameOf(source))
      if (!this.#refused(now.task)) return this.#give(thread, now)
    }
    this.#lanes.done(now.task.wanted.lane)
    this.#rest(thread)
    this.#pump()
  }

  /** The last thread stays; others end after a while without work. */
  #rest(thread: Thread): void {
    clearTimeout(thread.idleTimer)
    thread.idleTimer = setTimeout(() => {
      if (this.#threads.size > 1 && thread.now === undefined && thread.tasks.size === 0) this.#gone(thread)
    }, idleMs).unref()
  }

  /** Terminated, or out of memory. The job at fault fails; the others run again elsewhere. */
  #gone(thread: Thread): void {
    if (!this.#threads.delete(thread)) return
    clearTimeout(thread.timer)
    clearTimeout(thread.idleTimer)
    thread.worker.end()
    const { now } = thread
    if (now) {
      if (thread.tasks.delete(now.task.id)) {
        this.#lanes.rest(now.task.wanted.lane, restTimes * this.#stepMs)
        now.task.fail(new ConnectorFailed('took too much memory'))
      }
      this.#lanes.done(now.task.wanted.lane)
    }
    const others = [...thread.tasks.values()]
    // Drop queued answers to the old thread: the new run asks again and gets the same answers.
    thread.tasks.clear()
    for (const task of others) this.#lanes.drop(task.wanted.lane, (one) => one.task === task)
    for (const task of others) this.#again(task)
    if (!thread.isReady && ++this.#failedStarts === mostFailedStarts) this.#giveUp()
    this.#pump()
  }

  #giveUp(): void {
    this.#failedStarts = 0
    for (const { task } of this.#lanes.clear()) task.fail(new Error('no exchange thread can be started'))
  }
}
