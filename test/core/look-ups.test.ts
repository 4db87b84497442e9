import { expect, test } from 'vitest'
import type { Preview } from '../../connectors/kit/declared.ts'
import { differs, mattersOf } from '../../core/approvals/look-ups.ts'

const line: Preview = {
  of: 'bill_id',
  read: 'list_bills',
  at: 'bills',
  id: 'id',
  shows: ['total', 'state'],
  matters: [],
}
const preview = [
  { ...line, set: { state: 'draft' }, matters: ['total'] },
  { ...line, set: { state: 'sent' }, matters: ['state'] },
  { ...line, at: 'others', matters: ['name'] },
]
const told = (values: object) => ({ of: 'bill_id', read: 'list_bills', at: 'bills', id: '7', values: { ...values } })

test('of lines that differ only in what they set all that matters in any counts', () => {
  expect(mattersOf({ preview }, told({}))).toEqual(['total', 'state'])
  const approved = { things: [told({ total: 5, state: 'sent' })], omitted: 0 }
  for (const now of [
    { total: 6, state: 'sent' },
    { total: 5, state: 'paid' },
  ])
    expect(differs({ preview }, approved, { things: [told(now)], omitted: 0 })).toBe(true)
  expect(differs({ preview }, approved, approved)).toBe(false)
})
