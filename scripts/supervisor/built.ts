import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const builds = new Map<string, Promise<string>>()

/**
 * The built script of the checkout at `home`. Built once, by a child process, so that the bundler's
 * memory is freed. Scripts without a build, and releases without the builder, run from source.
 */
export async function built(home: string, script: string): Promise<string> {
  const builder = join(home, 'scripts/build.ts')
  if (!existsSync(builder)) return join(home, script)
  const build = builds.get(home) ?? promisify(execFile)(process.execPath, [builder]).then(({ stdout }) => stdout.trim())
  builds.set(home, build)
  // Retry at the next start.
  build.catch(() => builds.delete(home))
  const program = join(await build, script.replace(/\.ts$/, '.js'))
  return existsSync(program) ? program : join(home, script)
}
