import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import { judged, readReport } from './supply/advisories.ts'
import type { Exception } from './supply/advisories.ts'

/**
 * `npm run advisories`: fails on a high or critical advisory for a production dependency, unless
 * local-services/advisories.json has an unexpired exception with a reason.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({
  options: {
    registry: { type: 'string' },
    exceptions: { type: 'string', default: path.join(root, 'local-services/advisories.json') },
  },
})
const exceptions = JSON.parse(readFileSync(values.exceptions, 'utf8')) as readonly Exception[]
const registry = values.registry === undefined ? [] : ['--registry', values.registry]
const npm = [
  'audit',
  '--omit=dev',
  '--package-lock-only',
  '--json',
  '--fetch-timeout=30000',
  '--fetch-retries=1',
  ...registry,
]
// npm exits non-zero if there are advisories: only its output counts.
const written = await new Promise<string>((resolve, reject) =>
  execFile('npm', npm, { cwd: root, maxBuffer: 64 * 1024 * 1024 }, (error, stdout) =>
    stdout === '' && error ? reject(error) : resolve(stdout),
  ),
)
const report = readReport(written)
if ('away' in report) console.log(`The registry gave no advisories, so nothing was checked: ${report.away}`)
else {
  const { lines, failed } = judged(report.advisories, exceptions, new Date())
  for (const line of lines) console.log(line)
  if (failed) process.exitCode = 1
}
