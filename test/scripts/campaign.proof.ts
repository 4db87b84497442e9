import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { violations } from '../../scripts/campaign/checks.ts'
import { Journal } from '../../scripts/campaign/journal.ts'
import { makePlan } from '../../scripts/campaign/plan.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import type { Report } from '../../scripts/campaign/report.ts'
import type { Upgrade } from '../../scripts/campaign/upgrade/run.ts'
import { root } from '../../scripts/supervisor/settings.ts'

async function run(...args: string[]): Promise<{ code: number | null; output: string; log: string }> {
  const child = spawn(process.execPath, ['scripts/campaign.ts', '--json', ...args], { cwd: root })
  let [output, log] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text))
  await once(child, 'close')
  if (output === '') throw new Error(`the campaign did not end well:\n${log}`)
  return { code: child.exitCode, output, log }
}

test('300 calls and 20 kills break no promise', { timeout: 480_000 }, async () => {
  const { code, output, log } = await run('--calls', '300', '--kills', '20', '--seed', '4')
  const report = JSON.parse(output) as Report
  const { lost, doubled, untrue, unapproved, split, contradicted } = report.violations
  expect({ lost, doubled, untrue, unapproved, split, contradicted }, log).toEqual({
    lost: [],
    doubled: [],
    untrue: [],
    unapproved: [],
    split: [],
    contradicted: [],
  })
  expect(report.ledgerDifference).toBe(0)
  expect(report.settled).not.toBeNull()
  expect(code).toBe(0)
  // It has killed everything there is, and the calls went every way that is planned; whether one ends unknown is up to the moment of a kill.
  expect(Object.keys(report.kills)).toEqual(['api', 'postgres', 'temporal', 'tree', 'worker'])
  expect(report.calls).toMatchObject({
    cancelled: expect.any(Number),
    executed: expect.any(Number),
    expired: expect.any(Number),
    rejected: expect.any(Number),
  })
  expect(report.calls['executed']).toBeGreaterThan(100)
})

test('a release that is deployed, taken back and deployed again loses nothing', { timeout: 480_000 }, async () => {
  const { code, output, log } = await run('--upgrade', '--calls', '60', '--seed', '4')
  const upgrade = JSON.parse(output) as Upgrade
  const none = { lost: [], doubled: [], untrue: [], unapproved: [], split: [], contradicted: [] }
  expect(upgrade, log).toMatchObject({
    refused: 0,
    definitionChanged: [],
    functionsChanged: 0,
    ledgerDifference: 0,
    violations: none,
  })
  expect(upgrade.settled).not.toBeNull()
  expect(code).toBe(0)
  // Both have gone on with calls.
  expect(Object.keys(upgrade.runs)).toEqual(['first', 'second'])
  expect(upgrade.calls['executed']).toBeGreaterThan(20)
})

test('a seed gives the same campaign again, and another seed another', () => {
  const size = { calls: 50, kills: 10 }
  expect(makePlan({ ...size, seed: 7 })).toEqual(makePlan({ ...size, seed: 7 }))
  expect(makePlan({ ...size, seed: 8 })).not.toEqual(makePlan({ ...size, seed: 7 }))
})

test('kills that come apart hit API processes and workers, and leave each other time', () => {
  const { kills } = makePlan({ calls: 10, kills: 12, seed: 3, apart: true })
  expect(new Set(kills.map(({ target }) => target))).toEqual(new Set(['api', 'worker']))
  expect(kills.every(({ alone }) => alone)).toBe(true)
  const gaps = kills.slice(1).map(({ at }, index) => at - (kills[index]?.at ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThan(12_000)
})

test('the checks see a lost call, an effect without a call, a split key and a changed status', () => {
  const journal = new Journal()
  journal.sawCall('call_1', 'a')
  journal.sawCall('call_2', 'a')
  journal.sawStatus('call_1', 'executed')
  journal.sawStatus('call_1', 'failed')
  const secrets = { kek: new Map(), approval: new Map(), pepper: new Map(), operator: Buffer.alloc(32) }
  const effects = [1, 2].map(() => ({ account: 'x', action: 'y', body: { text: 'Campaign mark-000001' } }))
  const found = violations({ secrets }, [], effects, journal)
  expect(found).toMatchObject({
    lost: ['call_1', 'call_2'],
    doubled: ['mark-000001'],
    untrue: ['mark-000001'],
    split: ['a'],
    contradicted: ['call_1 was executed and is failed'],
  })
})

test('the checks see an approval that is lost, and know one of an earlier round', () => {
  const secrets = { kek: new Map(), approval: new Map(), pepper: new Map(), operator: Buffer.alloc(32) }
  const journal = new Journal()
  const rows = [1, 2].map((round) => {
    journal.wasTold(`call_${round}`, 'approved')
    const row = { id: `call_${round}`, access: 'read', confirm: true, status: 'expired', decision: 'expired', round }
    return row as CallRow
  })
  expect(violations({ secrets }, rows, [], journal).contradicted).toEqual([
    'call_1: an approval was confirmed and lost',
  ])
})
