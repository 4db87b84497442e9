import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { liveConnect } from '../../api/connect/live.ts'
import { createApp } from '../../api/server.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { listen } from '../support/listen.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack.stop())

test('a picture that nobody finishes ends when the time is over', async () => {
  const user = await stack.user({ accounts: [] })
  const server = createServer()
  const live = liveConnect(stack.ctx, createApp(stack.ctx), server, { browsers: 1, time: 3000 })
  const socket = new WebSocket(`ws://127.0.0.1:${await listen(server)}/connect/crm/live`, {
    headers: { cookie: (await user.person()).cookieHeader, origin: stack.publicUrl },
  })
  const told: unknown[] = []
  socket.on('message', (data, binary) => {
    if (!binary && Buffer.isBuffer(data)) told.push(JSON.parse(data.toString()))
  })
  await once(socket, 'close')
  expect(told).toEqual([{ type: 'end', reason: 'time' }])
  live.close()
  server.close()
})
