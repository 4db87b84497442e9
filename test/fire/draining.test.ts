import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../local-services/dev-server.ts'
import { begin } from '../../local-services/service.ts'
import type { Running } from '../../local-services/service.ts'
import { apiService, exitOf, logsOf, startProcess } from '../support/processes.ts'
import { startGateway } from './gateway.ts'
import type { Gateway } from './gateway.ts'

const drainSeconds = 3
/** Nobody counts how often it is asked for. */
const page = '/assets/style.css'

interface Place {
  readonly url: string
  readonly adminUrl: string
  start(): Promise<Running>
}

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status

/** Each test starts processes, which takes a busy machine long. */
describe('an API process that is told to stop', () => {
  let gateway: Gateway
  const running: Running[] = []
  beforeAll(async () => {
    gateway = await startGateway()
  })
  afterAll(async () => {
    await Promise.all(running.map((process) => process.kill()))
    await gateway.stop()
  })

  async function place(name: string, env: Readonly<Record<string, string>> = {}) {
    const [port, adminPort] = [await freePort(), await freePort()]
    const settings = { DRAIN_SECONDS: String(drainSeconds), ...env }
    const service = apiService(gateway.site, { port, adminPort, name, env: settings })
    const started = (process: Running): Running => {
      running.push(process)
      return process
    }
    return {
      url: `http://127.0.0.1:${port}`,
      adminUrl: `http://127.0.0.1:${adminPort}`,
      start: async () => started(await startProcess(service)),
      begin: async () => started(await begin(service)),
    }
  }

  /** Sends without a pause to one that said a moment ago that it is ready, as a load balancer does; what came of it. */
  function balance(places: readonly Place[]): { stop(): Promise<Readonly<Record<string, number>>> } {
    const results: Record<string, number> = {}
    const ready = new Set<Place>()
    const over = new AbortController()
    const isOver = (): boolean => over.signal.aborted
    const look = async (each: Place): Promise<void> => {
      while (!isOver()) {
        const status = await statusOf(`${each.adminUrl}/readyz`).catch(() => 503)
        if (status === 200) ready.add(each)
        else ready.delete(each)
        await pause(200)
      }
    }
    const send = async (): Promise<void> => {
      for (let turn = 0; !isOver(); turn++) {
        const chosen = [...ready][turn % Math.max(1, ready.size)]
        const result = chosen && (await statusOf(`${chosen.url}${page}`).catch(() => 'refused'))
        const key = String(result ?? 'nobody is ready')
        results[key] = (results[key] ?? 0) + 1
        await pause(5)
      }
    }
    const looking = places.map(look)
    const sending = pause(600).then(() => Promise.all([send(), send()]))
    return {
      async stop() {
        over.abort()
        await Promise.all([...looking, sending])
        return results
      },
    }
  }

  it('is not ready at once, serves for some seconds more, and is replaced without a refused connection', async () => {
    const [one, two] = [await place('api-1', { LISTEN_WHEN_READY: 'true' }), await place('api-2')]
    const [first] = await Promise.all([one.start(), two.start()])
    const clients = balance([one, two])
    await pause(1_500)

    const asked = Date.now()
    const stopped = first.stop()
    await expect
      .poll(() => statusOf(`${one.adminUrl}/readyz`), { interval: 20, timeout: (drainSeconds - 1) * 1_000 })
      .toBe(503)
    expect(await (await fetch(`${one.adminUrl}/readyz`)).json()).toEqual({
      database: true,
      engine: true,
      draining: true,
    })
    // Whoever has not heard of it is served, and told not to come back on this connection.
    while (Date.now() - asked < (drainSeconds - 0.5) * 1_000) {
      const answer = await fetch(`${one.url}${page}`)
      expect([answer.status, answer.headers.get('Connection')]).toEqual([200, 'close'])
      expect(await statusOf(`${one.adminUrl}/healthz`)).toBe(200)
      await pause(20)
    }
    await stopped
    expect(await exitOf(first)).toEqual({ code: 0, signal: null })
    expect(Date.now() - asked).toBeGreaterThanOrEqual(drainSeconds * 1_000)
    await expect(statusOf(`${one.url}${page}`)).rejects.toThrow()

    await one.start()
    await pause(1_000)
    const results = await clients.stop()
    expect(Object.keys(results)).toEqual(['200'])
    expect(results['200']).toBeGreaterThan(100)
  })

  it('answers those who wait, with what there is', async () => {
    const one = await place('api-3')
    const process = await one.start()
    const user = await gateway.user()
    const there = `${one.url}/api/v1`
    const headers = { 'X-API-Key': user.key, 'Content-Type': 'application/json', Prefer: 'wait=0' }
    const body = JSON.stringify({ contact_id: '1', message: 'Yes.' })
    const asked = await fetch(`${there}/property-advertising/reply_to_contact`, { method: 'POST', body, headers })
    const { call_id } = (await asked.json()) as { call_id: string }
    const waiting = fetch(`${there}/calls/${call_id}?wait=50`, { headers })
    await pause(300)
    const stopped = process.stop()
    const answer = await waiting
    expect([answer.status, await answer.json()]).toMatchObject([200, { status: 'awaiting_confirmation' }])
    await stopped
    expect(await exitOf(process)).toEqual({ code: 0, signal: null })
  })

  it('and one whose engine says nothing at its start is alive, says what it waits for, and where told so listens for no client', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    onTestFinished(() => void silent.close())
    const { port } = silent.address() as AddressInfo
    const one = await place('api-4', { TEMPORAL_ADDRESS: `127.0.0.1:${port}`, LISTEN_WHEN_READY: 'true' })
    const process = await one.begin()
    process.ready.catch(() => undefined)
    onTestFinished(() => process.kill())
    const ready = async (): Promise<unknown> => {
      const answer = await fetch(`${one.adminUrl}/readyz`).catch(() => undefined)
      return answer && [answer.status, await answer.json()]
    }
    await expect.poll(ready).toEqual([503, { database: true, engine: false, draining: false }])
    expect(await statusOf(`${one.adminUrl}/healthz`)).toBe(200)
    await expect(statusOf(`${one.url}/healthz`)).rejects.toThrow()
    const said = (): Promise<string> => readFile(path.join(logsOf(gateway.site), 'api-4.log'), 'utf8')
    await expect.poll(said).toMatch(/"database":true,"engine":false,"msg":"not ready: waiting/)
  })
})
