// Runs before anything is installed, on Node 20 or later: installs what package-lock.json says, then runs the task under Node 24.
import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const modules = join(root, 'node_modules')
// Not the link in .bin: two packages want that name, and npm 10 then makes none.
const packagedNode = join(modules, `node-linux-${process.arch}`, 'bin', 'node')
const isNewNode = Number(process.versions.node.split('.')[0]) >= 24
/** As web/connect/browser/chromium-program.ts finds them: a snap cannot read the folders of the connect page. */
const browsers = ['chromium', 'google-chrome-stable', 'google-chrome']

/** Large packages that running does not need where the machine has the program itself. */
const replaceable = [
  { name: `node-linux-${process.arch}`, isThere: () => isNewNode },
  { name: '@sparticuz/chromium', isThere: () => browsers.some((name) => isOnPath(name)) },
]

const tasks = {
  start: ['scripts/supervisor.ts'],
  test: ['node_modules/vitest/vitest.mjs', 'run'],
  check: ['scripts/check.ts'],
  examples: ['scripts/examples.ts'],
  new: ['scripts/new.ts'],
  callgate: ['client/cli.ts'],
  client: ['scripts/client/build.ts'],
  surface: ['scripts/client/surface.ts'],
  kit: ['node_modules/typescript/bin/tsc', '-p', 'connectors/kit'],
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
  notices: ['scripts/notices.ts'],
  'pin-images': ['scripts/pin-images.ts'],
  advisories: ['scripts/advisories.ts'],
  icons: ['scripts/icons.ts'],
  pictures: ['scripts/pictures.ts'],
  weight: ['scripts/weight.ts'],
  bench: ['bench/main.ts'],
  scale: ['bench/scale.ts'],
  histories: ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/histories/vitest.config.ts'],
}

/** Tasks of those who run a gateway. The others get the packages for development, too, and these are then content with them. */
const running = new Set(['start', 'admin', 'callgate', 'connector', 'deploy', 'migrate'])

/** Compares with npm's own record of what it installed, so that a plain `npm ci` counts, too. */
function isInstalled(forDevelopment) {
  const record = join(modules, '.package-lock.json')
  if (!existsSync(record)) return false
  const wanted = readLock(join(root, 'package-lock.json'))
  const installed = readLock(record)
  const has = ({ name, isThere }) => Boolean(installed[`node_modules/${name}`]) || (!forDevelopment && isThere())
  if (!replaceable.every(has)) return false
  return Object.entries(wanted).every(([path, entry]) => {
    const found = installed[path]
    if (path === '' || (!forDevelopment && (entry.dev || entry.devOptional))) return true
    // Optional ones are those of other platforms.
    return found ? found.version === entry.version && found.integrity === entry.integrity : entry.optional === true
  })
}

function readLock(path) {
  return JSON.parse(readFileSync(path, 'utf8')).packages
}

/** Types of the endpoints, which both clients import: not in git, made of the connectors. */
const generated = ['apps.ts', 'python/callgate/apps.pyi'].map((file) => join(root, 'client', file))
const generator = join(root, 'scripts/client/generate.ts')

/** As make does: older than what they are made of. A folder's time tells of files that are gone. */
function isGenerated() {
  if (!generated.every((file) => existsSync(file))) return false
  const made = Math.min(...generated.map((file) => statSync(file).mtimeMs))
  const below = (folder) => [
    folder,
    ...readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory() || entry.name.endsWith('.ts'))
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name)),
  ]
  const sources = [
    ...['connectors', 'scripts/client'].flatMap((folder) => below(join(root, folder))),
    join(root, 'client/endpoint-types.ts'),
  ]
  return sources.every((file) => statSync(file).mtimeMs <= made)
}

async function generate() {
  const { code } = await run(nodeHere(), [generator], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  // A connector that does not load is switched off by what runs here, and its check says more.
  if (code !== 0 && !generated.every((file) => existsSync(file)))
    fail('The types of the clients cannot be made: see the lines above.')
}

/** Into a folder beside, which then takes its place at once: a gateway that runs here finds its packages at any moment. */
async function install(forDevelopment, task) {
  // On stdout stands what the task says, such as the name of a packed file.
  console.error('Installing dependencies (npm ci), once …')
  const started = Date.now()
  const staging = join(root, '.installing')
  rmSync(staging, { recursive: true, force: true })
  mkdirSync(staging)
  const left = forDevelopment ? [] : replaceable.filter(({ isThere }) => isThere()).map(({ name }) => name)
  for (const file of ['package.json', 'package-lock.json']) writeFileSync(join(staging, file), staged(left, file))
  if (existsSync(join(root, '.npmrc'))) writeFileSync(join(staging, '.npmrc'), readFileSync(join(root, '.npmrc')))
  // None of them needs an install script.
  const args = [
    'ci',
    `--prefix=${staging}`,
    forDevelopment ? '--include=dev' : '--omit=dev',
    '--include=optional',
    '--ignore-scripts',
    // Of an `npm pack --dry-run` that needs them.
    '--dry-run=false',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  const npm = process.env.npm_execpath
  const [command, ...prefix] = npm && /\.c?js$/.test(npm) ? [process.execPath, npm] : ['npm']
  const quiet = { cwd: staging, stdio: ['ignore', 'ignore', 'inherit'] }
  const fetching =
    task === 'start' &&
    isNewNode &&
    run(process.execPath, [join(root, 'local-services/prefetch.ts')], { ...quiet, cwd: root })
  const { code } = await run(command, [...prefix, ...args], quiet)
  if (code !== 0) fail('Installing the dependencies failed: see the lines above. Is the npm registry reachable?')
  if (existsSync(modules)) renameSync(modules, join(staging, 'before'))
  renameSync(join(staging, 'node_modules'), modules)
  rmSync(staging, { recursive: true })
  if (!existsSync(packagedNode) && !isNewNode)
    fail('There is no Node 24 for this machine: Callgate runs on Linux, x64 or arm64.')
  console.error(`Installed in ${Math.round((Date.now() - started) / 1000)} s.`)
  await fetching
}

/** The text of package.json or package-lock.json without these packages. npm leaves out what only they need. */
function staged(names, file) {
  const content = JSON.parse(readFileSync(join(root, file), 'utf8'))
  // npm skips an optional package that asks for a newer Node than the one that runs npm. The packages run under Node 24.
  for (const entry of Object.values(content.packages ?? {})) delete entry.engines
  for (const name of names) {
    delete content.packages?.[`node_modules/${name}`]
    delete (content.packages?.[''] ?? content).optionalDependencies[name]
  }
  return JSON.stringify(content)
}

function isOnPath(name) {
  const files = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name))
  return files.some((file) => isAbsolute(file) && existsSync(file) && !realpathSync(file).endsWith('/snap'))
}

/** The packaged one is what the tests run with. */
function nodeHere() {
  return existsSync(packagedNode) ? packagedNode : process.execPath
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

// A folder that has the packages for development keeps them. Packing the kit for a new connector takes the compiler.
const forDevelopment =
  !running.has(task) || existsSync(join(root, tasks.test[0])) || (task === 'connector' && rest[0] === 'init')
if (!isInstalled(forDevelopment)) await install(forDevelopment, task)
// Programs import none of them, and /clients makes its own.
if (forDevelopment && !isGenerated()) await generate()
const [script, ...args] = tasks[task]
const { code, signal } = await run(nodeHere(), [join(root, script), ...args, ...rest], {
  cwd: root,
  stdio: ['inherit', 'inherit', 'inherit', ...(task === 'start' ? ['ipc'] : [])],
  env: {
    ...process.env,
    // npm itself, if it started this: when it is killed, nobody's Ctrl-C reaches the rest.
    ...(process.env.npm_lifecycle_event ? { CALLGATE_LAUNCHER: String(process.ppid) } : {}),
    PATH: [dirname(nodeHere()), join(modules, '.bin'), process.env.PATH].join(delimiter),
  },
})
if (signal) process.kill(process.pid, signal)
else process.exit(code ?? 1)
