import type { Api } from '../../core/http/api.ts'

/** An open event stream about a call. */
export interface Watcher {
  readonly owner: string
  readonly callId: string
  /** Its Temporal state is not known yet; no change of the row would announce it. */
  readonly unsure: boolean
  /** Check the call, and send its state if it changed. */
  look(): void
  end(): void
}

/** All open streams of this process. */
export interface CallWatch {
  /** Returns a function that removes the stream. Undefined: limit per user or process reached. */
  add(watcher: Watcher): (() => void) | undefined
}

const everyMs = 1_000
const most = { person: 20, process: 1_000 }

interface Seen {
  readonly id: string
  readonly version: string
}

/** Polls the calls of all streams with one query per second; none without streams. */
export function watchCalls(api: Api): CallWatch {
  const watchers = new Set<Watcher>()
  let versions: ReadonlyMap<string, string> = new Map()
  let timer: NodeJS.Timeout | undefined

  api.draining.addEventListener('abort', () => {
    for (const watcher of watchers) watcher.end()
  })

  async function poll(): Promise<void> {
    try {
      const seen = await readVersions()
      const changed = new Set(seen.filter(({ id, version }) => versions.get(id) !== version).map(({ id }) => id))
      versions = new Map(seen.map(({ id, version }) => [id, version]))
      for (const watcher of watchers) if (changed.has(watcher.callId) || watcher.unsure) watcher.look()
    } catch (error) {
      api.ctx.log.warn({ err: error }, 'the calls that people watch could not be looked at')
    }
    timer = undefined
    next()
  }

  function next(): void {
    if (watchers.size > 0) timer ??= setTimeout(() => void poll(), everyMs)
  }

  async function readVersions(): Promise<readonly Seen[]> {
    const { rows } = await api.ctx.db.query<Seen>({
      name: 'watched-calls',
      // Includes check_at (Temporal state, from the reconciler) and the account's cool-down.
      text: `SELECT c.id, concat_ws(' ', c.status, c.waiting_for, c.send, c.attempt, c.updated_at, c.retry_at, p.paused, $2::boolean,
           CASE WHEN c.status = 'running' THEN c.check_at END, b.until) AS version
       FROM calls c LEFT JOIN app_controls p ON p.app = c.app
       LEFT JOIN pauses b ON b.account = c.account AND b.endpoint = c.endpoint WHERE c.id = ANY ($1)`,
      values: [[...new Set([...watchers].map(({ callId }) => callId))], api.ctx.engine.up],
    })
    return rows
  }

  return {
    add(watcher) {
      const ofPerson = [...watchers].filter(({ owner }) => owner === watcher.owner).length
      if (api.draining.aborted || ofPerson >= most.person || watchers.size >= most.process) return undefined
      watchers.add(watcher)
      next()
      return () => {
        watchers.delete(watcher)
      }
    },
  }
}
