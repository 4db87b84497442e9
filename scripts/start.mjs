// Runs before anything is installed, on Node 20 or later: installs what package-lock.json says, then runs the task under Node 24.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const modules = join(root, 'node_modules')
// Not the link in .bin: two packages want that name, and npm 10 then makes none.
const nodeFolder = join(modules, `node-linux-${process.arch}`, 'bin')
const node = join(nodeFolder, 'node')

const tasks = {
  start: ['scripts/supervisor.ts'],
  test: ['node_modules/vitest/vitest.mjs', 'run'],
  check: ['scripts/check.ts'],
  examples: ['scripts/examples.ts'],
  new: ['scripts/new.ts'],
  callgate: ['client/cli.ts'],
  connector: ['scripts/connector.ts'],
  admin: ['scripts/admin.ts'],
  campaign: ['scripts/campaign.ts'],
  schema: ['scripts/schema.ts'],
  deploy: ['scripts/deploy.ts'],
  migrate: ['scripts/migrate.ts'],
  'restore-drill': ['scripts/restore-drill.ts'],
  'failover-drill': ['scripts/failover-drill.ts'],
  'real-apps': ['scripts/real-apps.ts'],
  prove: ['scripts/prove.ts'],
  sbom: ['scripts/sbom.ts'],
  'pin-images': ['scripts/pin-images.ts'],
  advisories: ['scripts/advisories.ts'],
  icons: ['scripts/icons.ts'],
  pictures: ['scripts/pictures.ts'],
  bench: ['bench/main.ts'],
  scale: ['bench/scale.ts'],
  histories: ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/histories/vitest.config.ts'],
}

/** Compares with npm's own record of what it installed, so that a plain `npm ci` counts, too. */
function isInstalled() {
  const record = join(modules, '.package-lock.json')
  if (!existsSync(record) || !existsSync(node)) return false
  const wanted = readLock(join(root, 'package-lock.json'))
  const installed = readLock(record)
  return Object.entries(wanted).every(([path, entry]) => {
    const found = installed[path]
    if (path === '') return true
    // Optional ones are those of other platforms.
    return found ? found.version === entry.version && found.integrity === entry.integrity : entry.optional === true
  })
}

function readLock(path) {
  return JSON.parse(readFileSync(path, 'utf8')).packages
}

async function install() {
  console.log('Installing dependencies (npm ci), once …')
  const started = Date.now()
  // None of them needs an install script.
  const args = [
    'ci',
    '--include=dev',
    '--include=optional',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  const npm = process.env.npm_execpath
  const [command, ...prefix] = npm && /\.c?js$/.test(npm) ? [process.execPath, npm] : ['npm']
  const { code } = await run(command, [...prefix, ...args], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  if (code !== 0) fail('Installing the dependencies failed: see the lines above. Is the npm registry reachable?')
  if (!existsSync(node)) fail('There is no Node 24 for this machine: Callgate runs on Linux, x64 or arm64.')
  console.log(`Installed in ${Math.round((Date.now() - started) / 1000)} s.`)
}

/** The child gets the signals that this process gets, and learns by its closed channel when this process was killed. */
function run(command, args, options) {
  return new Promise((resolve) => {
    const child = spawn(command, args, options)
    const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP']
    const forward = (signal) => child.kill(signal)
    for (const signal of forwarded) process.on(signal, forward)
    child.once('error', (error) => fail(`Cannot run ${command}: ${error.message}`))
    child.once('exit', (code, signal) => {
      for (const name of forwarded) process.off(name, forward)
      resolve({ code, signal })
    })
  })
}

/** `callgate connector …` is an operator's command: the client knows nothing of it. */
function ofOperators(args) {
  return args[0] === 'callgate' && args[1] === 'connector' ? args.slice(1) : args
}

function fail(message) {
  console.error(message)
  process.exit(1)
}

if (process.platform !== 'linux') fail('Callgate runs on Linux: /proc is not there.')
if (Number(process.versions.node.split('.')[0]) < 20)
  fail(`Callgate starts with Node 20 or later; this is ${process.version}.`)

const [task = 'start', ...rest] = ofOperators(process.argv.slice(2))
if (!Object.hasOwn(tasks, task)) fail(`There is no task "${task}". Tasks: ${Object.keys(tasks).join(', ')}.`)

if (!isInstalled()) await install()
const [script, ...args] = tasks[task]
const { code, signal } = await run(node, [join(root, script), ...args, ...rest], {
  cwd: root,
  stdio: ['inherit', 'inherit', 'inherit', ...(task === 'start' ? ['ipc'] : [])],
  env: {
    ...process.env,
    // npm itself, if it started this: when it is killed, nobody's Ctrl-C reaches the rest.
    ...(process.env.npm_lifecycle_event ? { CALLGATE_LAUNCHER: String(process.ppid) } : {}),
    PATH: [nodeFolder, join(modules, '.bin'), process.env.PATH].join(delimiter),
  },
})
if (signal) process.kill(process.pid, signal)
else process.exit(code ?? 1)
