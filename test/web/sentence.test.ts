import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { labelled, money, recipients } from '../../connectors/kit/declared.ts'
import { id } from '../../connectors/kit/inputs.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import { clientName } from '../../core/calls/client-name.ts'
import { riddlesIn } from '../../web/confirm/unresolved.tsx'
import { sentenceOf } from '../../web/parts/sentence.ts'
import { thingsIn, withTold } from '../../web/parts/told.ts'
import { nothingKnown } from '../../web/parts/things.ts'
import { letters } from './letters.ts'

const amount = money({ unit: 'major', currency: 'EUR' }, Type.String())
const bill = {
  client: labelled('Client', Type.String()),
  total: labelled('Total', amount),
  due: labelled('Due', amount),
}
const base = letters.endpoints.get('write_letter')!
/** An app with bills, which `send_bill` sends. */
const app = {
  ...letters,
  things: { ...letters.things, bill: { label: 'bill', toldBy: [], title: ['client'], facts: [] } },
  endpoints: new Map([['get_bill', { ...base, name: 'get_bill', outputSchema: { ...Type.Object(bill) } }]]),
}
const endpoint: Endpoint = {
  ...base,
  name: 'send_bill',
  label: 'Send a bill',
  brief: ['bill_id', 'words'],
  inputSchema: {
    ...Type.Object({
      bill_id: labelled('Bill', id('bill', 'Which.')),
      words: labelled('Words', Type.String()),
      tip: labelled('Tip', amount),
      to: labelled('To', recipients(Type.Array(Type.String()))),
      copies: Type.Array(Type.Object({ member_id: labelled('Copy to', recipients(id('member', 'Whom.'))) })),
    }),
  },
}
const told = { of: 'bill_id', read: 'get_bill', at: '', id: 'b1' }
const seenAs = (values?: Record<string, unknown>, problem?: 'absent' | 'failed') => ({
  things: [{ ...told, ...(values && { values }), ...(problem && { problem }) }],
  omitted: 0,
})

function said(input: Record<string, unknown>, seen: ReturnType<typeof seenAs> = { things: [], omitted: 0 }) {
  const things = thingsIn({ app, endpoint }, seen)
  const known = withTold(nothingKnown, { app, endpoint }, things, new Date(0))
  const { action, about, reaches } = sentenceOf({
    app,
    endpoint,
    name: 'send_bill',
    input,
    told: things,
    things: known,
  })
  const riddles = riddlesIn(endpoint, input, known, { things, omitted: 0, isLookingUp: false })
  return [`${action}: ${about.join(', ')}; reaches ${reaches.join(', ')}`, riddles.map((one) => one.id).join()]
}

test.each([
  [
    'whose and how much',
    { bill_id: 'b1' },
    seenAs({ client: 'Ana', total: '9.5', due: '9.5' }),
    'Ana, 9.50 EUR; reaches ',
    '',
  ],
  [
    'two amounts',
    { bill_id: 'b1' },
    seenAs({ client: 'Ana', total: '9', due: '4' }),
    'Ana, Total 9.00 EUR, Due 4.00 EUR; reaches ',
    '',
  ],
  ['nothing told', { bill_id: 'b1' }, undefined, 'Bill: b1; reaches ', 'b1'],
  ['what failed', { bill_id: 'b1' }, seenAs(undefined, 'failed'), 'b1; reaches ', 'b1'],
  ['what is not there', { bill_id: 'b1' }, seenAs(undefined, 'absent'), 'b1; reaches ', 'b1'],
  ['its own words and amounts', { words: 'Soon', tip: '2' }, undefined, 'Soon, 2.00 EUR; reaches ', ''],
  ['who is reached', { to: ['a@x', 'b@x'] }, undefined, '; reaches a@x, b@x', ''],
  ['many who are reached', { to: ['a', 'b', 'c', 'd', 'e', 'a'] }, undefined, '; reaches a, b, c, 2 more', ''],
  ['who is reached further down', { copies: [{ member_id: 'm1' }] }, undefined, '; reaches m1', 'm1'],
] as const)('a call is one sentence: %s', (_what, input, seen, sentence, riddles) => {
  expect(said(input, seen)).toEqual([`Send a bill: ${sentence}`, riddles])
})

describe('what a program says of itself', () => {
  test.each([
    ['claude-code 2.1', 'claude-code 2.1'],
    ['  two\r\n lines\t', 'two lines'],
    ['a\u202Eb\u200B\u0000\u{E0041}c\uD800', 'abc'],
    [' \u2800\u200b', undefined],
    ['', undefined],
    ['x'.repeat(120), 'x'.repeat(120)],
    ['😀'.repeat(500), `${'😀'.repeat(119)}…`],
  ])('%j is kept as %j', (text, kept) => {
    expect(clientName(text)).toBe(kept)
  })
})
