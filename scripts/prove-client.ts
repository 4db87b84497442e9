import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { cacheFolder, makeFolder } from '../local-services/temporal.ts'

/** `npm run prove-client`: the packed client under the other versions of Node that it is for, each fetched once from the npm registry. */
const others = ['20.20.2', '22.23.3']
const root = path.join(import.meta.dirname, '..')

await makeFolder(cacheFolder(process.env))
const nodes = others.map((version) => {
  const name = `node-linux-${process.arch}`
  const folder = path.join(cacheFolder(process.env), `${name}-${version}`)
  const node = path.join(folder, 'node_modules', name, 'bin/node')
  const npm = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--silent', `${name}@${version}`]
  if (!existsSync(node)) execFileSync('npm', npm, { stdio: 'inherit' })
  return node
})
const vitest = [path.join(root, 'node_modules/vitest/vitest.mjs'), 'run', 'test/client/package.test.ts', '--retry=0']
const env = { ...process.env, CALLGATE_NODES: nodes.join(path.delimiter) }
const child = spawn(process.execPath, vitest, { cwd: root, env, stdio: 'inherit' })
process.exitCode = await new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
