import type { Tools } from './tools.ts'

/** A test that is slow or needs third-party tools: it runs only when what it covers has changed. */
export interface Proof {
  readonly name: string
  /** Files for vitest, or a script. */
  readonly run: { readonly files: readonly string[] } | { readonly script: string }
  /** Folders and files that it tests, as git names them. */
  readonly covers: readonly string[]
  readonly tools?: Tools
  /** Runs only by name. */
  readonly byName?: boolean
}

/** The code that every call runs through. */
const calls = [
  ...['core', 'workflows', 'activities', 'api', 'server', 'schemas', 'package-lock.json'],
  ...['connectors/kit', 'connectors/runtime', 'connectors/isolate'],
]
const files = (...of: readonly string[]): Proof['run'] => ({ files: of })

/** In order of risk: the failures with the worst consequences first. */
export const proofs: readonly Proof[] = [
  {
    name: 'campaign',
    run: files('test/scripts/campaign'),
    covers: [...calls, 'scripts/campaign', 'test/scripts/campaign.proof.ts'],
  },
  {
    name: 'upgrade',
    run: files('test/deploy/upgrade'),
    covers: [...calls, 'deploy/previous', 'scripts/schema', 'test/deploy/upgrade.proof.ts'],
  },
  {
    name: 'races',
    run: files('test/fire/races', 'test/fire/limiter-race'),
    covers: [...calls, 'test/fire/gateway.ts', 'test/fire/races.proof.ts', 'test/fire/limiter-race.proof.ts'],
  },
  {
    name: 'arrivals',
    run: files('test/connectors/arrivals'),
    covers: ['connectors', 'schemas', 'sandbox', 'test/connectors/arrivals', 'test/connectors/arrivals.proof.ts'],
  },
  {
    name: 'real-apps',
    run: { script: 'scripts/real-apps.ts' },
    covers: [...calls, 'web/connect', 'examples/connectors', 'scripts/real-apps', 'scripts/real-apps.ts'],
  },
  {
    name: 'schemathesis',
    run: files('test/api/schemathesis'),
    covers: ['api', 'server', 'schemas', 'core/calls', 'core/http', 'connectors', 'test/api'],
  },
  {
    name: 'failover',
    run: files('test/scripts/failover'),
    covers: [
      ...['core/database', 'core/calls', 'core/temporal', 'local-services', 'scripts/failover-drill'],
      'test/scripts/failover.proof.ts',
    ],
  },
  {
    name: 'restore',
    run: { script: 'scripts/restore-drill.ts' },
    covers: ['core/database', 'core/calls', 'core/sweep', 'core/temporal', 'workflows', 'scripts/restore-drill'],
  },
  {
    name: 'compose',
    run: files('test/deploy/cluster', 'test/deploy/compose', 'test/deploy/dockerfile', 'test/deploy/secrets'),
    covers: [
      ...['docker-compose.yml', 'Dockerfile', 'deploy', 'engine', 'local-services', 'config.ts', 'test/deploy'],
      ...['core/database', 'core/temporal', 'package-lock.json', 'scripts/build.ts'],
    ],
  },
  {
    name: 'strangers',
    run: files('test/strangers'),
    covers: ['api/mcp', 'api/oauth', 'core/oauth', 'web/oauth', 'examples/agents', 'test/strangers'],
  },
  { name: 'pictures', run: files('test/web/look-browser'), covers: ['web', 'test/web', 'sandbox/platform'] },
  {
    name: 'package',
    run: files('test/client/package', 'test/client/fresh-clone'),
    covers: ['client', 'package-lock.json', 'scripts/start.mjs', 'scripts/client', 'test/client'],
    tools: 'nodes',
  },
  {
    name: 'python',
    run: files('test/proofs/python'),
    covers: ['client/python', 'test/proofs/python.proof.ts'],
    tools: 'python',
  },
  {
    name: 'openapi',
    run: files('test/proofs/openapi'),
    covers: ['api/openapi', 'connectors', 'schemas', 'test/proofs/openapi.proof.ts'],
    tools: 'openapi',
  },
  {
    name: 'hosts',
    run: files('test/proofs/hosts'),
    covers: ['api/mcp', 'docs/mcp.md', 'test/proofs/hosts.proof.ts'],
    tools: 'hosts',
  },
  {
    name: 'traces',
    run: files('test/proofs/traces'),
    covers: ['core/tracing.ts', 'workflows', 'activities', 'test/proofs/traces.proof.ts', 'test/proofs/collector'],
  },
  {
    name: 'alerts',
    run: files('test/proofs/alerts.proof.ts'),
    covers: ['deploy/alerts.yml', 'deploy/alerts.test.yml', 'test/proofs/alerts.proof.ts'],
    tools: 'prometheus',
  },
  {
    name: 'drill',
    run: files('test/proofs/alerts.drill.ts'),
    covers: ['deploy/alerts.yml', 'test/proofs/alerts.drill.ts'],
    tools: 'prometheus',
    byName: true,
  },
]
