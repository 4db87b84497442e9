import { execFile } from 'node:child_process'
import { mkdtemp, readFile, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const root = path.join(import.meta.dirname, '../..')
const run = promisify(execFile)

/** The code of the release that runs beside this one during a deploy, and after a way back: the commit that deploy/previous names. */
export async function previousRelease(): Promise<{ readonly commit: string; readonly root: string }> {
  const commit = (await readFile(path.join(root, 'deploy/previous'), 'utf8')).trim()
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
  return { commit, root: dir }
}

type Locked = Readonly<Record<string, { readonly version?: string }>>

/** The packages that a tree runs with, by where they are installed; without itself. */
async function locked(tree: string): Promise<Locked> {
  const lock = JSON.parse(await readFile(path.join(tree, 'package-lock.json'), 'utf8')) as { readonly packages: Locked }
  const { '': _itself, ...packages } = lock.packages
  return packages
}

/** Also in a checkout that belongs to somebody else. */
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
