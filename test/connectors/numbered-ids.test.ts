import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { endpoint } from '../../connectors/kit/define.ts'
import { closed, id, refTo } from '../../connectors/kit/inputs.ts'
import { bound, http, rawApp, talk } from './local-app.ts'

const Shelf = closed({ shelf_id: refTo('shelf'), item_ids: Type.Array(refTo('item')) })
const move_item = bound(
  {
    move_item: endpoint({
      summary: 'Move an item to a shelf.',
      label: 'Move an item to a shelf',
      brief: [],
      effect: 'changes',
      shownBy: [],
      access: 'write',
      request: 'POST /items/{item_id}/move',
      input: {
        item_id: id('item', 'From list_items.'),
        to: closed({ shelf_ids: Type.Array(id('shelf', 'From list_shelves.')) }),
      },
      output: {
        item_id: refTo('item', 'The item that was moved.'),
        shelves: Type.Array(Shelf),
        lent_to: Type.Union([refTo('member'), Type.Null()]),
      },
      encode: ({ to }) => ({ json: { to: to.shelf_ids } }),
    }),
  },
  { numbered: { item: { code: 'NO_ITEM', message: 'We never had it.' }, shelf: { code: 'NO_SHELF', message: 'No.' } } },
)('move_item')

const input = { item_id: 'item_7', to: { shelf_ids: ['shelf_7', 'shelf_8'] } }
const answer = { item_id: '7', shelves: [{ shelf_id: '8', item_ids: ['7', '9'] }], lent_to: null }

test('the app gets its own numbers, and what it says of them is given with their kinds', async () => {
  await using app = await rawApp((_request, socket) => void socket.write(http(200, JSON.stringify(answer))))
  const { outcome } = await talk(app.origin, move_item, input)
  const shelves = [{ shelf_id: 'shelf_8', item_ids: ['item_7', 'item_9'] }]
  expect(outcome).toEqual({ kind: 'ok', output: { item_id: 'item_7', shelves, lent_to: null } })
  expect(app.requests[0]).toMatch(/^POST \/shop\/items\/7\/move HTTP/)
  expect(app.requests[0]).toContain('{"to":["7","8"]}')
})

test.each(['7', 'shelf_7', 'item_', 'item_07', 'item_7 ', 'Item_7', 'item_7_7', 'item-7'])(
  'an item that is written %j is refused as the app refuses one that it does not have, and nothing is sent',
  async (item_id) => {
    await using app = await rawApp((_request, socket) => void socket.end())
    const { outcome, sent } = await talk(app.origin, move_item, { ...input, item_id })
    expect(outcome).toEqual({ kind: 'rejected', appCode: 'NO_ITEM', appMessage: 'We never had it.' })
    expect([sent, app.requests]).toEqual([false, []])
  },
)

test('so is one of another kind further inside', async () => {
  await using app = await rawApp((_request, socket) => void socket.end())
  const { outcome } = await talk(app.origin, move_item, { ...input, to: { shelf_ids: ['shelf_1', 'item_7'] } })
  expect(outcome).toMatchObject({ kind: 'rejected', appCode: 'NO_SHELF' })
  expect(app.requests).toEqual([])
})

test('an answer about another item leaves unknown what was done', async () => {
  const other = JSON.stringify({ ...answer, item_id: '8' })
  await using app = await rawApp((_request, socket) => void socket.write(http(200, other)))
  const result = await talk(app.origin, move_item, input)
  expect(result).toMatchObject({ outcome: { kind: 'changed' }, sent: true })
})
