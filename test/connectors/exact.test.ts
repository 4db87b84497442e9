import { expect, test } from 'vitest'
import { Type } from '../../connectors/kit/index.ts'
import { parseWithDigits } from '../../connectors/runtime/exact-json.ts'
import { fillIn, lazy } from '../../connectors/runtime/validate.ts'

test.each([
  ['date-time', '2026-12-06T09:00:00+02:00', true],
  ['date-time', '2026-12-06t09:00:00.123456z', true],
  ['date-time', '2026-12-06T09:00:00+02:00[Asia/Tokyo]', false],
  ['date-time', '2026-12-06T09:00:00Z[u-ca=hebrew]', false],
  ['date-time', '2016-12-31T23:59:60Z', false],
  ['date-time', '2026-02-29T09:00:00Z', false],
  ['date-time', '2026-12-06T09:00:00', false],
  ['date-time', '2026-12-06T24:00:00Z', false],
  ['date-time', '2026-12-06T09:00:00+24:00', false],
  ['time', '23:59:60Z', false],
  ['time', '23:59:59Z', true],
  ['date', '2026-02-29', false],
  ['email', 'a@example.com', true],
  ['email', '"a\r\nBcc: b"@example.com', false],
  ['email', `${'a'.repeat(65)}@example.com`, false],
  ['uuid', '01890a5d-ac96-774b-bcce-b302099a8057', true],
  ['uuid', '{01890a5d-ac96-774b-bcce-b302099a8057}', false],
  ['uri', 'https://example.com/a b', false],
])('of the format %s, %j is one: %s', (format, value, taken) => {
  const schema = Type.Object({ value: Type.String({ format }) })
  expect(fillIn(lazy(schema)(), schema, { value }).details.length === 0).toBe(taken)
})

test('whole numbers of answers that a double does not hold keep their digits', () => {
  const json = parseWithDigits('{"id":12345678901234567890,"n":[7,9007199254740992],"price":0.10000000000000001}')
  expect(json).toEqual({ id: '12345678901234567890', n: [7, 9007199254740992], price: 0.1 })
})
