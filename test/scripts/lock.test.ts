import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tryLock } from '../../local-services/lock.ts'
import { identify } from '../../local-services/process-identity.ts'
import { temporaryFolder } from './temp.ts'

/** A process that tries for the lock of each file that it is told, and says whether it got it. */
const program = `
  import { tryLock } from ${JSON.stringify(new URL('../../local-services/lock.ts', import.meta.url).href)}
  process.on('message', async (file) => process.send((await tryLock(file)) === undefined))
  process.send('ready')`

const contenders: ChildProcess[] = []
beforeAll(async () => {
  const args = ['--input-type=module', '--eval', program]
  for (let n = 0; n < 4; n++)
    contenders.push(spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }))
  await Promise.all(contenders.map((child) => once(child, 'message')))
})
afterAll(() => {
  for (const child of contenders) child.kill('SIGKILL')
})

async function race(file: string): Promise<number> {
  const answers = contenders.map((child) => once(child, 'message'))
  for (const child of contenders) child.send(file)
  return (await Promise.all(answers)).filter(([got]) => got === true).length
}

test('of several that find the lock of a dead process at the same moment, one gets it', async () => {
  const file = join(temporaryFolder(), 'a.lock')
  const holders: number[] = []
  for (let round = 0; round < 40; round++) {
    writeFileSync(file, JSON.stringify({ pid: 2 ** 22 + 1, started: '1' }))
    holders.push(await race(file))
    rmSync(file)
  }
  expect(holders).toEqual(holders.map(() => 1))
})

test('a lock whose holder lives is left alone, and one that cannot be read is not', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'a.lock')
  expect(await tryLock(file)).toBeUndefined()
  expect(await race(file)).toBe(0)
  expect(await tryLock(file)).toEqual(identify(process.pid))
  writeFileSync(file, 'half')
  expect(await race(file)).toBe(1)
  expect(existsSync(file)).toBe(true)
})
