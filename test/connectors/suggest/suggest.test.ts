import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Decided } from '../../../connectors/authoring/suggest/block.ts'
import { leavesOf } from '../../../connectors/authoring/suggest/bodies.ts'
import { suggest } from '../../../connectors/authoring/suggest/index.ts'
import { withoutTexts } from '../../../connectors/authoring/suggest/tidy.ts'
import type { Trace } from '../../../connectors/authoring/trace.ts'
import { readFolder } from '../../../connectors/recordings/folder.ts'
import { differences, replay } from '../../../connectors/recordings/replay.ts'
import { lookAt, open } from '../../../scripts/connector/look.ts'
import { unseen } from '../../../scripts/connector/init/look-around.ts'
import { placeFor, writePackage } from '../../../scripts/connector/init/package.ts'
import { suggest as verb } from '../../../scripts/connector/verbs/suggest.ts'
import { suggestInto } from '../../../scripts/connector/suggest.ts'
import { testConnector } from '../../../scripts/connector/test.ts'
import { doings, hostile, page, read } from './pages.ts'
import { expectedOf, traced } from './traces.ts'

const run = promisify(execFile)
const root = path.join(import.meta.dirname, '../../..')
const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const decided = (name: string): Decided =>
  /^(?:list|get)_/.test(name) ? { reads: true } : { reaches: 'people', effect: 'adds' }

let home: string
let folder: string
const said = new Map<string, readonly string[]>()

// It packs the kit, and compiles and runs what is written.
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'suggest-'))
  folder = path.join(home, 'my-notes')
  await writePackage(placeFor(folder), 'https://notes.example.org/', unseen)
  const kit = path.join(home, 'node_modules/@callgate/kit')
  await mkdir(kit, { recursive: true })
  await run('tar', ['-xzf', path.join(folder, 'callgate-kit-1.0.0.tgz'), '-C', kit, '--strip-components=1'])
  const { dependencies } = JSON.parse(await readFile(path.join(kit, 'package.json'), 'utf8')) as {
    readonly dependencies: object
  }
  for (const name of Object.keys(dependencies))
    await symlink(path.join(root, 'node_modules', name), path.join(home, 'node_modules', name))
  const { callgate, ...others } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as {
    readonly callgate: object
  }
  await writeFile(
    path.join(folder, 'package.json'),
    JSON.stringify({ ...others, callgate: { ...callgate, hosts: ['*'] } }),
  )
  await writeFile(path.join(folder, 'index.ts'), index)
  for (const [name, traces] of Object.entries({ ...doings, ...hostile })) await suggested(name, traces, decided(name))
})
afterAll(() => rm(home, { recursive: true }))

const index = `import { connector, firstOf, notFoundOn, redirectTo } from '@callgate/kit'

export default connector({
  name: 'Notes',
  description: 'Notes, and whatever else.',
  role: 'member',
  origin: { ask: 'Address', selfHosted: true },
  signIn: { page: 'login', who: { page: 'me', account: () => null } },
  things: {},
  failure: firstOf(redirectTo('login', 'auth_expired'), notFoundOn(404)),
  endpoints: [], // what suggest writes
})
`

async function suggested(
  name: string,
  traces: readonly Trace[],
  how: Decided,
  again = false,
): Promise<readonly string[]> {
  const lines: string[] = []
  await suggestInto({ folder, traces, decided: how, again }, (line) => lines.push(line))
  said.set(name, lines)
  return lines
}

const file = (name: string): Promise<string> => readFile(path.join(folder, name), 'utf8')

it('writes modules that compile against the kit, all of them', async () => {
  const { stdout } = await run(path.join(root, 'node_modules/.bin/tsc'), ['-p', folder]).catch(
    (error: unknown) => error as { stdout: string },
  )
  expect(stdout).toBe('')
})

it('proves each by a recording of every run, and all that the browser sent is sent', async () => {
  const { cases } = readFolder(folder)
  using connector = await open(folder, { callMs: 60_000 })
  for (const [name, traces] of Object.entries({ ...doings, ...hostile })) {
    const recordings = cases.get(name) ?? []
    expect([name, recordings.map((one) => one.name)], said.get(name)?.join('\n')).toEqual([
      name,
      traces.map((_, at) => (at === 0 ? 'success' : `run-${at + 1}`)).toSorted(),
    ])
    const endpoint = connector.app.endpoints.get(name)
    for (const one of recordings) {
      if (endpoint === undefined || !('recording' in one)) throw new Error(`${name} ${one.name}`)
      expect(differences(one.recording, await replay(endpoint, one.recording))).toEqual([])
    }
    expect([name, said.get(name)?.filter((line) => line.includes('otherwise than'))]).toEqual([name, []])
  }
})

it('connector test takes them: what is read and then taken away is noticed', async () => {
  const lines: string[] = []
  for (const name of ['list_products', 'invite_member']) await testConnector(folder, name, (line) => lines.push(line))
  const slips = lines.filter((line) => line.includes('✗'))
  expect(slips.filter((line) => !line.includes('no recording shows'))).toEqual([])
})

describe('what it finds', () => {
  it.each(read)('%s: %s', async (name, ...parts) => {
    const code = await file(`${name.replaceAll('_', '-')}.ts`)
    for (const part of parts) expect(code).toContain(part)
  })

  it('finds most of what the connectors of real apps give out', () => {
    const { cases } = readFolder(folder)
    const table = Object.entries(expectedOf).map(([name, expected]) => {
      const [one] = (cases.get(name) ?? []).filter((each) => each.name === 'success')
      const own = one && 'recording' in one && one.recording.expected.kind === 'ok' ? one.recording.expected.output : {}
      const values = new Set(leavesOf(own).map(([, value]) => written(value)))
      // A moment or a text may stand in what the page says of it.
      const says = (value: string): boolean => value.length >= 4 && [...values].some((one) => one.includes(value))
      const fields = Map.groupBy(leavesOf(expected()), ([at]) =>
        at.map((part) => (typeof part === 'number' ? '*' : part)).join('.'),
      )
      const all = [...fields].filter(([, leaves]) => leaves.some(([, value]) => value !== null && value !== ''))
      const found = all.filter(([, leaves]) =>
        leaves.every(
          ([, value]) => value === null || value === '' || values.has(written(value)) || says(written(value)),
        ),
      )
      return { name, found: found.length, of: all.length }
    })
    const total = table.reduce((sum, { found, of }) => [(sum[0] ?? 0) + found, (sum[1] ?? 0) + of], [0, 0])
    if (process.stdout.isTTY) console.table(table)
    expect((total[0] ?? 0) / (total[1] ?? 1), JSON.stringify(table)).toBeGreaterThan(0.3)
  })
})

describe('what only a person can say', () => {
  it('is refused with file, line and the question until it is said, and asked for no more then', async () => {
    const name = 'rename_note'
    const body = { body: { title: 'One' } }
    const traces = [traced(name, [['PUT /api/notes/4', { id: 4, title: 'One' }, body]])]
    await suggested(name, traces, {})
    const target = path.join(folder, 'rename-note.ts')
    for (const [question, answer] of [
      ['what does it do to what the account has?', "effect: 'changes'"],
      ['does anybody else see or get something of it?', 'confirm: false'],
    ] as const) {
      const code = await readFile(target, 'utf8')
      const line = code.split('\n').findIndex((one) => one.includes('undecided(') && !one.includes('import')) + 1
      await expect(lookAt(folder)).rejects.toThrow(`${target}:${line}: it is not decided yet: ${question}`)
      await writeFile(target, code.replace(/(?:effect|confirm): undecided\(\s*'[^']*',?\s*\)/, answer))
    }
    expect((await lookAt(folder)).app.endpoints.get(name)?.effect).toBe('changes')
    await expect(suggested(name, traces, {}, true)).rejects.toThrow('is not as it was suggested')
    expect(await file('DECIDE.md')).toMatch(/## rename_note\n\n- \[ \] rename-note\.ts:\d+ \(before it is taken\): /)
    await rm(target)
    await writeFile(
      path.join(folder, 'index.ts'),
      (await file('index.ts')).replace(/import \* as renameNote.*\n/, '').replace(', renameNote', ''),
    )
  })

  it('a recording in which nothing was sent is no write, and one of something else is left out', () => {
    const shop = page('<h1>Shop</h1>')
    const seen = traced('buy', [['GET /shop', shop]])
    const bought = (amount: number) =>
      traced('buy', [
        ['GET /shop', shop],
        ['POST /api/orders', { id: amount }, { body: { amount } }],
      ])
    expect(() => suggest([seen], { decided: { reaches: 'people' } })).toThrow('nothing but GETs went out')
    const { unlike, runs, block } = suggest([bought(3), seen, bought(4)], { decided: { reaches: 'people' } })
    expect([unlike, runs.length]).toEqual([[2], 2])
    expect(block.code).toContain('amount: labelled(')
  })

  it('a token that scripts send as a header comes from the cookie of its value', () => {
    const sent = { body: { note: 'x' }, headers: { 'x-csrftoken': 'SECRET._csrf' } }
    const trace = traced('add_note', [['POST /api/notes', { id: 4 }, sent]])
    const { code } = suggest([{ ...trace, cookies: [{ name: '_csrf', value: 'SECRET._csrf' }] }]).block
    expect(code).toContain("cookieToken({ page: '/', cookie: '_csrf', header: 'x-csrftoken' })")
  })

  it('never marks a read, or what reaches nobody, by itself', () => {
    for (const traces of Object.values(doings)) {
      const { code } = suggest(traces).block
      expect(withoutTexts(code)).toMatch(/(?:access|confirm): undecided\(/)
      expect(code).not.toMatch(/access: 'read'|confirm: false/)
    }
  })

  it('writes over nothing: what is there is refused, and what nobody touched is written anew with --again', async () => {
    const traces = doings['list_orders'] ?? []
    await expect(suggested('list_orders', traces, { reads: true })).rejects.toThrow('list-orders.ts is there already')
    const before = await file('list-orders.ts')
    await suggested('list_orders', traces, { reads: true }, true)
    expect(await file('list-orders.ts')).toBe(before)
    expect((await file('index.ts')).match(/listOrders/g)).toHaveLength(2)
  })
})

describe('the command', () => {
  it('takes traces of files, one or a list of them, and says what it cannot take', async () => {
    const lines: string[] = []
    const traces = path.join(home, 'traces.json')
    await writeFile(traces, JSON.stringify(doings['list_orders']))
    const asked = (options: object) =>
      verb.run({
        ...{ words: [folder, 'list_orders'], options: { from: [traces], ...options }, env: {} },
        ...{
          say: (line) => void lines.push(line),
          agree: () => Promise.resolve(true),
          signal: AbortSignal.timeout(60_000),
        },
      })
    expect(await asked({ reads: true, again: true })).toBe(0)
    expect(lines).toContain('recordings/list_orders/run-2.http')
    expect(lines.join('\n')).toContain(`Left to decide (DECIDE.md):`)
    await expect(asked({ reaches: 'all' })).rejects.toThrow('--reaches takes people or nobody')
    await expect(asked({ step: '0' })).rejects.toThrow('--step takes the number of a step')
    await writeFile(traces, '[{"app":"notes"}]')
    await expect(asked({})).rejects.toThrow('traces.json is no trace')
    await writeFile(traces, '[]')
    await expect(asked({})).rejects.toThrow('there is no trace of list_orders')
  })
})

describe('bad moments', () => {
  it('runs nothing that a page says', async () => {
    for (const name of Object.keys(hostile)) {
      const code = await file(`${name.replaceAll('_', '-')}.ts`)
      expect(withoutTexts(code).replaceAll(/\/(?:[^/\\\n[]|\\.|\[[^\]\n]*\])+\//g, '')).not.toContain('OWNED')
    }
    expect(Object.hasOwn(globalThis, 'OWNED')).toBe(false)
    expect(await file('DECIDE.md')).not.toMatch(/[`<>]|\*\//)
  })

  it.each<[string, readonly Trace[], string]>([
    ['no trace', [], 'there is no trace'],
    [
      'nothing but noise',
      [traced('add_note', [['POST /analytics/collect', {}, { body: {} }]])],
      'nothing of add_note is an action',
    ],
    ['a name that is none', [traced('../x', [['POST /a', {}, { body: {} }]])], 'is no name of an endpoint'],
    [
      'two names',
      [traced('add_note', [['POST /a', {}, { body: {} }]]), traced('add_tag', [['POST /a', {}, { body: {} }]])],
      'different things',
    ],
  ])('%s', (_what, traces, problem) => {
    expect(() => suggest(traces)).toThrow(problem)
  })

  it('takes the step that it is told, and a page of a megabyte in seconds', () => {
    const rows = Array.from(
      { length: 6000 },
      (_, at) =>
        `<li class="entry"><a href="/notes/${at}">Note ${at}</a> <b class="by">Somebody who wrote it, no. ${at}</b></li>`,
    )
    const trace = traced('list_notes', [
      ['GET /notes', `<html><body><main><ul>${rows.join('')}</ul></main></body></html>`],
      ['POST /notes', '302 /notes', { body: 'title=x' }],
    ])
    expect(suggest([trace], { step: 1 }).block.code).toContain("at.all('.entry')")
    expect(suggest([trace]).block.code).toContain("request: 'POST /notes'")
  })
})
