import { describe, expect, test } from 'vitest'
import type { Reach } from '../../connectors/runtime/site.ts'
import { bound, http, rawApp, read_item, shop, talk, write_item } from './local-app.ts'

const good = http(200, '{"nr":"7","cost":12.5}')
const writeInput = { item_id: '7', price: 3 }

describe('where requests go', () => {
  test.each(['..', '.', '', '../admin', '..%2fadmin', '%2e%2e', 'a/b', 'a\\b', '//evil.example', 'a\r\nX: y', '...'])(
    'the identifier %j is never sent',
    async (item_id) => {
      await using app = await rawApp((_request, socket) => void socket.write(good))
      const result = await talk(app.origin, shop('read_item'), { item_id })
      expect(result).toMatchObject({ outcome: { kind: 'rejected', appCode: 'invalid_address' }, sent: false })
      expect(app.connections).toBe(0)
    },
  )

  test('an identifier is one segment, whatever stands in it', async () => {
    await using app = await rawApp((_request, socket) => void socket.write(good))
    await talk(app.origin, shop('read_item'), { item_id: 'ü?x=1#y;z @evil.example:80' })
    expect(app.requests[0]).toMatch(/^GET \/shop\/items\/%C3%BC%3Fx%3D1%23y%3Bz%20%40evil.example%3A80 HTTP/)
  })

  test('only cookies of this host and path go along, the closest path first', async () => {
    await using app = await rawApp((_request, socket) => void socket.write(good))
    const cookie = (name: string, domain: string, path: string) => ({ name, value: `v-${name}`, domain, path })
    const session = {
      user_agent: 'Mozilla/5.0 (test)',
      cookies: [
        cookie('root', '127.0.0.1', '/'),
        cookie('shop', '127.0.0.1', '/shop'),
        cookie('items', '127.0.0.1', '/shop/items/'),
        cookie('other', '127.0.0.1', '/other'),
        cookie('prefix', '127.0.0.1', '/sh'),
        cookie('foreign', 'evil.example', '/'),
        cookie('sub', '.27.0.0.1', '/'),
      ],
    }
    const result = await talk(app.origin, shop('read_item'), { item_id: '7' }, { session })
    expect(app.requests[0]).toMatch(/^cookie: items=v-items; shop=v-shop; root=v-root$/im)
    expect(app.requests[0]).toMatch(/^user-agent: Mozilla\/5\.0 \(test\)$/im)
    expect(result.session).toBeNull()
  })

  test('cookies that the app sets, changes or ends come back with the session', async () => {
    const lines = [
      'sid=new; Path=/shop; HttpOnly; SameSite=Lax',
      'gone=; Path=/shop; Max-Age=0',
      'late=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/shop',
      'evil=1; Domain=evil.example',
      'bad name=1',
      'here=1',
    ]
    await using app = await rawApp(
      (_request, socket) =>
        void socket.write(good.replace('\r\n', `\r\n${lines.map((line) => `set-cookie: ${line}\r\n`).join('')}`)),
    )
    const cookie = (name: string) => ({ name, value: 'old', domain: '127.0.0.1', path: '/shop' })
    const session = { user_agent: null, cookies: ['sid', 'gone', 'late', 'kept'].map(cookie) }
    const result = await talk(app.origin, shop('read_item'), { item_id: '7' }, { session })
    expect(result.session?.cookies.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
      { ...cookie('bad name'), value: '1', path: '/shop/items' },
      { ...cookie('here'), value: '1', path: '/shop/items' },
      cookie('kept'),
      { ...cookie('sid'), value: 'new', http_only: true },
    ])
  })
})

test('the fields of a write go as JSON, those of a read into the query', async () => {
  await using app = await rawApp((_request, socket) => void socket.write(good))
  await talk(app.origin, bound({ read_item, write_item })('write_item'), writeInput)
  await talk(app.origin, shop('list_items'), { limit: 25 })
  expect(app.requests[0]).toMatch(/content-type: application\/json[\s\S]*\r\n\r\n\{"cost":3\}$/i)
  expect(app.requests[1]).toMatch(/^GET \/shop\/items\?n=25 HTTP/)
})

describe('connections', () => {
  const read = (origin: string) => talk(origin, shop('read_item'), { item_id: '7' })

  test('are kept for reads', async () => {
    await using app = await rawApp((_request, socket) => void socket.write(good))
    for (let turn = 0; turn < 3; turn++) {
      expect(await read(app.origin)).toMatchObject({ outcome: { kind: 'ok' } })
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect([app.requests.length, app.connections]).toEqual([3, 1])
  })

  test('that an account makes later are judged by what its app may reach by then', async () => {
    await using app = await rawApp((_request, socket) => void socket.end(good))
    const there: Reach = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }])
    const nowhere: Reach = () => Promise.reject(new Error('no address that may be reached'))
    const reading = (reach: Reach) =>
      talk(app.origin, shop('read_item'), { item_id: '7' }, { account: 'an account of its own', reach })
    expect((await reading(there)).outcome.kind).toBe('ok')
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect((await reading(nowhere)).outcome.kind).not.toBe('ok')
    expect((await reading(there)).outcome.kind).toBe('ok')
    expect(app.requests).toHaveLength(2)
  })

  test('are of its own for each write, also after a read', async () => {
    await using app = await rawApp((_request, socket) => void socket.write(good))
    await read(app.origin)
    for (let turn = 0; turn < 2; turn++)
      expect(await talk(app.origin, shop('write_item'), writeInput)).toMatchObject({ outcome: { kind: 'ok' } })
    expect([app.requests.length, app.connections]).toEqual([3, 3])
  })

  test('that the app closed after its answer are not used again', async () => {
    await using app = await rawApp((_request, socket) => void socket.end(good))
    for (let turn = 0; turn < 3; turn++) {
      expect(await read(app.origin)).toMatchObject({ outcome: { kind: 'ok' } })
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(app.connections).toBe(3)
  })

  test('that the app closes instead of an answer lose that read only, which is not repeated here', async () => {
    await using app = await rawApp(
      (_request, socket, count) => void (count === 2 ? socket.destroy() : socket.write(good)),
    )
    const kinds: string[] = []
    for (let turn = 0; turn < 3; turn++) kinds.push((await read(app.origin)).outcome.kind)
    expect(kinds).toEqual(['ok', 'lost', 'ok'])
    expect(app.requests).toHaveLength(3)
  })

  test('with an answer that is too big, or that nobody waits for any more, are given up', async () => {
    const huge = http(200, `"${'x'.repeat(5000)}"`)
    await using app = await rawApp((_request, socket, count) => {
      if (count === 1) socket.write(huge)
      else if (count === 3) socket.write(good)
    })
    const once = (timeoutMs: number) =>
      talk(app.origin, shop('read_item'), { item_id: '7' }, { maxBytes: 1000, timeoutMs })
    expect((await once(5000)).outcome).toEqual({ kind: 'changed', rule: 'more than 0.001 MiB' })
    expect((await once(200)).outcome).toEqual({ kind: 'timeout' })
    expect((await once(5000)).outcome).toMatchObject({ kind: 'ok' })
    expect(app.requests).toHaveLength(3)
  })

  test('that cannot be made send nothing', async () => {
    const app = await rawApp(() => undefined)
    await app[Symbol.asyncDispose]()
    expect(await read(app.origin)).toMatchObject({ outcome: { kind: 'refused' }, sent: false })
  })
})
