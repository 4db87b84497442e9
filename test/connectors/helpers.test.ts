import { tokenIn } from '../../connectors/runtime/token-source.ts'
import { describe, expect, test, vi } from 'vitest'
import { asField, formToken, headerToken, jsonToken } from '../../connectors/kit/csrf.ts'
import type { Csrf } from '../../connectors/kit/csrf.ts'
import { daysFrom, fromCompact, fromDayFirst, fromEpoch, startOfDay, toDayFirst } from '../../connectors/kit/dates.ts'
import { shifted, unshifted } from '../../connectors/examples.ts'
import { firstOf, given, header, pageHas, pageRefusal } from '../../connectors/kit/failures.ts'
import { inputOfAction } from '../../connectors/kit/forms.ts'
import { elements, htmlText, metaContent } from '../../connectors/kit/html.ts'
import { refusedPage } from '../../connectors/kit/refusals.ts'
import { usualFailures } from '../../connectors/kit/usual-failures.ts'
import { UnknownShape, number, word } from '../../connectors/kit/wire.ts'
import { offsetAt } from '../../connectors/kit/zones.ts'

const request = { page: new URL('http://shop.example/f'), action: new URL('http://shop.example/send') }
const hiddenInput = (page: string, name: string): string => inputOfAction(page, name, request)

describe('pages of HTML', () => {
  const page = `<!doctype html><meta name="csrf" content="m&#38;1">
    <!-- <input type="hidden" name="t" value="old"> --><script>'<input type="hidden" name="t" value="js">'</script>
    <form><input name='t' type=HIDDEN value="a&quot;>b"><input type="hidden" name="t2" value=""><input name="t3" value="x"></form>`

  test('give up their hidden inputs and metas, not those in comments and scripts', () => {
    expect(hiddenInput(page, 't')).toBe('a">b')
    expect(metaContent(page, 'csrf')).toBe('m&1')
  })

  test.each(['t2', 't3', 'none'])('without a filled hidden input %s are of unknown shape', (name) => {
    expect(() => hiddenInput(page, name)).toThrow(UnknownShape)
  })

  test('with two different tokens of one name are of unknown shape', () => {
    const one = '<input type="hidden" name="t" value="1">'
    expect(hiddenInput(one + one, 't')).toBe('1')
    expect(() => hiddenInput(one + one.replace('1', '2'), 't')).toThrow(UnknownShape)
  })

  test('give texts without tags and entities', () => {
    expect(htmlText(' <b>T&eacute;a</b> &amp; &#x1F600;&nbsp;&lt;x&gt; ')).toBe('Téa & 😀\u00a0<x>')
    expect(elements('<p class="a">x <i>y</i></p><pre>z</pre>', 'p').map(({ text }) => text)).toEqual(['x y'])
  })

  test.each([
    '<b>',
    '<div>',
    '<meta ',
    '<meta>',
    '<!--',
    '<script>',
    '<',
    '&',
    '<p a="',
    '</x>',
    '<svg>',
    '<table><td><p>',
    '<form>',
  ])('of nothing but %s are read through, or are of unknown shape', (piece) => {
    const rubbish = piece.repeat(Math.ceil(2 ** 21 / piece.length))
    for (const find of [() => htmlText(rubbish), () => elements(rubbish, 'div'), () => hiddenInput(rubbish, 't')])
      try {
        find()
      } catch (error) {
        expect(error).toBeInstanceOf(UnknownShape)
      }
  })

  test('nested deeper than any page are of unknown shape', () => {
    const nested = (depth: number): string => '<div>'.repeat(depth) + 'x' + '</div>'.repeat(depth)
    // `html` and `body` are around them.
    expect(htmlText(nested(498))).toBe('x')
    expect(elements(nested(498), 'div').map(({ text }) => text)).toEqual(Array(498).fill('x'))
    expect(() => elements(nested(499), 'div')).toThrow(UnknownShape)
  })

  test('that refuse are recognised by an element and its attribute', () => {
    const rule = firstOf(pageRefusal({ tag: 'p', class: 'problem', code: 'data-code' }))
    const answer = { headers: { 'content-type': 'text/html' }, json: undefined, location: null, elsewhere: null }
    const text = '<p role="alert" data-code="SOLD" class="big problem">\n It is &quot;sold&quot;. </p>'
    expect(rule({ ...answer, status: 409, text })).toEqual({
      kind: 'rejected',
      appCode: 'SOLD',
      appMessage: 'It is "sold".',
    })
    expect(rule({ ...answer, status: 200, text })).toBeUndefined()
    expect(rule({ ...answer, status: 404, text: '<p>Nothing</p>' })).toBeUndefined()
    const found = firstOf(pageRefusal({ css: 'main > p.big', code: (element) => element.attributeOrNull('data-code') }))
    expect(found({ ...answer, status: 409, text: `<main>${text}</main>` })).toMatchObject({ appCode: 'SOLD' })
    expect(found({ ...answer, status: 409, text: `<main><div>${text}</div></main>` })).toBeUndefined()
    expect(found({ ...answer, status: 409, text: '<main><p class=big>No.</main>' })).toBeUndefined()
  })

  test('are told by what they say where their elements alone tell too little', () => {
    const answer = { headers: { 'content-type': 'text/html' }, json: undefined, location: null, elsewhere: null }
    const has = pageHas('h1', 'blocked', { says: /^Denied$/ })
    const refuses = refusedPage('h1', 'denied', { says: /^Denied$/ })
    const verdicts = ['<h1>Denied</h1>', '<h1>Denied?</h1>', '<p>Denied'].map((text) =>
      [has, refuses].map((rule) => rule({ ...answer, status: 403, text })?.kind),
    )
    expect(verdicts).toEqual([
      ['blocked', 'rejected'],
      [undefined, undefined],
      [undefined, undefined],
    ])
    expect(has({ ...answer, headers: {}, status: 403, text: '<h1>Denied</h1>' })).toBeUndefined()
  })

  test('are asked of given answers alone', () => {
    const rule = given(
      { status: [403, 503], headers: { server: /^wall$/, 'x-app': null } },
      header('retry-after', /./, 'rate_limited'),
    )
    const answer = { text: '', json: undefined, location: null, elsewhere: null }
    const headers = { server: 'wall', 'retry-after': '3' }
    expect(rule({ ...answer, status: 503, headers })).toEqual({ kind: 'rate_limited', retryAfterMs: 3000 })
    expect(rule({ ...answer, status: 500, headers })).toBeUndefined()
    expect(rule({ ...answer, status: 403, headers: { ...headers, server: 'wall 2' } })).toBeUndefined()
    expect(rule({ ...answer, status: 403, headers: { 'retry-after': '3' } })).toBeUndefined()
    expect(rule({ ...answer, status: 403, headers: { ...headers, 'x-app': '' } })).toBeUndefined()
  })

  test('usual failures have no signs but those that the app gives', () => {
    const said = { signIn: 'login', captcha: 'login/human', mfa: 'login/code' }
    const rule = usualFailures({ pages: said, refusal: ({ code, why }) => ({ code, message: why }) })
    const answer = { headers: {}, text: '', json: undefined, location: null, elsewhere: null }
    const led = (location: string) => rule({ ...answer, status: 302, location })?.kind
    expect([led('login'), led('login/human'), led('login/code')]).toEqual(['auth_expired', 'captcha', 'mfa'])
    expect(rule({ ...answer, status: 409, json: { code: 'SIGN_IN_REQUIRED', why: 'No.' } })).toEqual({
      kind: 'rejected',
      appCode: 'SIGN_IN_REQUIRED',
      appMessage: 'No.',
    })
    const text = '<p class="problem" data-code="SOLD">No.</p>'
    const page = { ...answer, status: 409, headers: { 'content-type': 'text/html', 'x-palisade': 'denied' }, text }
    expect(rule(page)).toBeUndefined()
  })
})

test('CSRF tokens are found where the app keeps them', () => {
  const found = (csrf: Csrf, page: string) => [tokenIn(page, csrf.from, request), csrf.fills]
  expect(found(formToken({ page: '/f', field: 't' }), '<input type="hidden" name="t" value="1">')).toEqual([
    '1',
    { field: 't' },
  ])
  expect(found(headerToken({ page: '/f', meta: 'm', header: 'x-t' }), '<meta name="m" content="2">')).toEqual([
    '2',
    { header: 'x-t' },
  ])
  const json = jsonToken({ page: '/f', field: 'token', header: 'x-t' })
  expect(found(json, '{"token":"3"}')).toEqual(['3', { header: 'x-t' }])
  expect(found(asField(json, 'hidden'), '{"token":"3"}')).toEqual(['3', { field: 'hidden' }])
})

test('dates go both ways', () => {
  expect(fromEpoch(0)).toBe('1970-01-01T00:00:00Z')
  expect(fromEpoch('1767225599.5')).toBe('2025-12-31T23:59:59.500Z')
  expect(startOfDay('2026-01-01')).toBe(1_767_225_600)
  expect(fromDayFirst('31/12/2025')).toBe('2025-12-31')
  expect(fromDayFirst('31/12/2025 18:30', '+02:00')).toBe('2025-12-31T18:30:00+02:00')
  expect(fromDayFirst('31/12/2025 18:30:05')).toBe('2025-12-31T18:30:05Z')
  expect(toDayFirst('2025-12-31')).toBe('31/12/2025')
  expect(daysFrom('2026-03-01', -1)).toBe('2026-02-28')
  const notDayFirst = ['2025-12-31', '12/31/2025', '29/02/2025', '31/12/2025 24:00', '31/12/2025 10:60']
  for (const date of notDayFirst) expect(() => fromDayFirst(date)).toThrow(UnknownShape)
  for (const day of ['20261301', '20250229']) expect(() => fromCompact(day)).toThrow(UnknownShape)
  expect(() => fromEpoch('soon')).toThrow(UnknownShape)
})

test('an offset in place of a zone is its own answer, which no clock is asked for', () => {
  const asked = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts')
  try {
    for (const offset of ['+14:59', '-03:30', '+00:00']) expect(offsetAt(0, offset)).toBe(offset)
    expect(asked).not.toHaveBeenCalled()
    expect(offsetAt(0, 'Asia/Kathmandu')).toBe('+05:30')
  } finally {
    asked.mockRestore()
  }
})

test('values of the wrong kind are an unknown shape', () => {
  expect(number('1250.50')).toBe(1250.5)
  for (const value of ['', ' ', 'x', null, undefined, Number.NaN, {}]) expect(() => number(value)).toThrow(UnknownShape)
  expect(word({ on: 'active' }, 'on')).toBe('active')
  for (const value of ['off', 'toString', 1]) expect(() => word({ on: 'active' }, value)).toThrow(UnknownShape)
})

test('dates of examples are kept as days from the reset and come back shifted', () => {
  const recorded = new Date('2026-02-27T15:00:00Z')
  const value = {
    day: '2026-03-01',
    list: [{ at: '2026-02-26T23:10:00+02:00' }],
    part: '2026-02-28 morning',
    text: 'on 2026-03-01',
    n: 1,
    none: null,
  }
  const stored = unshifted(value, recorded)
  expect(stored).toEqual({
    day: { $date: 2 },
    list: [{ at: { $datetime: -1, time: '23:10:00+02:00' } }],
    part: { $date: 1, rest: ' morning' },
    text: 'on 2026-03-01',
    n: 1,
    none: null,
  })
  expect(shifted(stored, recorded)).toEqual(value)
  expect(shifted({ $date: 2 }, new Date('2027-12-30T00:00:00Z'))).toBe('2028-01-01')
})
