import { describe, expect, it, test } from 'vitest'
import type { Verify } from '../../connectors/kit/declared.ts'
import { loadApps } from '../../connectors/registry.ts'
import { findingOf, inputOfRead } from '../../core/calls/finding.ts'
import { provenOutput } from '../../core/calls/proof.ts'

const sent = new Date('2026-11-22T14:00:00Z')

describe('what fits a write', () => {
  it.each<[string, unknown, unknown, boolean]>([
    ['texts but for their spaces', 'Come\r\n all! ', 'Come all!', true],
    ['other texts', 'Come!', 'Come all!', false],
    ['an amount and its decimals', '50.00', 50, true],
    ['amounts as texts', '50.5', '50.50', true],
    ['other amounts', 50, 5, false],
    ['ids with zeros in front', '007', '7', false],
    ['a moment in another zone', '2026-11-22T15:00:00+01:00', '2026-11-22T14:00:00.000Z', true],
    ['one of those that were given', 'b@x.example', ['a@x.example', 'b@x.example'], true],
    ['none of those', 'c@x.example', ['a@x.example', 'b@x.example'], false],
    ['a list with all that were given', ['a', 'b', 'c'], ['a', 'c'], true],
    ['a list with some of them', ['a', 'b'], ['a', 'c'], false],
    ['what was left out', 'anything', undefined, true],
    ['what is not told', undefined, 'something', false],
    ['an object', { a: 1 }, { a: 1 }, false],
  ])('%s', (_, told, given, fits) => {
    const verify: Verify = { read: 'r', at: 'list', same: { field: 'input' } }
    const finding = findingOf(verify, { input: given }, { list: [{ field: told }] }, sent)
    expect(finding.kind).toBe(fits ? 'found' : 'nothing')
  })

  it.each([
    ['2026-11-22T13:58:00Z', true],
    ['2026-11-22T13:50:00Z', false],
    ['2026-11-22T13:50:00+00:00', false],
    ['2026-11-21', true],
    ['2026-11-19', false],
    ['last week', true],
    [null, false],
  ])('made at %s: %s', (made, fits) => {
    const verify: Verify = { read: 'r', at: 'list', same: { field: 'input' }, since: 'made' }
    const finding = findingOf(verify, { input: 'x' }, { list: [{ field: 'x', made }] }, sent)
    expect(finding.kind).toBe(fits ? 'found' : 'nothing')
  })
})

const payment: Verify = {
  read: 'list_invoices',
  from: { project: 'project_id', page: 'page' },
  set: { status: 'all' },
  at: 'invoices.payments',
  id: 'payment_id',
  same: { 'money.amount': 'amount' },
  is: { state: ['paid', 'settled'] },
}

test('is found within lists, with an id and in a state that it must have, and told by its fields', () => {
  const paid = (payment_id: unknown, state: unknown) => ({ payment_id, state, money: { amount: 5 }, note: 'secret' })
  const output = {
    invoices: [
      { payments: [paid('p1', 'open'), paid('p2', 'settled')] },
      { payments: [paid('', 'paid'), paid(null, 'paid'), paid(3, 'paid')] },
    ],
  }
  expect(findingOf(payment, { amount: 5 }, output, sent)).toEqual({
    kind: 'found',
    count: 2,
    things: [
      { 'money.amount': 5, state: 'settled', payment_id: 'p2' },
      { 'money.amount': 5, state: 'paid', payment_id: 3 },
    ],
  })
})

test('shows a few of many, and counts all', () => {
  const output = { list: Array.from({ length: 30 }, () => ({ field: 'x' })) }
  const finding = findingOf({ read: 'r', at: 'list', same: { field: 'input' } }, { input: 'x' }, output, sent)
  expect(finding).toMatchObject({ count: 30, things: { length: 5 } })
})

test('its read gets what the write said, and nothing that the write left out', () => {
  expect(inputOfRead(payment, { project_id: 'p', amount: 5 })).toEqual({ project: 'p', status: 'all' })
})

describe('what is found proves that this very call did it', () => {
  const write = loadApps({ sandboxUrl: 'http://sandbox.example/' })
    .get('tour-supplier')
    ?.endpoints.get('reply_to_review')
  if (!write?.verify) throw new Error('nothing to try it with')
  const { verify } = write
  const reply = 'Thank you, we were glad to have you.'
  const review = { review_id: 'r1', product_id: 'p1', rating: 5, text: 'Fine', date: '2026-11-20', reply }
  const line = { of: 'review_id', read: 'list_reviews', at: 'reviews', id: 'r1' }
  const seen = (...things: object[]) => ({ things: things.map((one) => ({ ...line, ...one })), omitted: 0 })
  const open = seen({ values: { text: 'Fine', reply: null } })
  const good = { verify, input: { review_id: 'r1', reply }, seen: open, fitting: [review] }

  it('with the output that the thing tells', () => expect(provenOutput(write, good)).toEqual(review))

  it.each([
    ['nothing was seen before', { seen: undefined }],
    ['it could not be looked up before', { seen: seen({ problem: 'failed' }) }],
    ['the words stood there before', { seen: seen({ values: { reply } }) }],
    ['other words stood there before', { seen: seen({ values: { reply: 'Thanks' } }) }],
    ['that was not told', { seen: seen({ values: { text: 'Fine' } }) }],
    ['two things were told', { seen: seen({ values: { reply: null } }, { id: 'r2', values: { reply: null } }) }],
    ['two fit', { fitting: [review, review] }],
    ['none fits', { fitting: [] }],
    ['the words are few', { input: { review_id: 'r1', reply: 'Thank you!' } }],
    ['the output is not whole', { fitting: [{ ...review, rating: undefined }] }],
    ['the connector does not say that it may', { verify: { ...verify, proof: undefined } }],
  ])('but not where %s', (_why, other) =>
    expect(provenOutput(write, { ...good, ...other } as typeof good)).toBeUndefined(),
  )
})
