import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { withLock } from '../local-services/lock.ts'
import { cacheFolder, makeFolder } from '../local-services/temporal.ts'

const files = ['package.json', 'package-lock.json']

/** Installs the locked packages of `source` into the per-user cache once; returns node_modules. */
export async function packagesOf(source: string, env = process.env): Promise<string> {
  const hash = createHash('sha256')
  for (const file of files) hash.update(await readFile(join(source, file)))
  await makeFolder(cacheFolder(env))
  const target = join(cacheFolder(env), `npm-${hash.digest('hex').slice(0, 12)}`)
  const waiting = () => console.log('another process is fetching the same packages; waiting for it')
  await withLock(`${target}.lock`, waiting, async () => {
    if (existsSync(target)) return
    const draft = await mkdtemp(`${target}-`)
    try {
      for (const file of files) await cp(join(source, file), join(draft, file))
      // Install scripts do not run.
      const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent']
      await promisify(execFile)('npm', ['ci', '--prefix', draft, ...options], { env })
      await rename(draft, target)
    } finally {
      await rm(draft, { recursive: true, force: true })
    }
  })
  return join(target, 'node_modules')
}
