import type { Client } from '@temporalio/client'
import type { Logger } from 'pino'
import type { Config, Secrets } from '../config.ts'
import type { Loaded } from '../connectors/runtime/load.ts'
import { loadApps } from '../connectors/registry.ts'
import type { Apps } from '../connectors/registry.ts'
import type { Catalogue } from '../connectors/runtime/catalogue.ts'
import type { CallView } from '../schemas/call.ts'
import { EndingsTold } from './calls/tell-endings.ts'
import { openPool } from './database/pool.ts'
import type { Pool } from './database/pool.ts'
import { createSecurityLog } from './security-log.ts'
import type { SecurityLog } from './security-log.ts'
import { ulidsInOrder } from './ulid.ts'
import { OutcomeCounts } from './watch/outcomes.ts'

/** Dependencies of a process, built once at boot and passed to every function that needs them. */
export interface Context {
  readonly config: Config
  readonly secrets: Secrets
  readonly db: Pool
  readonly apps: Apps
  /** The same registry, with methods to add and remove apps. */
  readonly catalogue: Catalogue
  readonly log: Logger
  /** Refusals that attacks leave behind, for operators. */
  readonly security: SecurityLog
  readonly temporal: Client
  /** Temporal's state as this process sees it; kept by temporal/health.ts and call-runs.ts. */
  readonly engine: EngineState
  /** Monotonic ULIDs, also within one millisecond and after the clock was set back. */
  readonly nextUlid: () => string
  /** This process's counts of request outcomes per app. */
  readonly outcomes: OutcomeCounts
  /** Notifies waiting clients of calls that settle in this process. */
  readonly endings: EndingsTold
}

/** How a run with failing tasks was handled. `left`: its call is open and may still proceed. */
export type StuckEnd = 'ended' | 'restarted' | 'left'

export interface EngineState {
  /** The last health check's answer. */
  up: boolean
  /** How often health checks found Temporal down after it was up. */
  losses: number
  /** Pending queries, at most one per call id. */
  readonly views: Map<string, Promise<CallView | 'missing' | undefined>>
  /** Runs with failing tasks that this process's sweeper found, by how each was handled. */
  readonly stuck: Record<StuckEnd, number>
}

export function createContext(parts: {
  readonly config: Config
  readonly secrets: Secrets
  readonly log: Logger
  readonly temporal: Client
  /** Connectors to use instead of the built-in ones. */
  readonly connectors?: Readonly<Record<string, Loaded>> | undefined
}): Context {
  const { config, secrets, log, temporal, connectors } = parts
  const catalogue = loadApps({ sandboxUrl: config.sandboxUrl, connectors })
  for (const { slug, file, problem } of catalogue.broken.values())
    log.error({ app: slug, file, problem }, 'a connector cannot be used: its app is off, everything else serves')
  const db = openPool(config.databaseUrl, log, config.databaseConnections)
  return {
    config,
    secrets,
    log,
    temporal,
    db,
    apps: catalogue,
    catalogue,
    engine: { up: true, losses: 0, views: new Map(), stuck: { ended: 0, restarted: 0, left: 0 } },
    nextUlid: ulidsInOrder(),
    outcomes: new OutcomeCounts(),
    endings: new EndingsTold(db, log),
    security: createSecurityLog({ db, log }),
  }
}
