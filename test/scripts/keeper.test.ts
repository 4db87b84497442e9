import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { identify } from '../../local-services/process-identity.ts'
import { launch } from '../../local-services/service.ts'
import { nodeService } from '../../scripts/supervisor/node-service.ts'
import { supervise, type Plan } from '../../scripts/supervisor/supervise.ts'
import { temporaryFolder, until } from './temp.ts'

/** Serves at once; tells in a shared file when it is asked to stop. */
const polite = (name: string) => `
  import { appendFileSync } from 'node:fs'
  process.on('SIGTERM', () => {
    appendFileSync(process.env.STOPS, '${name}\\n')
    setTimeout(() => process.exit(0), 50)
  })
  setInterval(() => {}, 1000)
  process.send({ ready: true })
`

function stage() {
  const dir = temporaryFolder()
  const run = join(dir, 'run')
  const stops = join(dir, 'stops')
  mkdirSync(run)
  const lines: string[] = []
  const service = (name: string, script = polite(name)) => {
    const file = `${name}.mjs`
    writeFileSync(join(dir, file), script)
    return nodeService({
      name,
      root: dir,
      script: file,
      logs: dir,
      stopWithinMs: 1_000,
      env: { ...process.env, STOPS: stops },
    })
  }
  const plan = (parts: Partial<Plan<string>>): Plan<string> => ({
    run,
    foundation: [],
    seed: async () => 'seeded',
    programs: [],
    log: (line) => void lines.push(line),
    signal: new AbortController().signal,
    ...parts,
  })
  const pidOf = (name: string) => Number(readFileSync(join(run, `${name}.pid`), 'utf8'))
  const start = async (parts: Partial<Plan<string>>) => {
    const supervision = await supervise(plan(parts))
    onTestFinished(() => supervision.stop())
    return supervision
  }
  return { run, lines, service, plan, start, pidOf, stopped: () => readFileSync(stops, 'utf8').trim().split('\n') }
}

test('a killed service is there again, as often as it is killed', async () => {
  const { start, service, pidOf } = stage()
  await start({ programs: [service('worker')] })
  for (let round = 0; round < 5; round++) {
    const before = pidOf('worker')
    process.kill(before, 'SIGKILL')
    await until(() => pidOf('worker') !== before && identify(pidOf('worker')) !== undefined)
  }
})

test('programs stop first, then the foundation from the last to the first, and no process stays', async () => {
  const { start, service, pidOf, stopped, run } = stage()
  const foundation = ['postgres', 'temporal', 'sandbox'].map((name) => service(name))
  const programs = ['api', 'worker'].map((name) => service(name))
  const { stop, seeded } = await start({ foundation, programs })
  expect(seeded).toBe('seeded')
  const names = ['postgres', 'temporal', 'sandbox', 'api', 'worker']
  const pids = names.map(pidOf)
  await stop()
  expect(pids.map(identify)).toEqual(names.map(() => undefined))
  expect(stopped().slice(0, 2).toSorted()).toEqual(['api', 'worker'])
  expect(stopped().slice(2)).toEqual(['sandbox', 'temporal', 'postgres'])
  expect(names.filter((name) => existsSync(join(run, `${name}.pid`)))).toEqual([])
})

test('one that ignores SIGTERM is killed when its time is up', async () => {
  const { start, service, pidOf } = stage()
  const deaf = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); process.send({ ready: true })`
  const { stop } = await start({ programs: [service('api', deaf)] })
  const pid = pidOf('api')
  await stop()
  expect(identify(pid)).toBeUndefined()
})

test('a start that is slow is waited for as long as it works, and one that does nothing is ended', async () => {
  const { start, service } = stage()
  const slow = `
    const until = Date.now() + 4_000
    while (Date.now() < until) process.cpuUsage()
    process.send({ ready: true })
    setInterval(() => {}, 1_000)
  `
  await start({ programs: [{ ...service('api', slow), stalledAfterMs: 1_500 }] })
  const idle = { ...service('worker', 'setInterval(() => {}, 60_000)'), stalledAfterMs: 1_500 }
  await expect(launch(idle)).rejects.toThrow('does not serve, and has done nothing for 1.5 s')
})

test('what a service started itself ends with it', async () => {
  const { start, service, pidOf, run } = stage()
  const parent = `
    import { spawn } from 'node:child_process'
    import { writeFileSync } from 'node:fs'
    writeFileSync('${run}/helper', String(spawn('sleep', ['60'], { stdio: 'ignore' }).pid))
    process.send({ ready: true })
  `
  await start({ programs: [service('worker', parent)] })
  const helper = Number(readFileSync(join(run, 'helper'), 'utf8'))
  expect(identify(helper)).toBeDefined()
  process.kill(pidOf('worker'), 'SIGKILL')
  await until(() => identify(helper) === undefined)
})

test('one that crashes again and again at its start fails the start, with the end of its log, and stops the rest', async () => {
  const { plan, service, stopped } = stage()
  const broken = `console.error('DATABASE_URL is not set'); process.exit(3)`
  const failing = supervise(plan({ foundation: [service('sandbox')], programs: [service('api', broken)] }))
  await expect(failing).rejects.toThrow(
    /^api crashed 3 times at its start \(exit code 3\)\. The end of .*api\.log:\n(.*\n)*.*DATABASE_URL is not set/,
  )
  expect(stopped()).toEqual(['sandbox'])
})

test('one that served and then crashes at each start is tried again, more slowly, with the end of its log', async () => {
  const { start, service, pidOf, lines, run } = stage()
  const breakable = `
    import { existsSync } from 'node:fs'
    if (existsSync('${run}/broken')) { console.error('the disk is full'); process.exit(4) }
    setInterval(() => {}, 1000)
    process.send({ ready: true })
  `
  const { stop } = await start({ programs: [service('worker', breakable)] })
  writeFileSync(join(run, 'broken'), '')
  process.kill(pidOf('worker'), 'SIGKILL')
  await until(() => lines.some((line) => line.includes('crashed 3 times') && line.includes('the disk is full')))
  rmSync(join(run, 'broken'))
  await until(() => lines.at(-1)?.includes('worker serves again') === true)
  // It served: what ends it now is not one crash more.
  const told = lines.length
  process.kill(pidOf('worker'), 'SIGKILL')
  await until(() => lines.length > told)
  expect(lines[told]).toMatch(/^worker ended \(.*\): starting it again$/)
  await stop()
})

test('a stop in the middle of the start stops what had started', async () => {
  const { plan, service, stopped, run } = stage()
  const halt = new AbortController()
  const mute = service('api', 'setInterval(() => {}, 1000)')
  const starting = supervise(plan({ foundation: [service('sandbox')], programs: [mute], signal: halt.signal }))
  await until(() => existsSync(join(run, 'api.pid')))
  halt.abort()
  await expect(starting).rejects.toThrow()
  expect(stopped()).toEqual(['sandbox'])
  expect(existsSync(join(run, 'api.pid'))).toBe(false)
})
