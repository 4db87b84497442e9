import { spawn } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { loggedTo } from '../../local-services/service.ts'
import { temporaryFolder, until } from './temp.ts'

const mega = 1024 * 1024

test('the log of a process that runs for long does not fill the disk, and what it says next is still in it', async () => {
  const logFile = join(temporaryFolder(), 'talker.log')
  const says = `head -c 12000000 /dev/zero | tr '\\0' x; echo; sleep 7; echo still here; exec sleep 60`
  const child = loggedTo(logFile, (base) => spawn('/bin/sh', ['-c', says], base))
  onTestFinished(() => void child.kill('SIGKILL'))
  await until(() => statSync(logFile).size > 11 * mega)
  await until(() => statSync(logFile).size < mega)
  expect(statSync(`${logFile}.1`).size).toBeGreaterThan(11 * mega)
  await until(() => readFileSync(logFile, 'utf8') === 'still here\n')
  await sleep(100)
  expect(child.exitCode).toBeNull()
})
