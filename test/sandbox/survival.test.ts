import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdtemp, readFile, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Control, slug, Visitor, type Effect } from './visitor.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-kill-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const main = new URL('../../sandbox/main.ts', import.meta.url).pathname
const node = new URL('../../node_modules/.bin/node', import.meta.url).pathname

interface Child {
  process: ChildProcess
  url: string
  errors: () => string
}

async function spawned(port = '0', dir = folder): Promise<Child> {
  const child = spawn(node, [main], {
    env: { ...process.env, SANDBOX_PORT: port, CALLGATE_DIR: dir },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  let errors = ''
  child.stdout?.on('data', (chunk) => (output += String(chunk)))
  child.stderr?.on('data', (chunk) => (errors += String(chunk)))
  await Promise.race([once(child, 'message'), once(child, 'exit')])
  if (child.exitCode === null) await expect.poll(() => output).toMatch(/http/)
  return { process: child, url: /http:\/\/localhost:\d+/.exec(output)?.[0] ?? '', errors: () => errors }
}

async function killed(child: Child, signal: NodeJS.Signals): Promise<unknown> {
  const exit = once(child.process, 'exit')
  child.process.kill(signal)
  return await exit
}

interface Talk {
  lines: { line: number; text: string }[]
}

const logFile = (): string => join(folder, 'sandbox', `${slug}.effects.jsonl`)

/** State, log and file tell the same story; answers that a client has seen are all in it. */
async function agree(url: string, answered: Set<string>): Promise<Effect[]> {
  const effects = await new Control(url).effects()
  const written = (await readFile(logFile(), 'utf8')).split('\n')
  expect(written.pop()).toBe('')
  expect(written.map((line) => JSON.parse(line) as Effect)).toEqual(effects)
  expect(effects.map(({ seq }) => seq)).toEqual(effects.map((_, index) => index + 1))
  const [account] = await new Control(url).accounts()
  const { lines } = await new Visitor(url, account).json<Talk>('/api/threads/10001')
  const stored = lines.filter(({ text }) => text.startsWith('kill ')).map(({ text }) => text)
  expect(effects.map(({ body }) => body['text'])).toEqual(stored)
  for (const text of answered) expect(stored).toContain(text)
  return effects
}

test('killed in the middle of writes, again and again: effects, file and state agree, and sessions live on', async () => {
  const answered = new Set<string>()
  for (let round = 0; round < 4; round++) {
    const child = await spawned()
    const [account] = await new Control(child.url).accounts()
    const visitor = new Visitor(child.url, account)
    await visitor.token()
    await agree(child.url, answered)
    const writer = async (lane: number): Promise<void> => {
      for (let turn = 0; turn < 8; turn++) {
        const text = `kill ${round} ${lane} ${turn}`
        const answer = await visitor.form('/inbox/10001/reply', { text }).catch(() => undefined)
        if (!answer) return
        expect(answer.status).toBe(303)
        answered.add(text)
      }
    }
    const writing = Promise.all([writer(1), writer(2), writer(3)])
    await sleep(8 + round * 9)
    // However busy the machine is: something was written before one of the kills.
    if (round === 3) await expect.poll(() => answered.size, { interval: 5 }).toBeGreaterThan(0)
    expect(await killed(child, 'SIGKILL')).toEqual([null, 'SIGKILL'])
    await writing
  }
  const child = await spawned()
  const effects = await agree(child.url, answered)
  expect(effects.length).toBeGreaterThan(0)
  expect(await killed(child, 'SIGTERM')).toEqual([0, null])
})

test('a log that lost its last line, or has a torn one, is completed at the next start', async () => {
  const whole = await readFile(logFile(), 'utf8')
  await truncate(logFile(), Buffer.byteLength(whole) - 20)
  let child = await spawned()
  await agree(child.url, new Set())
  await killed(child, 'SIGKILL')
  expect(await readFile(logFile(), 'utf8')).toBe(whole)
  await appendFile(logFile(), '{"seq":999,"at":"20')
  child = await spawned()
  await agree(child.url, new Set())
  expect(await readFile(logFile(), 'utf8')).toBe(whole)
  expect(await killed(child, 'SIGINT')).toEqual([0, null])
})

test('a ban and an ended session survive a kill', async () => {
  let child = await spawned()
  const [, first, second] = await new Control(child.url).accounts()
  const [fast, gone] = [new Visitor(child.url, first), new Visitor(child.url, second)]
  for (let turn = 0; turn <= 100; turn++) await fast.get('/api/ads/CV-1')
  expect((await fast.get('/my/ads')).status).toBe(403)
  await new Control(child.url).arm({ kind: 'expire' })
  expect((await gone.get('/api/ads')).status).toBe(401)
  await killed(child, 'SIGKILL')
  child = await spawned()
  expect((await new Visitor(child.url, first).get('/my/ads')).status).toBe(403)
  expect((await new Visitor(child.url, second).get('/api/ads')).status).toBe(401)
  await killed(child, 'SIGTERM')
})

test('a taken port is one line that names the variable', async () => {
  const child = await spawned()
  const second = await spawned(new URL(child.url).port, join(folder, 'second'))
  expect(second.process.exitCode).toBe(1)
  await expect.poll(second.errors).toMatch(/^Port \d+ is already in use: set SANDBOX_PORT to a free one\.\n$/)
  const wrong = await spawned('lots', join(folder, 'third'))
  expect(wrong.process.exitCode).toBe(1)
  await expect.poll(wrong.errors).toMatch(/^SANDBOX_PORT must be/)
  await killed(child, 'SIGTERM')
})
