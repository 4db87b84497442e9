import { existsSync, readFileSync, statSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesBelow } from '../support/find-bytes.ts'
import { copiedPaths, stages, takenPaths } from './dockerfile.ts'

const root = path.join(import.meta.dirname, '../..')
const commands = ['scripts/admin.ts', 'scripts/connector.ts', 'scripts/deploy.ts', 'scripts/migrate.ts']
/** Without DATABASE_URL the embedded database is meant, which no container has. */
const elsewhere = 'scripts/supervisor/own-config.ts local-services/postgres.ts'

/** Every file that the stage copies. */
function filesOf(stage: string): ReadonlySet<string> {
  return new Set(
    copiedPaths(stage).flatMap((copied) =>
      (statSync(path.join(root, copied)).isDirectory()
        ? filesBelow(path.join(root, copied))
        : [path.join(root, copied)]
      )
        .map((file) => path.relative(root, file))
        .filter((file) => !/(^|\/)(node_modules|dist|__pycache__)\//.test(file)),
    ),
  )
}

/** Files of the project that a program loads: by `import`, or by a URL relative to it. */
function loadedBy(file: string): readonly string[] {
  if (!/\.(ts|tsx|mjs)$/.test(file)) return []
  const text = readFileSync(path.join(root, file), 'utf8')
  // Without imports of types.
  const code = file.endsWith('.ts') ? stripTypeScriptTypes(text) : text
  const forms = /\b(?:from|import) ?\(?'(\.[^'\n]+)'|new URL\('([^'\n]+)', import\.meta\.url\)/g
  return [...code.matchAll(forms)]
    .map(([, imported, url]) => path.join(path.dirname(file), imported ?? url ?? ''))
    .filter((found) => existsSync(path.join(root, found)) && statSync(path.join(root, found)).isFile())
}

function missingIn(stage: string): readonly string[] {
  const files = filesOf(stage)
  return [...files].flatMap((file) =>
    loadedBy(file)
      .filter((loaded) => !files.has(loaded))
      .map((loaded) => `${file} ${loaded}`),
  )
}

function reachable(from: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>()
  const rest = [...from]
  for (let file = rest.pop(); file !== undefined; file = rest.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    rest.push(...loadedBy(file))
  }
  return seen
}

describe('the production image', () => {
  it('is what is built without a target', () => {
    expect([...stages().keys()].at(-1)).toBe('server')
  })

  it('has every file that its programs load', () => {
    expect(missingIn('server')).toEqual([elsewhere])
    expect(loadedBy('core/temporal/search-attributes.ts')).toContain('engine/search-attributes.json')
    expect(loadedBy('scripts/supervisor.ts'), 'and the check can fail').toContain('scripts/supervisor/foundation.ts')
  })

  it('has no sandbox, tests or development scripts: beside the product only what its four commands load', () => {
    const product = /^(activities|api|connectors|core|docs|schemas|server|web|workflows)\/|^(config\.ts|package\.json)$/
    const others = [...filesOf('server')].filter((file) => !product.test(file))
    const loaded = reachable([...commands, 'server/main.ts', 'activities/worker.ts'])
    // Each folder of commands is copied whole.
    expect(others.filter((file) => !loaded.has(file) && !file.startsWith('scripts/connector/'))).toEqual([])
    for (const command of commands) expect(others).toContain(command)
    const all = [...filesOf('server')]
    expect(
      all.filter((file) => /^(sandbox|test|bench|examples|deploy)\/|\.(test|proof|drill)\.tsx?$/.test(file)),
    ).toEqual([])
    expect(all.filter((file) => file.startsWith('docs/'))).toHaveLength(3)
  })

  it('loads each command and the programs without a package for development', () => {
    const { dependencies, optionalDependencies } = JSON.parse(
      readFileSync(path.join(root, 'package.json'), 'utf8'),
    ) as Readonly<Record<'dependencies' | 'optionalDependencies', Readonly<Record<string, string>>>>
    const installed = { ...dependencies, ...optionalDependencies }
    const name = /\b(?:from|import) ?\(?'((?:@[\w.-]+\/)?[\w-][\w.-]*)(?:\/[\w./-]+)?'/g
    const packages = [...filesOf('server')]
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => [...stripTypeScriptTypes(readFileSync(path.join(root, file), 'utf8')).matchAll(name)])
      .flatMap(([, found = '']) => (/^(node:|@callgate\/)/.test(found) ? [] : [found]))
    for (const one of ['koa', '@temporalio/worker', 'rolldown']) expect(packages).toContain(one)
    expect(packages.filter((found) => installed[found] === undefined)).toEqual([])
  })
})

it('the sandbox has an image of its own, with nothing of ours and no packages', () => {
  expect(copiedPaths('sandbox')).toEqual(['package.json', 'sandbox'])
  expect(missingIn('sandbox')).toEqual([])
  const foreign = [...filesOf('sandbox')]
    .filter((file) => file.endsWith('.ts'))
    .filter((file) => /\bfrom '(?!\.|node:)/.test(stripTypeScriptTypes(readFileSync(path.join(root, file), 'utf8'))))
  expect(foreign).toEqual([])
})

it('the packages of the clients are built from what their stage copies', () => {
  const files = filesOf('clients')
  expect([...reachable(['scripts/client/pack.ts', 'client/index.ts'])].filter((file) => !files.has(file))).toEqual([])
})

it('the browser has an image of its own, with what starts it, two packages and nothing else of ours', () => {
  expect(missingIn('browser')).toEqual([])
  const files = filesOf('browser')
  expect(
    [...files].filter((file) => !reachable(['web/connect/browser-server/main.ts', 'package.json']).has(file)),
  ).toEqual([])
  const packages = takenPaths('browser').map(({ place }) => place.replace('node_modules/', ''))
  const name = /\b(?:from|import) ?\(?'((?:@[\w.-]+\/)?[\w-][\w.-]*)'/g
  const loaded = [...files]
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...stripTypeScriptTypes(readFileSync(path.join(root, file), 'utf8')).matchAll(name)])
    .map(([, found]) => found)
  // Debian's Chromium takes the place of the packaged one.
  expect(new Set(loaded)).toEqual(new Set([...packages, '@sparticuz/chromium']))
})
