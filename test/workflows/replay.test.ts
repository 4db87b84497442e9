import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { bundleWorkflowCode, Worker } from '@temporalio/worker'
import { DeterminismViolationError } from '@temporalio/workflow'
import pino from 'pino'
import { beforeAll, describe, expect, it } from 'vitest'
import { setUpEngineSdk } from '../../core/log.ts'
import { workflowBundle } from '../harness.ts'

const folder = path.join(import.meta.dirname, '../histories')
const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
const history = (name: string): unknown => JSON.parse(readFileSync(path.join(folder, name), 'utf8'))

interface HistoryEvent {
  readonly eventTime: string
  readonly activityTaskScheduledEventAttributes?: { readonly activityType: { readonly name: string } }
}

/** Calls that wait for days must go on under the workflow of tomorrow. */
describe('the histories of yesterday', () => {
  beforeAll(() => setUpEngineSdk(pino({ level: 'silent' })))

  it('are there, one a branch', () => {
    expect(names.length).toBeGreaterThanOrEqual(15)
  })

  it('are stored on one line each', () => {
    for (const name of names) expect(readFileSync(path.join(folder, name), 'utf8'), name).toMatch(/^\{.*\}\n$/)
  })

  it.each(names)('%s replays under the workflow of today', async (name) => {
    await Worker.runReplayHistory({ workflowBundle: await workflowBundle() }, history(name))
  })

  it.each(names)('%s holds no input, output, name or cookie', (name) => {
    const text = readFileSync(path.join(folder, name), 'utf8')
    const payloads = [...text.matchAll(/"data": ?"([A-Za-z0-9+/=]+)"/g)].map(([, data = '']) =>
      Buffer.from(data, 'base64').toString(),
    )
    expect(payloads.length).toBeGreaterThan(0)
    // Every input of the recorded calls carries this marker.
    for (const seen of [text, ...payloads]) expect(seen).not.toMatch(/marker-of-an-input|cookie/i)
  })

  it('of a call that was blocked, held by an operator for a weekend and blocked again replays: it went on to wait', async () => {
    const { events } = history('approved-blocked-again.json') as { events: HistoryEvent[] }
    const second = events.filter((event) => event.activityTaskScheduledEventAttributes?.activityType.name === 'send')[1]
    const inLine = events.findIndex((event) => event === second)
    expect(inLine).toBeGreaterThan(0)
    const late = events.map((event, at) =>
      at <= inLine
        ? event
        : { ...event, eventTime: new Date(Date.parse(event.eventTime) + 60 * 3_600_000).toISOString() },
    )
    await Worker.runReplayHistory({ workflowBundle: await workflowBundle() }, { events: late })
  })

  it('do not replay under a workflow that does something else first', async () => {
    const altered = await bundleWorkflowCode({ workflowsPath: path.join(import.meta.dirname, 'altered-call.ts') })
    const replayed = Worker.runReplayHistory({ workflowBundle: altered }, history('approved-executed.json'))
    await expect(replayed).rejects.toBeInstanceOf(DeterminismViolationError)
  })
})
