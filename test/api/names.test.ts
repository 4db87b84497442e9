import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { isLive } from '../../web/connect/admit.ts'
import { endpointOf } from '../../client/discovery.ts'
import { named } from '../../schemas/names.ts'

test.each([
  ['crm', true],
  ['shop-24-7', true],
  ['b2b', true],
  ['2fa', false],
  ['-crm', false],
  ['crm-', false],
  ['c--m', false],
  ['CRM', false],
  ['a/b', false],
  ['', false],
])('"%s" is the slug of an app: %s', (slug, is) => {
  const live = { url: `/connect/${slug}/live?width=800`, headers: { upgrade: 'websocket' } }
  expect(isLive(live as IncomingMessage)).toBe(is)
  expect(named('/docs/{slug}').test(`/docs/${slug}`)).toBe(is)
})

test('names of endpoints may have digits, too', () => {
  expect(endpointOf('shop-24-7.list_v2_orders')).toEqual({ app: 'shop-24-7', name: 'list_v2_orders' })
  expect(
    named(String.raw`{slug}\.{endpoint}`)
      .exec('b2b.get_2fa')
      ?.slice(1),
  ).toEqual(['b2b', 'get_2fa'])
})
