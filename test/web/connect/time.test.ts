import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { noteSessionState } from '../../../core/accounts/sessions.ts'
import { endAllWebSessions } from '../../../core/users/web-sessions.ts'
import { liveConnect } from '../../../web/connect/live.ts'
import { createApp } from '../../../server/server.ts'
import { startStack } from '../../harness.ts'
import type { Stack } from '../../harness.ts'
import { listen } from '../../support/listen.ts'
import type { TestUser } from '../../support/user.ts'

/** A browser that starts, or ends, on a machine that is busy with others, in ms: what is told here is their order. */
const patience = 120_000

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack.stop())

/** A person's WebSocket to the sign-in page of an app, and what it was told: the browser's pictures as `picture`, not where its page is. */
async function open(
  server: Server,
  user: TestUser,
  page = '/connect/crm/live',
): Promise<{ readonly socket: WebSocket; readonly told: readonly unknown[] }> {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : await listen(server)
  const socket = new WebSocket(`ws://127.0.0.1:${port}${page}`, {
    headers: { cookie: (await user.person()).cookieHeader, origin: stack.publicUrl },
  })
  const told: unknown[] = []
  socket.on('message', (data, binary) => {
    const word = binary ? 'picture' : (JSON.parse(Buffer.isBuffer(data) ? data.toString() : '') as { type: string })
    if (word === 'picture' || word.type !== 'at') told.push(word)
  })
  return { socket, told }
}

/** The browsers that run, without their helpers, which look like them for the moment after their fork. */
function browsers(): number {
  const program = path.join(stack.ctx.config.dir, 'chromium')
  const parents = new Map<string, string | undefined>()
  for (const pid of readdirSync('/proc')) {
    try {
      const command = /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : ''
      if (!command.startsWith(program) || command.includes('--type=')) continue
      parents.set(pid, /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
    } catch {
      // It ended meanwhile.
    }
  }
  return [...parents.values()].filter((parent) => parent !== undefined && !parents.has(parent)).length
}

test(
  'a browser counts until it is gone, also when nobody looks at it any more',
  { timeout: 4 * patience },
  async () => {
    const user = await stack.user({ accounts: [] })
    const server = createServer()
    const live = liveConnect(stack.ctx, createApp(stack.ctx), server, { browsers: 1, time: 2 * patience, look: 3000 })
    let most = 0
    const watch = setInterval(() => (most = Math.max(most, browsers())), 20)
    const first = await open(server, user)
    await expect.poll(browsers, { timeout: patience, interval: 20 }).toBe(1)
    first.socket.close()
    const second = await open(server, user)
    await expect.poll(() => second.told, { timeout: patience }).toContain('picture')
    clearInterval(watch)
    expect(most).toBe(1)
    second.socket.close()
    await expect.poll(browsers, { timeout: patience }).toBe(0)
    live.close()
    server.close()
  },
)

test('a picture that nobody finishes ends when the time is over', { timeout: 4 * patience }, async () => {
  const user = await stack.user({ accounts: [] })
  const server = createServer()
  const live = liveConnect(stack.ctx, createApp(stack.ctx), server, { browsers: 1, time: 3000, look: 3000 })
  const { socket, told } = await open(server, user)
  await once(socket, 'close')
  expect(told.filter((one) => one !== 'picture')).toEqual([{ type: 'end', reason: 'time' }])
  live.close()
  server.close()
})

test('who is signed out everywhere loses the picture, and its browser', { timeout: 4 * patience }, async () => {
  const user = await stack.user({ accounts: [] })
  const server = createServer()
  const live = liveConnect(stack.ctx, createApp(stack.ctx), server, { browsers: 1, time: 2 * patience, look: 200 })
  const { socket, told } = await open(server, user)
  const closed = once(socket, 'close')
  await expect.poll(() => told, { timeout: patience }).toContain('picture')
  await endAllWebSessions(stack.ctx.db, user.id)
  await closed
  expect(told.filter((one) => one !== 'picture')).toEqual([{ type: 'end', reason: 'signed_out' }])
  await expect.poll(browsers, { timeout: patience }).toBe(0)
  live.close()
  server.close()
})

test('who is signed out before the app knows them connects nothing', { timeout: 4 * patience }, async () => {
  const user = await stack.user()
  const { id } = user.account
  await noteSessionState(stack.ctx.db, id, 'CAPTCHA_REQUIRED')
  const server = createServer()
  const live = liveConnect(stack.ctx, createApp(stack.ctx), server, { browsers: 1, time: 2 * patience, look: 60_000 })
  const { socket, told } = await open(server, user, `/connect/property-advertising/live?account=${id}`)
  const closed = once(socket, 'close')
  await once(socket, 'open')
  // Its browser only starts now, and the app knows it by the account's own session.
  await endAllWebSessions(stack.ctx.db, user.id)
  await closed
  expect(told.filter((one) => one !== 'picture')).toEqual([{ type: 'end', reason: 'signed_out' }])
  const { rows } = await stack.ctx.db.query('SELECT state FROM accounts WHERE id = $1', [id])
  expect(rows).toEqual([{ state: 'needs_check' }])
  live.close()
  server.close()
})
