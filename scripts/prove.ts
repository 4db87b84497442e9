import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import path from 'node:path'
import { cacheFolder, findOnPath, makeFolder } from '../local-services/temporal.ts'
import { pythonWith } from './python.ts'

/**
 * `npm run prove`: what the suite leaves out, as it needs programs of others, each fetched once: the packed clients, under the other versions
 * of Node that one is for and in a fresh Python, hosts that take the lines of the docs, OpenTelemetry's collector (built with Go), and the rules of deploy/alerts.yml under Prometheus' own tool. With words
 * behind it (`npm run prove -- alerts`), the proofs whose names have one of them, and what those need; `drill` alone makes the cause of each alert.
 */
const node = `node-linux-${process.arch}`
const root = path.join(import.meta.dirname, '..')

const words = process.argv.slice(2)
const wanted = (...names: readonly string[]): boolean =>
  words.length === 0 || names.some((name) => words.some((word) => name.includes(word)))

await makeFolder(cacheFolder(process.env))
const env = {
  ...process.env,
  ...(wanted('package') && {
    CALLGATE_NODES: ['20.20.2', '22.23.3']
      .map((version) => fetched(node, version, `${node}/bin/node`))
      .join(path.delimiter),
  }),
  ...(wanted('hosts') && {
    CALLGATE_CLAUDE: fetched('@anthropic-ai/claude-code', '2.1.330', '.bin/claude'),
    CALLGATE_CODEX: fetched('@openai/codex', '0.169.0', '.bin/codex'),
  }),
  ...(wanted('python') && (await pythonTools())),
  ...(wanted('alerts', 'drill') && {
    CALLGATE_PROMTOOL: ofPrometheus('promtool'),
    CALLGATE_PROMETHEUS: ofPrometheus('prometheus'),
  }),
}
const vitest = [path.join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', 'test/proofs/vitest.config.ts']
const child = spawn(process.execPath, [...vitest, ...words], { cwd: root, env, stdio: 'inherit' })
process.exitCode = await new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? 1)))

/** The file below node_modules of the package, which is in the per-user cache from then on. */
function fetched(name: string, version: string, file: string): string {
  const folder = path.join(cacheFolder(process.env), `${name.replace('/', '-')}-${version}`)
  const found = path.join(folder, 'node_modules', file)
  const options = ['--no-save', '--no-audit', '--no-fund', '--silent']
  if (!existsSync(found))
    execFileSync('npm', ['install', '--prefix', folder, ...options, `${name}@${version}`], { stdio: 'inherit' })
  return found
}

/** What makes and checks the wheel, and the wheels that it asks for: fetched here, where no test waits for them. */
async function pythonTools(): Promise<Readonly<Record<string, string>>> {
  const { python } = await pythonWith({ requirements: ['pip==25.3', 'setuptools==84.2.1', 'mypy==2.4.1'] })
  const read = "import json,sys,tomllib; print(json.dumps(tomllib.load(sys.stdin.buffer)['project']['dependencies']))"
  const project = readFileSync(path.join(root, 'client/python/pyproject.toml'))
  const list = execFileSync(python, ['-c', read], { input: project, encoding: 'utf8' })
  const wheels = path.join(
    cacheFolder(process.env),
    `wheels-${createHash('sha256').update(list).digest('hex').slice(0, 12)}`,
  )
  if (!existsSync(wheels)) {
    const download = [
      '-m',
      'pip',
      'download',
      '--quiet',
      '--no-input',
      '--only-binary',
      ':all:',
      '--dest',
      `${wheels}-new`,
    ]
    execFileSync(python, [...download, ...(JSON.parse(list) as string[])], { stdio: 'inherit' })
    renameSync(`${wheels}-new`, wheels)
  }
  return { CALLGATE_PYTHON: python, CALLGATE_WHEELS: wheels }
}

/** The one on PATH, or that of Debian's package, which is unpacked into the per-user cache and not installed. */
function ofPrometheus(program: string): string {
  const installed = findOnPath(program, process.env)
  if (installed !== undefined) return installed
  const folder = path.join(cacheFolder(process.env), 'prometheus')
  const found = path.join(folder, 'usr/bin', program)
  if (existsSync(found)) return found
  if (findOnPath('apt-get', process.env) === undefined)
    throw new Error(`${program} is not on PATH, and there is no Debian to get it from: install Prometheus`)
  mkdirSync(folder, { recursive: true })
  execFileSync('apt-get', ['download', '--quiet', 'prometheus'], { cwd: folder, stdio: 'inherit' })
  const file = readdirSync(folder).find((name) => /^prometheus_.*\.deb$/.test(name))
  if (file === undefined) throw new Error('apt-get download prometheus left no package')
  execFileSync('dpkg', ['--extract', path.join(folder, file), folder], { stdio: 'inherit' })
  return found
}
