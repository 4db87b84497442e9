import { createServer, request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { keepBrowsersOut } from '../../api/operators/browser-peers.ts'
import { listen } from '../support/listen.ts'

/** The status, or the error code, that a client with this local address gets from a port. */
function askedFrom(port: number, localAddress: string): Promise<number | string> {
  return new Promise((resolve) => {
    request({ port, host: '127.0.0.1', localAddress }, ({ statusCode }) => resolve(statusCode ?? 0))
      .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
      .end()
  })
}

async function port(url: string, ...isOwn: [((address: string) => boolean)?]): Promise<number> {
  const server = createServer((_asked, answer) => answer.end())
  onTestFinished(await keepBrowsersOut({ url, secret: () => '' }, [server], ...isOwn))
  onTestFinished(() => void server.close())
  return listen(server)
}

test('the machine of the browser service gets no answer on operators’ ports, and everybody else does', async () => {
  const elsewhere = await port('http://127.0.0.2:8070', () => false)
  expect(await askedFrom(elsewhere, '127.0.0.1')).toBe(200)
  expect(await askedFrom(elsewhere, '127.0.0.2')).toBe('ECONNRESET')
})

test('a browser service on this machine, or one whose name is unknown, shuts nobody out', async () => {
  for (const url of ['http://127.0.0.2:8070', 'http://nowhere.invalid:8070']) {
    const here = await port(url)
    expect(await askedFrom(here, '127.0.0.1')).toBe(200)
    expect(await askedFrom(here, '127.0.0.2')).toBe(200)
  }
})
