import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const root = path.join(import.meta.dirname, '../..')
const run = promisify(execFile)

/** The migrations of that release. */
interface Migrator {
  readonly migrate: (databaseUrl: string) => Promise<void>
  readonly migrateTo: (databaseUrl: string, last: string) => Promise<readonly string[]>
}

interface PreviousRelease extends Migrator {
  readonly commit: string
  readonly root: string
}

/** The release that runs beside this one in a deploy and after a rollback; see deploy/previous. */
export async function previousRelease(): Promise<PreviousRelease> {
  return releaseAt((await readFile(path.join(root, 'deploy/previous'), 'utf8')).trim())
}

export async function releaseAt(commit: string): Promise<PreviousRelease> {
  const dir = await mkdtemp(path.join(tmpdir(), 'callgate-previous-'))
  if (!(await isThere(commit))) await git('fetch', '--depth', '1', 'origin', commit).catch(missing(commit))
  const archive = path.join(dir, 'release.tar')
  await git('archive', '--output', archive, commit)
  await run('tar', ['--extract', '--file', archive, '--directory', dir])
  const [before, now] = await Promise.all([dir, root].map(locked))
  const others = Object.entries(before ?? {}).filter(([name, { version }]) => now?.[name]?.version !== version)
  if (others.length > 0)
    throw new Error(
      `${commit} needs ${others.map(([name]) => name).join(', ')} in another version: deploy/previous can be tried with the packages that are installed only`,
    )
  await symlink(path.join(root, 'node_modules'), path.join(dir, 'node_modules'))
  await addServer(dir)
  const { migrate, migrateTo } = (await import(path.join(dir, 'core/database/migrate.ts'))) as Migrator
  return { commit, root: dir, migrate, migrateTo }
}

/** Older releases start the API at `api/main.ts`, with a loader for `.tsx`. */
async function addServer(dir: string): Promise<void> {
  const server = path.join(dir, 'server')
  if (existsSync(server)) return
  await mkdir(server)
  const loader = existsSync(path.join(dir, 'core/compiled/load.mjs')) ? `import '../core/compiled/load.mjs'\n` : ''
  await writeFile(path.join(server, 'main.ts'), `${loader}await import('../api/main.ts')\n`)
}

type Locked = Readonly<Record<string, { readonly version?: string }>>

/** The locked packages of a tree by install path, without the tree itself. */
async function locked(tree: string): Promise<Locked> {
  const lock = JSON.parse(await readFile(path.join(tree, 'package-lock.json'), 'utf8')) as { readonly packages: Locked }
  const { '': _itself, ...packages } = lock.packages
  return packages
}

/** Works in a checkout of another user, too. */
const git = (...args: readonly string[]) => run('git', ['-c', 'safe.directory=*', ...args], { cwd: root })

const isThere = (commit: string): Promise<boolean> =>
  git('cat-file', '-e', `${commit}^{commit}`).then(
    () => true,
    () => false,
  )

function missing(commit: string) {
  return (cause: unknown): never => {
    const message = `deploy/previous names ${commit}, which is not in this checkout: fetch its whole history`
    throw new Error(message, { cause })
  }
}
