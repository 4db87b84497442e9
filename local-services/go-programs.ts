import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { goBuild } from './go-build.ts'
import { withLock } from './lock.ts'
import { SetupError } from './setup-error.ts'
import { cacheFolder, findGo, makeFolder } from './temporal.ts'

/**
 * Builds programs of one of our Go modules, once per version. Returns the path of the program, or
 * of the folder if there are several. Throws SetupError without Go.
 */
export async function ensureGoPrograms(options: {
  name: string
  /** Folder of its go.mod, go.sum and code. */
  folder: string
  packages: readonly string[]
  env: NodeJS.ProcessEnv
  log: (line: string) => void
}): Promise<string> {
  const { name, folder, packages, env, log } = options
  const target = join(cacheFolder(env), `${name}-${version(folder)}`)
  if (existsSync(target)) return target
  await makeFolder(cacheFolder(env))
  const waiting = () => log(`another process is building ${name}; waiting for it`)
  await withLock(`${target}.lock`, waiting, async () => {
    if (existsSync(target)) return
    const go = findGo(env)
    if (!go) throw new SetupError(`${name} is built from its Go modules: install Go 1.21 or later (https://go.dev/dl)`)
    log(`building ${name} from its Go modules, once on this machine`)
    await goBuild({ what: name, go, folder, packages, target, env, log, signal: undefined })
  })
  return target
}

function version(folder: string): string {
  const hash = createHash('sha256')
  const files = readdirSync(folder).filter((file) => file.endsWith('.go') || file === 'go.sum')
  for (const file of files.toSorted())
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(folder, file)))
      .update('\0')
  return hash.digest('hex').slice(0, 12)
}
