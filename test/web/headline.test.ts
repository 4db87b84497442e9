import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { parseTemplate } from '../../connectors/kit/approval.ts'
import type { ApprovalText } from '../../connectors/kit/approval.ts'
import { labelled, money, recipients } from '../../connectors/kit/declared.ts'
import { id } from '../../connectors/kit/inputs.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import { clientName } from '../../core/calls/client-name.ts'
import { riddlesIn } from '../../web/confirm/unresolved.tsx'
import { headlineOf, plain } from '../../web/parts/headline.ts'
import type { Headline } from '../../web/parts/headline.ts'
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

function said(
  input: Record<string, unknown>,
  seen: ReturnType<typeof seenAs> = { things: [], omitted: 0 },
  approval: ApprovalText | null = null,
) {
  const telling = { app, endpoint: { ...endpoint, approval } }
  const things = thingsIn(telling, seen)
  const known = withTold(nothingKnown, telling, things, new Date(0))
  const headline = headlineOf({ ...telling, name: 'send_bill', input, told: seen.things, things: known })
  const riddles = riddlesIn(endpoint, input, known, { things, seen: seen.things, omitted: 0, isLookingUp: false })
  return { headline, text: plain(headline.sentence), riddles: riddles.map(({ id: of }) => of).join() }
}

const follows = ({ consequences }: Headline) => consequences.map(({ kind, sentence }) => `${kind}: ${plain(sentence)}`)

describe('the headline of a write', () => {
  const approval: ApprovalText = {
    headline: 'Send {bill_id}[ ({bill_id.total})][ with {words}][ to {to}]',
    button: 'Send[ {bill_id.total}]',
    instead: [
      { when: { words: ['no'] }, headline: 'Keep {bill_id}', button: 'Keep' },
      { when: { tip: ['1'] }, headline: 'Give[ {words}] {bill_id}[ {tip}]', button: 'Give' },
    ],
    consequences: [
      { kind: 'irreversible', text: 'It cannot be taken back' },
      { kind: 'money', text: '[{bill_id.total} is charged]' },
      { kind: 'people', text: '[{to|person gets|people get} an e-mail]' },
      { kind: 'public', text: 'Everybody sees it', when: { tip: ['2'] } },
    ],
  }
  const bill = seenAs({ client: 'Ana', total: '1250.5', due: '9.5' })

  test.each([
    ['its values', { bill_id: 'b1', to: ['a@x.org'] }, bill, 'Send “Ana” (1,250.50 EUR) to a@x.org'],
    [
      'a text in quotation marks',
      { bill_id: 'b1', words: 'Pay\n now' },
      bill,
      'Send “Ana” (1,250.50 EUR) with “Pay now”',
    ],
    [
      'three of many',
      { bill_id: 'b1', to: ['a', 'b', 'c', 'd', 'e'] },
      bill,
      'Send “Ana” (1,250.50 EUR) to “a”, “b”, “c” and 2 more',
    ],
    ['other words for a certain value', { bill_id: 'b1', words: 'no' }, bill, 'Keep “Ana”'],
    ['two names in a row as one', { bill_id: 'b1', words: 'Ben', tip: '1' }, bill, 'Give “Ben Ana” 1.00 EUR'],
    ['no id', { bill_id: 'b1' }, undefined, 'Send the bill'],
    ['no id of what the app does not have', { bill_id: 'b1' }, seenAs(undefined, 'absent'), 'Send the bill'],
    ['no braces of an agent', { bill_id: 'b1', words: '{to} [x]' }, undefined, 'Send the bill with “{to} [x]”'],
  ])('has %s', (_, input, seen, text) => {
    expect(said(input, seen, approval).text).toBe(text)
  })

  test('is at most 110 characters long, however long its values are', () => {
    const words = 'a long word '.repeat(50)
    for (const to of [[], ['x'.repeat(200), 'y'.repeat(200)]])
      for (const client of ['Ana', 'é'.repeat(300)]) {
        const { text, headline } = said(
          { bill_id: 'b1', words, to },
          seenAs({ client, total: '9', due: '9' }),
          approval,
        )
        expect([text.length <= 110, headline.button.length <= 40], text).toEqual([true, true])
        expect(text).toMatch(/^Send “/)
      }
  })

  test('tells what follows, the most serious first, and leaves out what does not', () => {
    expect(follows(said({ bill_id: 'b1', to: ['a', 'b'], tip: '2' }, bill, approval).headline)).toEqual([
      'people: 2 people get an e-mail',
      'money: 1,250.50 EUR is charged',
      'public: Everybody sees it',
      'irreversible: It cannot be taken back',
    ])
    expect(follows(said({ bill_id: 'b1', to: ['a'] }, undefined, approval).headline)).toEqual([
      'people: 1 person gets an e-mail',
      'irreversible: It cannot be taken back',
    ])
    expect(said({ bill_id: 'b1' }, bill, approval).headline.button).toBe('Send 1,250.50 EUR')
  })

  test('of a connector that declares none says what is known, who is reached and how much it is', () => {
    const { headline, text, riddles } = said({ bill_id: 'b1', words: 'Soon', tip: '2', to: ['a', 'b', 'c'] }, bill)
    expect([text, headline.button, riddles]).toEqual([
      'Send a bill: “Ana”, “Soon” to “a”, “b” and “c”',
      'Send a bill',
      '',
    ])
    expect(follows(headline)).toEqual(['people: Reaches 3 recipients', 'money: Tip: 2.00 EUR'])
    expect(said({ bill_id: 'b1' })).toMatchObject({ text: 'Send a bill', riddles: 'b1' })
    expect(follows(said({}).headline)).toEqual(['other: Adds something to the account'])
  })

  test.each(['{', '{a', 'a}', '[a', '[[a]]', '{a|b}', '{a b}', '{}'])('%j is no template', (template) => {
    expect(() => parseTemplate(template)).toThrow('is no template')
  })
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
