import { randomInt } from 'node:crypto'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Server } from 'node:net'
import { join } from 'node:path'
import { ensureGoPrograms } from './go-programs.ts'

const folder = join(import.meta.dirname, '../engine/cluster')

/** Builds Temporal's server and schema tool (engine/cluster/go.mod), once per machine. */
export async function clusterPrograms(
  env: NodeJS.ProcessEnv,
  log: (line: string) => void,
): Promise<{ server: string; sqlTool: string }> {
  const packages = ['go.temporal.io/server/cmd/server', 'go.temporal.io/server/cmd/tools/sql']
  const programs = await ensureGoPrograms({ name: 'temporal-cluster', folder, packages, env, log })
  return { server: join(programs, 'server'), sqlTool: join(programs, 'sql') }
}

/** The Compose stack's Temporal settings; `test/deploy/compose.test.ts` keeps them in sync. */
export const clusterSettings = {
  DB: 'postgres12_pgx',
  NUM_HISTORY_SHARDS: '4',
  TEMPORAL_BROADCAST_ADDRESS: '127.0.0.1',
  LOG_LEVEL: 'warn',
  TEMPORAL_VERSION_CHECK_DISABLED: '1',
  GOGC: '400',
  GOMEMLIMIT: '1200MiB',
}

const internalPorts = [
  ...['FRONTEND_HTTP_PORT', 'HISTORY_GRPC_PORT', 'MATCHING_GRPC_PORT', 'WORKER_GRPC_PORT'],
  ...['FRONTEND', 'HISTORY', 'MATCHING', 'WORKER'].map((part) => `${part}_MEMBERSHIP_PORT`),
]

/** Free ports for a second server, by environment variable, and one for each of `names`. */
export async function clusterPorts<Name extends string>(
  names: readonly Name[] = [],
): Promise<{ server: Readonly<Record<string, string>>; frontend: number; others: Readonly<Record<Name, number>> }> {
  const [frontend = 0, ...rest] = await freeLowPorts(1 + internalPorts.length + names.length)
  const internal = Object.fromEntries(internalPorts.map((name, i) => [name, String(rest[i])]))
  const others = Object.fromEntries(names.map((name, i) => [name, rest[internalPorts.length + i]]))
  return {
    server: { FRONTEND_GRPC_PORT: String(frontend), ...internal },
    frontend,
    others: others as Record<Name, number>,
  }
}

/** Below the ephemeral range: the server stores ports as signed 16-bit numbers. */
async function freeLowPorts(count: number): Promise<number[]> {
  const servers: Server[] = []
  while (servers.length < count) {
    const server = createServer()
    const free = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(randomInt(12_000, 32_000), '127.0.0.1', () => resolve(true))
    })
    if (free) servers.push(server)
  }
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

/** Whether the port accepts connections. */
export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const answer = (yes: boolean): void => {
      socket.destroy()
      resolve(yes)
    }
    socket.once('connect', () => answer(true)).once('error', () => answer(false))
  })
}
