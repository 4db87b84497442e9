import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { ensureGoPrograms } from '../../local-services/go-programs.ts'

export const root = path.join(import.meta.dirname, '../..')

export interface ComposeService {
  readonly image: string
  readonly command: readonly string[] | null
  readonly environment?: Readonly<Record<string, string>>
  readonly healthcheck?: { readonly test: readonly string[] }
  readonly ports?: readonly { readonly host_ip?: string; readonly published: string; readonly target: number }[]
  readonly volumes?: readonly { readonly type: string; readonly source: string; readonly target: string }[]
  readonly security_opt?: readonly string[]
  readonly cap_drop?: readonly string[]
  readonly read_only?: boolean
  /** Each with its options behind a colon. */
  readonly tmpfs?: readonly string[]
  /** Bytes, as text. */
  readonly mem_limit?: string
  readonly cpus?: number
  readonly pids_limit?: number
  readonly pull_policy?: string
  readonly build?: { readonly target?: string }
  readonly user?: string
  readonly restart?: string
  readonly network_mode?: string
  readonly networks?: Readonly<Record<string, unknown>>
  readonly secrets?: readonly { readonly source: string }[]
  readonly stop_grace_period?: string
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly deploy?: { readonly replicas?: number }
}

export interface ComposeProject {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>
}

/** The project as docker compose would run it; rejects with what the compose specification has against it. */
export async function composeProject(
  settings: Readonly<Record<string, string>> = { PUBLIC_URL: 'https://callgate.test' },
  files: readonly string[] = [path.join(root, 'docker-compose.yml')],
): Promise<ComposeProject> {
  const checker = await ensureGoPrograms({
    name: 'compose-check',
    folder: path.join(root, 'deploy/check'),
    packages: ['.'],
    env: process.env,
    log: console.log,
  })
  const { stdout } = await promisify(execFile)(checker, files, { env: settings, maxBuffer: 10_000_000 })
  return JSON.parse(stdout) as ComposeProject
}

export function serviceOf(project: ComposeProject, name: string): ComposeService {
  const service = project.services[name]
  if (service === undefined) throw new Error(`there is no service ${name}`)
  return service
}
