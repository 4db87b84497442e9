import { execFile } from 'node:child_process'
import { cpSync, existsSync, symlinkSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { clusterPorts, clusterPrograms } from '../../local-services/cluster.ts'
import { ensureTemporal } from '../../local-services/temporal.ts'
import { unpacked } from '../../web/connect/browser/chromium-program.ts'
import { root, serviceOf } from './compose-project.ts'
import type { ComposeProject } from './compose-project.ts'
import { copiedPaths, nodeRuns, takenPaths } from './dockerfile.ts'

/** The service's own environment, but for where things are. */
export function onThisMachine(
  project: ComposeProject,
  name: string,
  places: Readonly<Record<string, string>>,
): Record<string, string> {
  const { environment = {} } = serviceOf(project, name)
  const added = Object.keys(places).filter((setting) => environment[setting] === undefined)
  if (added.length > 0) throw new Error(`${name} has no ${added.join(', ')} in docker-compose.yml`)
  const own = Object.entries(environment).map(([setting, value]): [string, string] => {
    const [, secret] = /^\/run\/secrets\/(\w+)$/.exec(value) ?? []
    return [setting, secret === undefined ? value : secretFile(project, secret)]
  })
  return { ...Object.fromEntries(own), ...places }
}

export function commandOf(project: ComposeProject, name: string): string[] {
  const { command, volumes = [] } = serviceOf(project, name)
  return (command ?? []).flatMap((word) => {
    if (word === 'node') return process.execPath
    // What the image's own entrypoint runs once it knows its address.
    if (word === '/etc/temporal/entrypoint.sh') return ['temporal-server', 'start']
    const mounted = volumes.find(({ target }) => word.startsWith(`${target}/`))
    return mounted ? word.replace(mounted.target, mounted.source) : word
  })
}

export function secretFile(project: ComposeProject, name: string): string {
  const file = project.secrets[name]?.file
  if (file === undefined) throw new Error(`docker-compose.yml has no secret ${name}`)
  return file
}

/** The programs of Temporal's images, and Chromium for that of the browser, under their names. */
export async function imagePrograms(dir: string): Promise<string> {
  const bin = path.join(dir, 'bin')
  await mkdir(bin)
  const [{ server, sqlTool }, temporal] = await Promise.all([
    clusterPrograms(process.env, console.log),
    ensureTemporal({ env: process.env, log: console.log }),
  ])
  symlinkSync(server, path.join(bin, 'temporal-server'))
  symlinkSync(sqlTool, path.join(bin, 'temporal-sql-tool'))
  symlinkSync(temporal.path, path.join(bin, 'temporal'))
  symlinkSync(await unpacked(path.join(dir, 'chromium')), path.join(bin, 'chromium'))
  return bin
}

/** What the stage copies, and nothing else of the checkout; then what it runs there with Node. */
export async function imageFiles(dir: string, stage = 'server'): Promise<string> {
  const image = path.join(dir, `image-${stage}`)
  if (existsSync(image)) return image
  await mkdir(image)
  for (const copied of copiedPaths(stage))
    cpSync(path.join(root, copied), path.join(image, copied), { recursive: true })
  for (const { from, place } of takenPaths(stage)) {
    if (place.startsWith('node_modules')) {
      await mkdir(path.dirname(path.join(image, place)), { recursive: true })
      symlinkSync(path.join(root, place), path.join(image, place))
      continue
    }
    cpSync(path.join(await imageFiles(dir, from), place), path.join(image, place), { recursive: true })
  }
  if (stage === 'build' || stage === 'clients')
    for (const own of ['package.json', 'node_modules']) symlinkSync(path.join(root, own), path.join(image, own))
  for (const args of nodeRuns(stage)) await promisify(execFile)(process.execPath, args, { cwd: image })
  return image
}

export interface Ports {
  readonly database: number
  readonly api: number
  readonly admin: number
  readonly sandbox: number
  readonly browser: number
  readonly frontend: number
  /** Where the API stands before the engine's UI. */
  readonly ui: number
  /** What the server is told besides: in a container each of its ports is free. */
  readonly server: Readonly<Record<string, string>>
}

export async function freePorts(): Promise<Ports> {
  const { server, frontend, others } = await clusterPorts(['database', 'api', 'admin', 'sandbox', 'browser', 'ui'])
  return { ...others, frontend, server }
}

/** What of each service's environment says where things are, as it is on this machine. */
export function environmentsHere(
  places: Omit<Ports, 'server'> & { readonly data: string },
): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const [database, temporal] = [String(places.database), `127.0.0.1:${places.frontend}`]
  const callgate = {
    DATABASE_URL: `postgresql://callgate@127.0.0.1:${database}/callgate`,
    TEMPORAL_ADDRESS: temporal,
    CALLGATE_DIR: places.data,
    SANDBOX_URL: `http://localhost:${places.sandbox}`,
    HOST: '127.0.0.1',
  }
  return {
    'temporal-schema': { SQL_HOST: '127.0.0.1', SQL_PORT: database },
    temporal: {
      POSTGRES_SEEDS: '127.0.0.1',
      DB_PORT: database,
      BIND_ON_IP: '127.0.0.1',
      DYNAMIC_CONFIG_FILE_PATH: path.join(root, 'engine/dynamic-config.yaml'),
    },
    'temporal-namespace': { TEMPORAL_ADDRESS: temporal },
    sandbox: { CALLGATE_DIR: places.data, SANDBOX_PORT: String(places.sandbox) },
    'callgate-browser': {
      CALLGATE_DIR: path.join(places.data, 'browser'),
      HOST: '127.0.0.1',
      PORT: String(places.browser),
    },
    'callgate-api': {
      ...callgate,
      PORT: String(places.api),
      ADMIN_PORT: String(places.admin),
      TEMPORAL_UI_HOST: '127.0.0.1',
      TEMPORAL_UI_PORT: String(places.ui),
      CALLGATE_BROWSER_URL: `http://127.0.0.1:${places.browser}`,
    },
    'callgate-worker': callgate,
  }
}
