import type { Client } from '@temporalio/client'
import type { Logger } from 'pino'
import type { Config, Secrets } from '../config.ts'
import { loadApps } from '../connectors/registry.ts'
import type { Apps } from '../connectors/registry.ts'
import type { CallView } from '../schemas/call.ts'
import { openPool } from './db/pool.ts'
import type { Pool } from './db/pool.ts'

/** What a process is made of, built once at boot and handed to whoever needs it. */
export interface Context {
  readonly config: Config
  readonly secrets: Secrets
  readonly db: Pool
  readonly apps: Apps
  readonly log: Logger
  readonly temporal: Client
  /** What this process knows of the engine; kept by engine.ts. */
  readonly engine: EngineState
}

export interface EngineState {
  /** The last health check's answer. */
  up: boolean
  /** Queries under way: one per call id at most. */
  readonly views: Map<string, Promise<CallView | 'missing' | undefined>>
}

export function createContext(parts: {
  readonly config: Config
  readonly secrets: Secrets
  readonly log: Logger
  readonly temporal: Client
}): Context {
  return {
    ...parts,
    db: openPool(parts.config.databaseUrl, parts.log),
    apps: loadApps({ sandboxUrl: parts.config.sandboxUrl }),
    engine: { up: true, views: new Map() },
  }
}
