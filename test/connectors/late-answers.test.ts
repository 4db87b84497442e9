import dns from 'node:dns'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { describe, expect, test, vi } from 'vitest'
import { endpoint } from '../../connectors/kit/define.ts'
import { InputRejected } from '../../connectors/kit/failures.ts'
import { id } from '../../connectors/kit/inputs.ts'
import { bound, http, rawApp, shop, talk } from './local-app.ts'

/** A connection is free again a moment after its answer. */
const free = () => sleep(20)
const item = (nr: string) => http(200, JSON.stringify({ nr, cost: 1 }))

/** A write that has happened, whose answer or next page the connector's words then trip over. */
const tripping = bound({
  unsendable_answer: endpoint({
    summary: 'Change an item.',
    label: 'Change an item',
    brief: [],
    effect: 'changes',
    shownBy: [],
    access: 'write',
    request: 'POST /items/{item_id}',
    input: { item_id: id('item', 'From list_items.') },
    output: { item_id: Type.String() },
    decode: () => {
      throw new InputRejected('PRICE_INVALID', 'This is no price.')
    },
  }),
  unsafe_page_after: endpoint({
    summary: 'Change an item.',
    label: 'Change an item',
    brief: [],
    effect: 'changes',
    shownBy: [],
    access: 'write',
    request: 'POST /items',
    input: { item_id: Type.String({ description: 'From list_items.' }) },
    output: { item_id: Type.String() },
    after: 'GET /items/{item_id}',
  }),
})

test.each(['unsendable_answer', 'unsafe_page_after'])(
  'a write that went out is never told as refused: %s',
  async (name) => {
    await using app = await rawApp((_request, socket) => void socket.write(item('7')))
    const result = await talk(app.origin, tripping(name), { item_id: name === 'unsafe_page_after' ? '../7' : '7' })
    expect(app.requests).toHaveLength(1)
    expect(result).toMatchObject({ outcome: { kind: 'changed' }, session: null, sent: true })
  },
)

test('what an app says once too often reaches nobody else: each account has connections of its own', async () => {
  const said = new WeakMap<Socket, number>()
  await using app = await rawApp((request, socket) => {
    const nr = /items\/(\w+)/.exec(request)?.[1] ?? ''
    const before = said.get(socket)
    said.set(socket, 1)
    // As an app does whose answer to the one before had been said to be shorter than it was: one behind from then on.
    socket.write(item(before === undefined ? nr : 'secret-of-ann'))
  })
  const read = async (account: string, item_id: string) =>
    (await talk(app.origin, shop('read_item'), { item_id }, { account })).outcome
  expect(await read('ann', 'first')).toMatchObject({ output: { item_id: 'first' } })
  await free()
  expect(await read('bob', 'second')).toMatchObject({ output: { item_id: 'second' } })
  expect(app.connections).toBe(2)
  await free()
  // Within an account they are used again.
  await read('bob', 'third')
  expect(app.connections).toBe(2)
})

test('connections are kept for so many accounts only, and those that are given up finish what they began', async () => {
  await using app = await rawApp((request, socket) => {
    const answer = (): void => void socket.write(item('7'))
    if (request.includes('slow')) setTimeout(answer, 2_000)
    else answer()
  })
  const read = (account: string, item_id = '7') => talk(app.origin, shop('read_item'), { item_id }, { account })
  const slow = read('first of many', 'slow')
  for (let n = 0; n < 520; n++) await read(`account ${n}`)
  const before = app.connections
  await free()
  await read('account 519')
  expect(app.connections).toBe(before)
  await read('account 3')
  expect(app.connections).toBe(before + 1)
  expect((await slow).outcome).toMatchObject({ kind: 'ok' })
})

test('a host that many want at once is looked up once, so that a slow name keeps no other app waiting', async () => {
  const asked = vi.spyOn(dns, 'lookup')
  try {
    const write = () => talk('http://no-such-host.invalid/shop/', shop('write_item'), { item_id: '7', price: 1 })
    const read = (n: number) =>
      talk('http://no-such-host.invalid/shop/', shop('read_item'), { item_id: '7' }, { account: `of ${n}` })
    const all = await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? write() : read(n))))
    expect(all.map(({ outcome, sent }) => [outcome.kind, sent])).toEqual(all.map(() => ['refused', false]))
    expect(asked).toHaveBeenCalledTimes(1)
    await write()
    expect(asked).toHaveBeenCalledTimes(2)
    await using app = await rawApp((_request, socket) => void socket.write(item('7')))
    const there = app.origin.replace('127.0.0.1', 'localhost')
    const found = await Promise.all([1, 2].map(() => talk(there, shop('write_item'), { item_id: '7', price: 1 })))
    expect(found.map(({ outcome }) => outcome.kind)).toEqual(['ok', 'ok'])
  } finally {
    asked.mockRestore()
  }
})

describe('a server that says "100 Continue" although nobody asked', () => {
  const go = 'HTTP/1.1 100 Continue\r\n\r\n'
  const cases: [string, string[]][] = [
    ['in one piece with its answer', [go + item('7')]],
    ['before it', [go, item('7')]],
    ['three times, with headers', [go, `HTTP/1.1 100 Go on\r\nserver: x\r\n\r\n${go}`, item('7')]],
    ['byte by byte', (go + item('7')).split('')],
  ]
  const write = (origin: string, timeoutMs = 5_000) =>
    talk(origin, shop('write_item'), { item_id: '7', price: 1 }, { timeoutMs })

  test.each(cases)('%s, is heard to its end', async (_how, pieces) => {
    await using app = await rawApp((_request, socket) => void say(socket, pieces))
    expect(await write(app.origin)).toMatchObject({ outcome: { kind: 'ok', output: { item_id: '7' } }, sent: true })
  })

  test.each(cases)('%s, is heard to its end at each read of a connection', async (_how, pieces) => {
    await using app = await rawApp((_request, socket) => void say(socket, pieces))
    for (let turn = 0; turn < 3; turn++) {
      const { outcome } = await talk(app.origin, shop('read_item'), { item_id: '7' }, { timeoutMs: 5_000 })
      expect(outcome).toMatchObject({ kind: 'ok', output: { item_id: '7' } })
      await free()
    }
    expect([app.requests.length, app.connections]).toEqual([3, 1])
  })

  test.each([
    ['and nothing else', [go], 'timeout'],
    ['half', ['HTTP/1.1 10'], 'timeout'],
    ['and then what is not HTTP', [go, 'SSH-2.0-OpenSSH\r\n\r\n'], 'changed'],
    ['without an end', [`HTTP/1.1 100 Continue\r\n${'x: y\r\n'.repeat(4_000)}`], 'timeout'],
  ])('%s, is no answer', async (_how, pieces, kind) => {
    await using app = await rawApp((_request, socket) => void say(socket, pieces))
    expect(await write(app.origin, 400)).toMatchObject({ outcome: { kind }, sent: true })
  })

  async function say(socket: Socket, pieces: readonly string[]): Promise<void> {
    for (const piece of pieces) {
      socket.write(piece)
      await sleep(2)
    }
  }
})
