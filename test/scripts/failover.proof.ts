import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import type { Failover } from '../../scripts/failover-drill/drill.ts'
import { root } from '../../scripts/supervisor/settings.ts'

test(
  'a primary database that is lost under load takes nothing along that anybody was told, and the archive restores a moment',
  { timeout: 480_000 },
  async () => {
    const child = spawn(process.execPath, ['scripts/failover-drill.ts', '--calls', '40', '--seed', '4'], { cwd: root })
    let [output, log] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text))
    await once(child, 'close')
    expect(output, log).not.toBe('')
    const done = JSON.parse(output) as Failover
    const none = { lost: [], doubled: [], untrue: [], unapproved: [], split: [], contradicted: [] }
    expect(done, log).toMatchObject({
      ledgerDifference: 0,
      violations: none,
      restore: { lacks: 0, tooMany: 0, calls: expect.any(Number) },
    })
    expect(done.settled).not.toBeNull()
    expect(child.exitCode).toBe(0)
    // Before it was lost and after, calls were made; the restored moment has some of them only.
    const made = Object.values(done.calls).reduce((sum, count) => sum + count, 0)
    expect(done.restore.calls).toBeGreaterThan(0)
    expect(done.restore.calls).toBeLessThan(made)
    expect(done.calls['executed']).toBeGreaterThan(10)
  },
)
