import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../client/run.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'

/** The wheel of client/python, in an environment that has nothing but it and what it asks for. */
const source = path.join(import.meta.dirname, '../../client/python')
const { CALLGATE_PYTHON: tools = '', CALLGATE_WHEELS: wheels = '' } = process.env
let stack: Stack
let folder: string
let fresh: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'callgate-wheel-'))
  const copy = path.join(folder, 'source')
  await cp(source, copy, { recursive: true })
  await good(tools, ['-c', `from setuptools import build_meta; build_meta.build_wheel('..')`], copy)
  const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl')) ?? ''
  fresh = path.join(folder, 'venv/bin/python')
  await good(tools, ['-m', 'venv', '--without-pip', path.join(folder, 'venv')])
  const install = ['-m', 'pip', '--python', fresh, 'install', '--quiet', '--no-index', '--find-links', wheels]
  await good(tools, [...install, path.join(folder, wheel)])
  await rm(copy, { recursive: true })
  const [, example = ''] = /```python\n([\s\S]*?)```/.exec(await readFile(path.join(source, 'README.md'), 'utf8')) ?? []
  await writeFile(path.join(folder, 'example.py'), example)
  stack = await startStack()
}, 300_000)
afterAll(async () => {
  await stack.stop()
  await rm(folder, { recursive: true, force: true })
})

async function good(command: string, args: readonly string[], cwd = folder): Promise<void> {
  const { code, err } = await run(command, args, { cwd, env: { HOME: folder } })
  expect([code, err], args.join(' ')).toEqual([0, expect.not.stringContaining('ERROR')])
}

test('runs the example of its README as it stands', async () => {
  const user = await stack.user()
  let decided: Promise<unknown> | undefined
  const { code, out, err } = await run(fresh, ['example.py'], {
    cwd: folder,
    env: { CALLGATE_URL: stack.publicUrl, CALLGATE_API_KEY: user.key },
    onOut(text) {
      const found = /confirm\/(call_\w{26})\n/.exec(text)?.[1]
      if (found !== undefined) decided ??= user.approve(found)
    },
  })
  await decided
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(/^Please approve: http.*\nsent as \S+\n$/)
})

/** mypy reads 630 KB of types: 3 s on a machine at rest, seen to be 20 s on a busy one. */
test('has types for every action as an entry of its own, and a misspelt field is told', async () => {
  const mypy = ['-m', 'mypy', '--strict', '--python-executable', fresh]
  const good = await run(tools, [...mypy, 'example.py'], { cwd: folder, env: {} })
  expect([good.code, good.out]).toEqual([0, 'Success: no issues found in 1 source file\n'])
  const untyped = `from callgate import Callgate, CallgateError
def name(c: Callgate) -> str:
    answer: str = c.run("crm.get_project", {"project_id": "p"}, account="a")["client"]["name"]
    return answer
`
  await writeFile(path.join(folder, 'untyped.py'), untyped)
  const any = await run(tools, [...mypy, 'untyped.py'], { cwd: folder, env: {} })
  expect([any.code, any.out]).toEqual([0, 'Success: no issues found in 1 source file\n'])
  const wrong = `from callgate.apps import AsyncCallgate
async def main(c: AsyncCallgate) -> str:
    return (await c.run("crm.get_project", {"project_id": "p"}))["client"]["name"]
async def misspelt(c: AsyncCallgate) -> None:
    await c.run("crm.get_project", {"projectid": "p"})
`
  await writeFile(path.join(folder, 'wrong.py'), wrong)
  const told = await run(tools, [...mypy, '--no-error-summary', 'wrong.py'], { cwd: folder, env: {} })
  expect(told.out.split('\n').filter((line) => line.includes('error'))).toEqual([
    expect.stringMatching(/^wrong\.py:5: error: No overload variant/),
  ])
})
