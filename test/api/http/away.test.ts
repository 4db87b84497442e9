import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { Socket } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openPool } from '../../../core/database/pool.ts'
import { freePort } from '../../../local-services/dev-server.ts'
import { createDatabase } from '../../harness.ts'
import { followsTasks } from '../../mcp/asking.ts'
import { send } from '../../mcp/raw.ts'
import { ask, startGateway } from './gateway.ts'
import { accepted, newOwner } from './owners.ts'

/** A way to the database that can be cut; `cutAt`: by itself, when what says this was done and before anybody hears of it. */
async function startCable(databaseUrl: string, cutAt?: string) {
  const url = new URL(databaseUrl)
  const socketFile = `${url.searchParams.get('host')}/.s.PGSQL.${url.searchParams.get('port')}`
  const port = await freePort()
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const database = connect(socketFile)
    for (const socket of [client, database]) {
      sockets.add(socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy()))
    }
    client.on('data', (said: Buffer) => {
      if (cutAt !== undefined && said.includes(cutAt)) database.prependOnceListener('data', cut)
    })
    client.pipe(database).pipe(client)
  })
  const plug = async (): Promise<void> => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const cut = (): void => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  await plug()
  return { url: `postgresql://${url.username}@127.0.0.1:${port}${url.pathname}`, plug, cut }
}

const readLater = 'Calls cannot be read right now; what was accepted goes on.'

it('answers 503 while the database is away, says nothing about it, and serves again when it is back', async () => {
  const database = await createDatabase()
  const cable = await startCable(database.url)
  const gateway = await startGateway({ DATABASE_URL: cable.url })
  try {
    const { key } = await gateway.newKey()
    const requests = [`${gateway.url}/calls`, `${gateway.url}/apps`]
    for (const url of requests) expect((await ask(url, { key })).status).toBe(200)
    cable.cut()
    for (const url of requests) {
      const away = await ask(url, { key })
      expect([away.status, away.body['error']]).toEqual([503, 'unavailable'])
      expect(Number(away.headers.get('Retry-After'))).toBeGreaterThan(0)
      expect(JSON.stringify(away.body)).not.toMatch(/ECONN|terminated|postgres|\.ts/i)
    }
    // Who asks about a call that was accepted must not read that it was not, nor what a lost answer leaves open.
    const id = 'call_01JZX3T5N8Q4V7W9Y2B6C1D0EF'
    for (const [method, url, words] of [
      ['GET', `${gateway.url}/calls/${id}`, readLater],
      ['GET', `${gateway.url}/calls`, readLater],
      ['DELETE', `${gateway.url}/calls/${id}`, 'Whether the call is cancelled cannot be told'],
      ['POST', `${gateway.publicUrl}/mcp`, 'what was accepted before goes on'],
      ['GET', `${gateway.url}/property-advertising/list_listings`, 'Nothing was accepted or charged'],
    ] as const) {
      const { status, body } = await ask(url, { method, key })
      const { message = body['message'] } = Object(body['error']) as { readonly message?: unknown }
      expect([url, status, message]).toEqual([url, 503, expect.stringContaining(words)])
    }
    expect((await ask(`${gateway.adminUrl}/readyz`)).body).toMatchObject({ database: false })
    await cable.plug()
    for (const url of requests) expect((await ask(url, { key })).status).toBe(200)
  } finally {
    await gateway.stop()
    cable.cut()
    await database.drop()
  }
})

it('does not say that nothing was accepted when the database goes away with the answer to a commit', async () => {
  const database = await createDatabase()
  const gateway = await startGateway({ DATABASE_URL: database.url })
  const cable = await startCable(database.url, 'accept_call')
  const db = openPool(cable.url, gateway.ctx.log, 3, 1_000)
  try {
    const owner = await newOwner(gateway)
    const error = await accepted({ ...gateway, ctx: { ...gateway.ctx, db } }, owner).then(
      String,
      (thrown: unknown) => thrown,
    )
    const { rows } = await gateway.ctx.db.query<{ id: string }>('SELECT id FROM calls WHERE owner = $1', [owner.id])
    const call_id = rows[0]?.id
    expect(call_id).toMatch(/^call_/)
    expect(error).toMatchObject({
      code: 'internal',
      fields: { call_id },
      message: expect.stringContaining('cannot be told'),
    })
  } finally {
    await db.end()
    await gateway.stop()
    cable.cut()
    await database.drop()
  }
})

it('says of a call that was accepted that it goes on, when the database goes away just before it is read', async () => {
  const gateway = await startGateway()
  onTestFinished(() => gateway.stop())
  const owner = await newOwner(gateway)
  const call_id = await accepted(gateway, owner)
  const { db } = gateway.ctx
  const query = db.query.bind(db) as (...given: unknown[]) => Promise<unknown>
  vi.spyOn(db, 'query').mockImplementation((...given: unknown[]) => {
    if (JSON.stringify(given[0]).includes('FROM calls c')) throw new Error('Connection terminated unexpectedly')
    return query(...given) as never
  })
  const url = `${gateway.publicUrl}/mcp`
  const cancelled = 'Whether the call is cancelled cannot be told right now. Read it again after retry_after.'
  for (const [name, args, words] of [
    ['get_call', { call_id }, `${readLater} Read again after retry_after.`],
    ['list_calls', {}, `${readLater} Read again after retry_after.`],
    ['cancel_call', { call_id }, cancelled],
  ] as const) {
    const { result } = await send(url, owner.key, { method: 'tools/call', params: { name, arguments: args } })
    const body = { error: 'unavailable', message: words, retry_after: 5 }
    expect(result, name).toMatchObject({ isError: true, structuredContent: body })
  }
  for (const [method, words] of [
    ['tasks/get', `${readLater} Read again after retry_after.`],
    ['tasks/update', `${readLater} Read again after retry_after.`],
    ['tasks/cancel', cancelled],
  ] as const) {
    const params = { taskId: call_id, inputResponses: {} }
    const { error } = await send(url, owner.key, { method, params, capabilities: followsTasks })
    expect(error, method).toMatchObject({
      code: -32_603,
      message: words,
      data: { error: 'unavailable', retry_after: 5 },
    })
  }
})
