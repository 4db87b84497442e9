import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { endpoint } from '../../connectors/kit/define.ts'
import { renderInApp } from '../../connectors/runtime/exchange.ts'
import type { Rendered } from '../../connectors/runtime/rendered.ts'
import { bound, cursorKey, talk } from './local-app.ts'
import { page, webApp } from './web-app.ts'

const text = (description: string) => Type.Optional(Type.String({ description }))

const book = bound({
  book: endpoint({
    summary: 'Book.',
    label: 'Book',
    brief: [],
    access: 'write',
    effect: 'changes',
    shownBy: [],
    request: 'POST /orders/7/edit',
    input: {
      title: text('What it is called.'),
      start: text('When it begins.'),
      remark: text('Anything else.'),
      to: Type.Optional(Type.Array(Type.String(), { description: 'Who comes.' })),
    },
    output: {},
    csrf: null,
    answer: 'redirect',
    form: {
      page: 'GET /orders/7/edit',
      selector: 'form',
      fields: ['room'],
      volatile: ['nonce'],
      scripted: ['region'],
      labels: { d: 'start', t: 'start' },
      set: ({ title, start, remark, to }) => ({
        title,
        ...(start !== undefined && { d: start.slice(0, 10), t: start.slice(11) }),
        note: remark,
        kind: remark?.startsWith('!') ? 'urgent' : undefined,
        guests: to,
        region: remark === 'north' ? 'N' : undefined,
      }),
    },
    decode: () => ({}),
  }),
})('book')

const whole: Readonly<Record<string, string>> = {
  nonce: '<input type=hidden name=nonce value=1>',
  title: '<input name=title value=old>',
  d: '<input type=date name=d value=2026-11-27 min=2026-11-01>',
  t: '<input type=time name=t value=10:00>',
  note: '<textarea name=note></textarea>',
  kind: '<select name=kind><option>usual<option>late</select>',
  guests: '<select name=guests multiple><option>ann<option>bob</select>',
  region: '<select name=region></select>',
  room: '<input name=room value=1>',
}
const formOf = (more: Readonly<Record<string, string>>) =>
  page(`<form method=post>${Object.values({ ...whole, ...more }).join('')}</form>`)

const told = (origin: string) => ({
  ...{ endpoint: book, origin, cursorKey, session: { cookies: [], user_agent: null } },
})
type Outcome = Awaited<ReturnType<typeof renderInApp>>['outcome']

const refused = (appMessage: unknown) => ({ kind: 'rejected', appCode: 'FORM_REFUSED', appMessage, isOwn: true })

type Input = Readonly<Record<string, unknown>>

/** What is changed of the form, what is given, and why it is refused; absent: what the form asks for. */
const cases: [string, Readonly<Record<string, string>>, Input, string | RegExp][] = [
  [
    'a field of an input’s name',
    {},
    { title: 'a\nb' },
    'Give "title" in one line, without line breaks: the app\'s form takes nothing else.',
  ],
  [
    'a length',
    { title: '<input name=title maxlength=5>' },
    { title: '123456' },
    'Give "title" with at most 5 characters: the app\'s form takes nothing else.',
  ],
  [
    'a field with the label of an input',
    {},
    { start: '2026-10-31T10:00' },
    'Give "start" as 2026-11-01 or later: the app\'s form takes nothing else.',
  ],
  [
    'another with the same label',
    {},
    { start: '2026-11-27T25:00' },
    'Give "start" as a time such as 10:30: the app\'s form takes nothing else.',
  ],
  [
    'a field of an input’s value',
    { note: '<input name=note pattern="[0-9]+" title="Digits only.">' },
    { remark: 'none', title: 'x' },
    'Give "remark" in the form that is asked for there (Digits only.): the app\'s form takes nothing else.',
  ],
  [
    'a value that the connector makes',
    {},
    { remark: '!now' },
    'Change the input so that the field "kind" of the app\'s form is given as one of "usual", "late".',
  ],
  ['a list', {}, { to: ['ann', 'eve'] }, 'Give "to" as one of "ann", "bob": the app\'s form takes nothing else.'],
  [
    'a list with one value twice',
    {},
    { to: ['ann', 'ann'] },
    'Give "to" each value once: the app\'s form takes nothing else.',
  ],
  [
    'a list of many',
    {
      guests: `<select name=guests multiple>${Array.from({ length: 12 }, (_, at) => `<option>g${at}`).join('')}</select>`,
    },
    { to: ['ann'] },
    /^Give "to" as one of "g0", .*, "g9", or another of those that are offered there: /,
  ],
  [
    'a list that is empty now',
    { guests: '<select name=guests multiple></select>' },
    { to: ['ann'] },
    'Leave out "to": nobody can change the field "guests" of the app\'s form now.',
  ],
  [
    'a field that is read only',
    { title: '<input name=title readonly value=old>' },
    { title: 'new' },
    'Leave out "title": nobody can change the field "title" of the app\'s form now.',
  ],
  [
    'a field that is disabled',
    { d: '<fieldset disabled><input type=date name=d></fieldset>' },
    { start: '2026-11-27T10:00' },
    'Leave out "start": nobody can change the field "d" of the app\'s form now.',
  ],
  [
    'two fields of one name',
    { title: '<input name=title><input name=title>' },
    { title: 'new' },
    'The app\'s form has 2 fields "title": give "title" as many values, or have the connector updated.',
  ],
  [
    'an empty value',
    { title: '<input name=title required>' },
    { title: '' },
    'Give "title": the app\'s form does not go without it.',
  ],
  [
    'a value that is left out',
    { title: '<input name=title required>' },
    {},
    'Give "title": the app\'s form does not go without it.',
  ],
  [
    'a known field that is empty',
    { room: '<input name=room required>' },
    {},
    'Fill in the field "room" of the app\'s form in the app first: it does not go without it.',
  ],
  [
    'what stands in a field that is kept',
    { extra: '<input type=email name=extra value=secret>' },
    {},
    'Correct the field "extra" of the app\'s form in the app first: it does not take what stands there.',
  ],
]

describe('what a person could not send', () => {
  test.each(cases)('is refused before anybody is asked: %s', async (_, more, input, message) => {
    await using app = await webApp(({ method }) => (method === 'GET' ? formOf(more) : page('')))
    const { outcome } = await renderInApp({ ...told(app.origin), input })
    expect(outcome).toEqual(
      refused(typeof message === 'string' ? message : (expect.stringMatching(message) as unknown)),
    )
    // Without an approval nothing is sent either.
    const alone = await talk(app.origin, book, { ...input })
    expect([alone.outcome, alone.sent]).toEqual([outcome, false])
    expect(app.lines.filter((line) => line.startsWith('POST'))).toEqual([])
  })

  const change = { title: 'A long title', start: '2026-11-28T11:30', remark: 'north', to: ['bob'] }

  async function rendered(app: { origin: string }, input: Input = change): Promise<Rendered> {
    const { outcome }: { outcome: Outcome } = await renderInApp({ ...told(app.origin), input })
    if (outcome.kind !== 'rendered') throw new Error(JSON.stringify(outcome))
    return outcome.request
  }

  test.each<[string, Readonly<Record<string, string>>, string]>([
    [
      'shorter',
      { title: '<input name=title value=old maxlength=5>' },
      'Give "title" with at most 5 characters: the app\'s form takes nothing else.',
    ],
    [
      'read only',
      { d: '<input type=date name=d value=2026-11-27 readonly>' },
      'Leave out "start": nobody can change the field "d" of the app\'s form now.',
    ],
    [
      'disabled',
      { d: '<input type=date name=d value=2026-11-27 disabled>' },
      'Leave out "start": nobody can change the field "d" of the app\'s form now.',
    ],
    [
      'gone from a list',
      { guests: '<select name=guests multiple><option>ann</select>' },
      'Give "to" as "ann": the app\'s form takes nothing else.',
    ],
    [
      'needed meanwhile',
      { extra: '<input name=room required value="">', room: '' },
      'Fill in the field "room" of the app\'s form in the app first: it does not go without it.',
    ],
  ])('is not sent after an approval: %s', async (_, more, message) => {
    let now = {}
    await using app = await webApp(({ method }) => (method === 'GET' ? formOf(now) : page('')))
    const request = await rendered(app)
    now = more
    const sent = await talk(app.origin, book, change, { request })
    expect([sent.outcome, sent.sent, sent.instead]).toEqual([refused(message), false, undefined])
    expect(app.lines.filter((line) => line.startsWith('POST'))).toEqual([])
  })

  test('is sent where a script of the page is known to fill it, and all else that fits', async () => {
    await using app = await webApp(({ method }) =>
      method === 'GET' ? formOf({}) : { status: 302, headers: { location: '/shop/' } },
    )
    const sent = await talk(app.origin, book, change, { request: await rendered(app) })
    expect(sent.outcome).toEqual({ kind: 'ok', output: {} })
    expect(app.asked.at(-1)?.body).toBe(
      'nonce=1&title=A+long+title&d=2026-11-28&t=11%3A30&note=north&kind=usual&guests=bob&region=N&room=1',
    )
  })

  test.each<[string, Readonly<Record<string, string>>, Input, string]>([
    ['a field that is gone', { title: '' }, { title: 'x' }, 'no field "title" in the form'],
    ['a known field that is gone', { room: '' }, {}, 'no field "room" in the form'],
    [
      'a field that is new',
      { extra: '<input name=extra required>' },
      {},
      'the field no. 10 of the form has to be filled in, and is new',
    ],
  ])('is another form than the connector knows: %s', async (_, more, input, rule) => {
    await using app = await webApp(() => formOf(more))
    const { outcome } = await renderInApp({ ...told(app.origin), input })
    expect(outcome).toEqual({ kind: 'changed', rule })
  })
})
