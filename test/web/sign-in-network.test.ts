import { expect, test } from 'vitest'
import { addressBucket } from '../../web/account/login.ts'

test.each([
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
  ['2001:db8:1:2::1', '2001:DB8:0001:0002:0:0:0:2', true],
  ['2001:db8::1', '2001:db8:0:0:9::', true],
  ['fe80::1%eth0', 'fe80::2%eth0', true],
  ['::ffff:192.0.2.1', '192.0.2.1', true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['2001:db8:1::', '2001:db8::1', false],
  ['::1:2:3:4:5', '::2:2:3:4:5', false],
  ['::ffff:192.0.2.1', '::ffff:192.0.2.2', false],
  ['192.0.2.1', '192.0.2.2', false],
])('wrong passwords from %s and %s count together: %s', (one, other, together) => {
  expect(addressBucket({ koa: { ip: one } }).name === addressBucket({ koa: { ip: other } }).name).toBe(together)
})
