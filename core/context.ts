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

/** What a process is made of, built once at boot and handed to whoever needs it. */
export interface Context {
  readonly config: Config
  readonly secrets: Secrets
  readonly db: Pool
  readonly apps: Apps
  /** The same, for who adds apps and takes them away. */
  readonly catalogue: Catalogue
  readonly log: Logger
  /** Traces of attacks, for operators. */
  readonly security: SecurityLog
  readonly temporal: Client
  /** What this process knows of the engine; kept by temporal/health.ts and temporal/call-runs.ts. */
  readonly engine: EngineState
  /** ULIDs of this process in their order, also those of one millisecond and after its clock was set back. */
  readonly nextUlid: () => string
  /** What came of asking apps, as this process counts it. */
  readonly outcomes: OutcomeCounts
  /** Who waits for calls hears of those that were settled here. */
  readonly endings: EndingsTold
}

/** What became of a run whose tasks fail again and again. `left`: its call is open, and it may go on by itself. */
export type StuckEnd = 'ended' | 'restarted' | 'left'

export interface EngineState {
  /** The last health check's answer. */
  up: boolean
  /** How often it was found to be away. */
  losses: number
  /** Queries under way: one per call id at most. */
  readonly views: Map<string, Promise<CallView | 'missing' | undefined>>
  /** How often this process, as it swept, found a run whose tasks fail again and again, by what became of it. */
  readonly stuck: Record<StuckEnd, number>
}

export function createContext(parts: {
  readonly config: Config
  readonly secrets: Secrets
  readonly log: Logger
  readonly temporal: Client
  /** Others than the project's own. */
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
