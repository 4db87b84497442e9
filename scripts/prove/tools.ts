import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import path from 'node:path'
import { cacheFolder, findOnPath } from '../../local-services/temporal.ts'
import { pythonWith } from '../python.ts'
import { root } from '../supervisor/settings.ts'

const node = `node-linux-${process.arch}`
/** The generator includes its Java program; the rest are dependencies of its Python clients. */
const generator = [
  'openapi-generator-cli==7.26.0',
  'pydantic==2.12.4',
  'python-dateutil==2.9.0.post0',
  'urllib3==2.7.0',
]

/** Third-party tools, cached per user, and the environment variables by which proofs find them. */
const tools = {
  nodes: () => ({
    CALLGATE_NODES: ['20.20.2', '22.23.3']
      .map((version) => fetched(node, version, `${node}/bin/node`))
      .join(path.delimiter),
  }),
  hosts: () => ({
    CALLGATE_CLAUDE: fetched('@anthropic-ai/claude-code', '2.1.330', '.bin/claude'),
    CALLGATE_CODEX: fetched('@openai/codex', '0.169.0', '.bin/codex'),
  }),
  python: pythonTools,
  openapi: async () => ({
    CALLGATE_SPECTRAL: fetched('@stoplight/spectral-cli', '6.16.3', '.bin/spectral'),
    CALLGATE_GENERATOR: (await pythonWith({ requirements: generator })).python,
  }),
  prometheus: () => ({ CALLGATE_PROMTOOL: ofPrometheus('promtool'), CALLGATE_PROMETHEUS: ofPrometheus('prometheus') }),
}

export type Tools = keyof typeof tools

export async function environmentOf(name: Tools | undefined): Promise<Readonly<Record<string, string>>> {
  return name === undefined ? {} : tools[name]()
}

/** A file below node_modules of the package, installed into the per-user cache. */
function fetched(name: string, version: string, file: string): string {
  const folder = path.join(cacheFolder(process.env), `${name.replace('/', '-')}-${version}`)
  const found = path.join(folder, 'node_modules', file)
  const options = ['--no-save', '--no-audit', '--no-fund', '--silent']
  if (!existsSync(found))
    execFileSync('npm', ['install', '--prefix', folder, ...options, `${name}@${version}`], { stdio: 'inherit' })
  return found
}

/** Tools that build and check the wheel, with its dependencies, fetched ahead of test timeouts. */
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

/** The one on PATH, or from Debian's package, unpacked into the per-user cache. */
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
