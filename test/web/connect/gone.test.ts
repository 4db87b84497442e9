import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reasonOf } from '../../../web/connect/browser/lost.ts'
import { openRemoteBrowser } from '../../../web/connect/browser/remote-browser.ts'
import type { RemoteOptions } from '../../../web/connect/browser/sign-in-watch.ts'
import { freePort } from '../../../local-services/dev-server.ts'
import { listen } from '../../support/listen.ts'

let dir: string
let app: Server
let origin: string
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'callgate-gone-'))
  await chmod(dir, 0o711)
  app = createServer((request, response) => {
    response.writeHead(request.url === '/app/me' ? 401 : 200, { 'content-type': 'text/html' }).end('<p>here</p>')
  })
  origin = `http://localhost:${await listen(app)}/app/`
})
afterAll(async () => {
  app.closeAllConnections()
  app.close()
  await rm(dir, { recursive: true, force: true })
})

/** Processes, other than this one, that run out of this test's folder; those of one kind, such as `--type=renderer`. */
function browsers(kind = ''): number[] {
  const running: number[] = []
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8')
      const state = /\) (\w) /.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1]
      if (command.startsWith(path.join(dir, 'chromium')) && command.includes(kind) && state !== 'Z')
        running.push(Number(name))
    } catch (error) {
      // It ended meanwhile.
      if (!(error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')))
        throw error
    }
  }
  return running
}

function kill(pids: readonly number[]): void {
  expect(pids.length).toBeGreaterThan(0)
  for (const pid of pids)
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      // It ended with one that was killed before it.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
}

const options = (on: Pick<RemoteOptions, 'onLost' | 'onFrame'>): RemoteOptions => ({
  dir,
  origin,
  signIn: { page: 'sign-in', who: { page: 'me', account: () => null } },
  session: null,
  size: { width: 640, height: 480 },
  onSignedIn: () => undefined,
  onWanted: () => undefined,
  onUnsandboxed: () => undefined,
  onAt: () => undefined,
  onWords: () => undefined,
  onUnreadable: () => undefined,
  ...on,
})

test('a browser that is killed is told once, and closing it afterwards is no error', async () => {
  const lost: Error[] = []
  let frames = 0
  const remote = await openRemoteBrowser(
    options({ onLost: (error) => void lost.push(error), onFrame: () => (frames += 1) }),
  )
  await expect.poll(() => frames).toBeGreaterThan(0)
  kill(browsers())
  await expect.poll(() => lost.length).toBe(1)
  remote.apply({ type: 'key', key: 'Tab' })
  await remote.close()
  expect(lost.map(reasonOf)).toEqual(['the browser ended'])
})

test('a browser whose page crashed is told once, and is gone once it is closed', async () => {
  const lost: Error[] = []
  let frames = 0
  const remote = await openRemoteBrowser(
    options({ onLost: (error) => void lost.push(error), onFrame: () => (frames += 1) }),
  )
  await expect.poll(() => frames).toBeGreaterThan(0)
  kill(browsers('--type=renderer'))
  await expect.poll(() => lost.length).toBe(1)
  expect(browsers().length).toBeGreaterThan(0)
  await remote.close()
  await expect.poll(() => browsers()).toEqual([])
  expect(lost.map(reasonOf)).toEqual(['a page crashed'])
})

test('an app that cannot be reached is told apart from a browser that does not start, and neither in the words of a page', async () => {
  const away = {
    ...options({ onLost: () => undefined, onFrame: () => undefined }),
    origin: `http://localhost:${await freePort()}/`,
  }
  const reason = await openRemoteBrowser(away).then(() => 'it opened', reasonOf)
  expect(reason).toBe('page.goto: ERR_EMPTY_RESPONSE')
  expect(reasonOf(new Error('page.evaluate: Error: seven-brave-otters'))).toBe('page.evaluate: Error')
  expect(reasonOf(new Error('seven.brave: otters'))).toBe('Error')
})

test('going back before the first page, or after the end, leaves the app on the picture', async () => {
  const lost: Error[] = []
  let frames = 0
  const remote = await openRemoteBrowser(
    options({ onLost: (error) => void lost.push(error), onFrame: () => (frames += 1) }),
  )
  await expect.poll(() => frames).toBeGreaterThan(0)
  for (let press = 0; press < 3; press++) remote.apply({ type: 'back' })
  const before = frames
  remote.apply({ type: 'reload' })
  await expect.poll(() => frames).toBeGreaterThan(before)
  await remote.close()
  remote.apply({ type: 'reload' })
  expect(lost).toEqual([])
})

test('no browser outlives the process that started it, however that ends', async () => {
  const script = path.join(dir, 'opens.ts')
  const source = path.join(import.meta.dirname, '../../../web/connect/browser/remote-browser.ts')
  await writeFile(
    script,
    `import { openRemoteBrowser } from ${JSON.stringify(source)}
     await openRemoteBrowser({ ...${JSON.stringify(options({ onLost: () => undefined, onFrame: () => undefined }))},
       signIn: { page: 'sign-in', who: { page: 'me', account: () => null } },
       onLost() {}, onFrame() {}, onSignedIn() {}, onWanted() {}, onUnsandboxed() {}, onUnreadable() {} })
     process.send('open')`,
  )
  const child = fork(script, { stdio: 'inherit', execArgv: [] })
  expect(await once(child, 'message')).toEqual(['open', undefined])
  expect(browsers().length).toBeGreaterThan(0)
  child.kill('SIGKILL')
  await once(child, 'exit')
  await expect.poll(() => browsers()).toEqual([])
})
