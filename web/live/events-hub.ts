import type { Api } from '../../api/http/api.ts'

/** One open stream about a call. */
export interface Watcher {
  readonly owner: string
  readonly callId: string
  /** The call may have changed: tell it if so. */
  look(): void
  end(): void
}

/** All open streams of this process. */
export interface CallWatch {
  /** Undefined: there are too many, of this person or in all. The function that is returned takes the stream off again. */
  add(watcher: Watcher): (() => void) | undefined
}

const everyMs = 1_000
const most = { person: 20, process: 1_000 }

interface Seen {
  readonly id: string
  readonly version: string
}

/** Looks after the calls of all streams with one statement a second, and with none while nobody watches. */
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
      for (const watcher of watchers) if (changed.has(watcher.callId)) watcher.look()
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
      // With the sweeper's next look, as it brings what the engine lacks there, and whether the app blocked its account.
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
