import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { withLock } from '../local-services/lock.ts'
import { SetupError } from '../local-services/setup-error.ts'
import { cacheFolder, findOnPath, makeFolder } from '../local-services/temporal.ts'

const run = promisify(execFile)
const oldestMinor = 10
const names = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3.10']
const advice = 'what runs here needs python3, 3.10 or later: apt-get install python3 python3-venv'

/** For a Python without pip, such as Debian's: a wheel that can run itself. */
const pip = {
  url: 'https://files.pythonhosted.org/packages/py3/p/pip/pip-25.3-py3-none-any.whl',
  sha256: '9655943313a94722b7774661c21049070f6bbb0a1516bf02f7c8d5d9201514cd',
}

export interface Packages {
  /** Lines of a requirements file, with pinned versions. If one has a hash, all need theirs. */
  readonly requirements: readonly string[]
  /** The same for build dependencies of source packages; default: what each package declares. */
  readonly builtWith?: readonly string[]
  /** Oldest Python 3 minor version that they support. Default: 10. */
  readonly minor?: number
}

/**
 * A Python with these packages, in the per-user cache: built once. Start programs as `python -m …`,
 * because the scripts beside it contain the draft folder's path. Throws SetupError.
 */
export async function pythonWith(packages: Packages, env = process.env): Promise<{ python: string }> {
  const base = await findPython(env, packages.minor ?? oldestMinor)
  const hash = createHash('sha256').update(JSON.stringify([base, packages]))
  await makeFolder(cacheFolder(env))
  const target = join(cacheFolder(env), `python-${hash.digest('hex').slice(0, 12)}`)
  const python = join(target, 'bin', 'python')
  const waiting = () => console.log('another process is making the same Python environment; waiting for it')
  await withLock(`${target}.lock`, waiting, async () => {
    if (existsSync(python)) return
    await rm(target, { recursive: true, force: true })
    const draft = await mkdtemp(`${target}-`)
    try {
      await make(draft, { base: base.path, packages, env: withoutPython(env) })
      await rename(draft, target)
    } finally {
      await rm(draft, { recursive: true, force: true })
    }
  })
  return { python }
}

interface Found {
  path: string
  version: string
}

async function findPython(env: NodeJS.ProcessEnv, minor: number): Promise<Found> {
  for (const name of names) {
    const path = findOnPath(name, env)
    const found = path === undefined ? undefined : await inspect(path, minor)
    if (found) return found
  }
  throw new SetupError(`No Python 3.${minor} or later was found: ${advice}`)
}

/** The real binary behind shims and links; undefined if too old or broken. */
async function inspect(path: string, oldest: number): Promise<Found | undefined> {
  const ask = `import sys; print(sys.executable, "%d.%d.%d" % sys.version_info[:3], sep="\\n")`
  try {
    const { stdout } = await run(path, ['-I', '-c', ask], { timeout: 10_000 })
    const [program = '', version = ''] = stdout.trim().split('\n')
    const [major = 0, minor = 0] = version.split('.').map(Number)
    return major === 3 && minor >= oldest ? { path: program, version } : undefined
  } catch {
    return undefined
  }
}

async function make(
  draft: string,
  { base, packages, env }: { base: string; packages: Packages; env: NodeJS.ProcessEnv },
): Promise<void> {
  const python = join(draft, 'bin', 'python')
  // Debian's Python can create an environment, but without pip.
  await run(base, ['-I', '-m', 'venv', '--without-pip', draft], { env })
  const installed = await has(python, 'ensurepip')
  if (installed) await run(python, ['-I', '-m', 'ensurepip'], { env })
  const wheel = installed ? undefined : await fetchPip(draft)
  const pip = wheel === undefined ? ['-m', 'pip'] : [join(wheel, 'pip')]
  const install = async (lines: readonly string[], ...options: string[]): Promise<void> => {
    const list = join(draft, 'requirements.txt')
    await writeFile(list, `${lines.join('\n')}\n`)
    await run(python, ['-I', ...pip, 'install', '--quiet', '--no-input', ...options, '-r', list], { env })
  }
  const { requirements, builtWith } = packages
  if (builtWith) await install(builtWith)
  await install(requirements, ...(builtWith ? ['--no-build-isolation'] : []))
  if (wheel !== undefined) await rm(wheel)
}

/** Downloads the wheel and checks its pinned hash. Throws SetupError. */
export async function fetchPip(folder: string, { url, sha256 } = pip): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(60_000) }).catch((error: unknown) => {
    throw new SetupError(`This Python has no pip, and ${url} cannot be reached: ${advice}`, { cause: error })
  })
  if (!response.ok) throw new SetupError(`This Python has no pip, and ${url} answered ${response.status}: ${advice}`)
  const bytes = Buffer.from(await response.arrayBuffer())
  const found = createHash('sha256').update(bytes).digest('hex')
  if (found !== sha256) throw new SetupError(`${url} is not the pinned pip: its SHA-256 is ${found}`)
  const file = join(folder, basename(new URL(url).pathname))
  await writeFile(file, bytes)
  return file
}

async function has(python: string, module: string): Promise<boolean> {
  const { stdout } = await run(python, [
    '-I',
    '-c',
    `import importlib.util; print(importlib.util.find_spec('${module}'))`,
  ])
  return stdout.trim() !== 'None'
}

/** Variables of another Python must not affect this one. */
function withoutPython(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(PYTHON|VIRTUAL_ENV|PIP_(TARGET|PREFIX|USER)$)/.test(name)),
  )
}
