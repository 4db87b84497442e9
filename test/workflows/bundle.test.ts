import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { workflowBundle } from '../../server/workflow-bundle.ts'

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'callgate-bundle-'))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

test('two processes that start at once, beside the draft of one that was killed, share one whole bundle', async () => {
  await mkdir(path.join(dir, 'bundles'))
  await writeFile(path.join(dir, 'bundles', 'workflows-0000000000000000.js.1'), 'half a bund')
  const [first, second] = await Promise.all([workflowBundle(dir), workflowBundle(dir)])
  expect(second).toEqual(first)
  const code = await readFile(first.codePath, 'utf8')
  expect(code).toContain('decisionOf')
  expect((await readdir(path.join(dir, 'bundles'))).filter((name) => name.endsWith('.js'))).toEqual([
    path.basename(first.codePath),
  ])
  // It is made once: what stands there is taken as it is.
  await writeFile(first.codePath, `${code}\n// kept`)
  await workflowBundle(dir)
  expect(await readFile(first.codePath, 'utf8')).toBe(`${code}\n// kept`)
})
