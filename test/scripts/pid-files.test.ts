import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { identify } from '../../local-services/process-identity.ts'
import { endLeftovers, writePidFile } from '../../scripts/supervisor/pid-files.ts'
import { takeFolder } from '../../scripts/supervisor/single.ts'
import { temporaryFolder, until } from './temp.ts'

const log = () => undefined

function sleeper(command = 'sleep 60'): ChildProcess & { pid: number } {
  const child = spawn('/bin/sh', ['-c', command], { detached: true, stdio: 'ignore' })
  const { pid } = child
  if (pid === undefined) throw new Error('no pid')
  onTestFinished(() => void child.kill('SIGKILL'))
  return Object.assign(child, { pid })
}

test('a pid file holds the pid and nothing else', () => {
  const run = temporaryFolder()
  writePidFile(run, 'worker', process.pid)
  expect(readFileSync(join(run, 'worker.pid'), 'utf8')).toBe(`${process.pid}\n`)
})

test('what a killed npm start left running is ended, also when it ignores SIGTERM', async () => {
  const run = temporaryFolder()
  const polite = sleeper()
  const stubborn = sleeper('trap "" TERM; while :; do sleep 0.05; done')
  writePidFile(run, 'api', polite.pid)
  writePidFile(run, 'worker', stubborn.pid)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(await endLeftovers(run, 200)).toEqual(['api', 'worker'])
  expect([polite.pid, stubborn.pid].map(identify)).toEqual([undefined, undefined])
  expect(readdirSync(run)).toEqual([])
})

test('a process that got the pid of a dead one is left alone', async () => {
  const run = temporaryFolder()
  const stranger = sleeper()
  writePidFile(run, 'api', stranger.pid)
  const recorded = identify(stranger.pid)
  writeFileSync(join(run, 'api.json'), JSON.stringify({ ...recorded, started: String(Number(recorded?.started) - 1) }))
  expect(await endLeftovers(run, 200)).toEqual([])
  expect(identify(stranger.pid)).toEqual(recorded)
  expect(existsSync(join(run, 'api.pid'))).toBe(false)
})

test('a pid file without a start time ends nothing', async () => {
  const run = temporaryFolder()
  const stranger = sleeper()
  writeFileSync(join(run, 'api.pid'), `${stranger.pid}\n`)
  expect(await endLeftovers(run, 200)).toEqual([])
  expect(identify(stranger.pid)).toBeDefined()
})

test('a second npm start is told which process has the folder', async () => {
  const run = temporaryFolder()
  const giveBack = await takeFolder({ run, launcher: undefined, log })
  await expect(takeFolder({ run, launcher: undefined, log })).rejects.toThrow(
    `Callgate already runs here (process ${process.pid})`,
  )
  giveBack()
  const again = await takeFolder({ run, launcher: undefined, log })
  again()
})

test('the lock of a process that is gone holds nobody up', async () => {
  const run = temporaryFolder()
  writeFileSync(join(run, 'npm-start.lock'), JSON.stringify({ pid: process.pid, started: '1' }))
  const giveBack = await takeFolder({ run, launcher: undefined, log })
  giveBack()
})

test('one whose npm was killed is stopped first', async () => {
  const run = temporaryFolder()
  const left = sleeper()
  writeFileSync(join(run, 'npm-start.lock'), JSON.stringify(identify(left.pid)))
  const npm = sleeper()
  writeFileSync(join(run, 'npm-start.json'), JSON.stringify(identify(npm.pid)))
  await expect(takeFolder({ run, launcher: undefined, log })).rejects.toThrow('already runs here')
  npm.kill('SIGKILL')
  await until(() => identify(npm.pid) === undefined)
  const giveBack = await takeFolder({ run, launcher: process.pid, log })
  expect(identify(left.pid)).toBeUndefined()
  giveBack()
})
