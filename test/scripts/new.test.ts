import { execFile } from 'node:child_process'
import { cp, readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, expect, test } from 'vitest'
import { root } from '../../scripts/supervisor/settings.ts'
import { temporaryFolder } from './temp.ts'

let connectors: string
beforeEach(async () => {
  connectors = path.join(temporaryFolder(), 'connectors')
  await cp(path.join(root, 'connectors'), connectors, { recursive: true })
})

async function run(...args: string[]): Promise<{ code: number; text: string }> {
  const script = path.join(root, 'scripts/new.ts')
  const done = promisify(execFile)(process.execPath, [script, ...args, '--connectors', connectors])
  return done.then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    (error: { code: number; stderr: string }) => ({ code: error.code, text: error.stderr }),
  )
}

const read = (file: string): Promise<string> => readFile(path.join(connectors, file), 'utf8')

test('a skeleton comes at the end of the file that its name speaks of, with an example to fill in', async () => {
  const before = await read('crm/projects.ts')
  const { code, text } = await run('crm.archive_project')
  expect(code).toBe(0)
  expect(text).toContain('npm run examples crm')
  const after = await read('crm/projects.ts')
  expect(after.startsWith(before)).toBe(true)
  const block = after.slice(before.length)
  expect(block).toContain('export const archive_project = endpoint({\n')
  for (const blank of ["summary: ''", "label: ''", 'brief: []', "effect: 'changes'", 'shownBy: []', "access: 'write'"])
    expect(block).toContain(`\n  ${blank},`)
  const examples: unknown = JSON.parse(await read('crm/examples.json'))
  expect(examples).toMatchObject({
    archive_project: { input: {} },
    get_project: { input: { project_id: expect.any(String) } },
  })
})

test('the file can be named, and a read has a GET line', async () => {
  expect((await run('crm.count_things', '--read', '--in', 'clients')).code).toBe(0)
  const [, block] = (await read('crm/clients.ts')).split('export const count_things = endpoint({\n')
  expect(block).toMatch(/^ {2}label: '',/m)
  expect(block).toMatch(/^ {2}access: 'read',\n {2}request: 'GET \/',$/m)
  expect(block).not.toMatch(/effect|shownBy|confirm/)
})

test.each([
  [['crm.count_things'], /Say with --in which file .*projects/],
  [['crm.count_things', '--in', 'nothing'], /Say with --in/],
  [['crm.get_project'], /crm has get_project already: connectors\/crm\/projects\.ts/],
  [['nothing.get_it'], /There is no connectors\/nothing\. Apps: .*crm/],
  [['crm'], /Usage: npm run new/],
  [['crm.GetIt'], /Usage: npm run new/],
  [['crm.get_project', '--wrong'], /--wrong/],
])('%s is refused with what to do, and nothing is written', async (args, message) => {
  const before = await read('crm/projects.ts')
  const { code, text } = await run(...args)
  expect(code).toBe(1)
  expect(text).toMatch(message)
  expect(await read('crm/projects.ts')).toBe(before)
})
