import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { freePort } from '../../../engine/dev-server.ts'
import { createDatabase } from '../../harness.ts'
import { ask, startGateway } from './gateway.ts'

/** A way to the database that can be cut. */
async function startCable(databaseUrl: string) {
  const url = new URL(databaseUrl)
  const socketFile = `${url.searchParams.get('host')}/.s.PGSQL.${url.searchParams.get('port')}`
  const port = await freePort()
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const database = connect(socketFile)
    for (const socket of [client, database]) {
      sockets.add(socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy()))
    }
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
    expect((await ask(`${gateway.adminUrl}/readyz`)).body).toMatchObject({ database: false })
    await cable.plug()
    for (const url of requests) expect((await ask(url, { key })).status).toBe(200)
  } finally {
    await gateway.stop()
    cable.cut()
    await database.drop()
  }
})
