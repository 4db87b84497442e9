import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { formToken } from '../../connectors/kit/csrf.ts'
import { endpoint } from '../../connectors/kit/define.ts'
import type { EndpointDefinition } from '../../connectors/kit/define.ts'
import { firstOf, jsonSays } from '../../connectors/kit/failures.ts'
import { refusedRedirect } from '../../connectors/kit/refusals.ts'
import { select } from '../../connectors/kit/select.ts'
import { signInForm } from '../../connectors/kit/sign-in.ts'
import { bound, talk } from './local-app.ts'
import { json, led, page, webApp } from './web-app.ts'
import type { Said } from './web-app.ts'

type Spec = Parameters<typeof endpoint>[0]
const read = (more: object = {}): EndpointDefinition =>
  endpoint({
    ...{ summary: 'Read.', label: 'Read', brief: [], access: 'read', request: 'GET /post', input: {}, output: {} },
    ...{ answer: 'page', decode: () => ({}), ...more },
  } as unknown as Spec)
const write = (more: object = {}): EndpointDefinition =>
  endpoint({
    ...{ summary: 'Post.', label: 'Post', brief: [], effect: 'adds', shownBy: [], access: 'write' },
    ...{ request: 'POST /post', input: {}, output: {}, decode: () => ({}), ...more },
  } as unknown as Spec)

async function cameTo(definition: EndpointDefinition, said: (method: string) => Said, failure = signInForm()) {
  await using app = await webApp(({ method }) => said(method))
  return await talk(app.origin, bound({ one: definition }, { failure: firstOf(failure) })('one'), {})
}

const fields = '<input name=user><input type=password name=pass>'
const wall = page(`<h1>Please sign in</h1><form action=/shop/login method=post>${fields}</form>`)
const expired = { kind: 'auth_expired' }
const ok = { kind: 'ok', output: {} }

describe('a sign-in form in place of a page, at 200', () => {
  test.each([
    ['the usual one', fields],
    ['with an e-mail address', '<input type=EMAIL name=a><input type="Password" name=b>'],
    ['whose fields stand outside of it', '<input form=f name=a><input form=f type=password>'],
    ['that outer tags cut', '<input name=a></div><input type=password>'],
    ['with others that are not shown', `${fields}<div hidden><input type=password></div>`],
  ])('%s, means that the session is over', async (_which, inside) => {
    const said = page(`<div><form id=f>${inside}</form></div>`)
    expect(await cameTo(read(), () => said)).toMatchObject({ outcome: expired })
    expect(await cameTo(read({ answer: 'json' }), () => said)).toMatchObject({ outcome: expired })
  })

  test.each([
    ['a page that only says so', '<p>Password: sign in.'],
    ['one to change a password', '<form><input name=user><input type=password><input type=password></form>'],
    ['one to choose a password', '<form><input name=user><input type=password autocomplete=new-password></form>'],
    ['one to confirm something', '<form><input type=hidden name=user><input type=password></form><input name=q>'],
    ['a closed dialog', `<dialog><form>${fields}</form></dialog>`],
    ['what a script may take', `<template><form>${fields}</form></template>`],
  ])('but not %s', async (_which, inside) => {
    expect(await cameTo(read(), () => page(inside))).toMatchObject({ outcome: ok })
  })

  test('the author may say what shows it, and what hides it', async () => {
    const rule = signInForm('#enter', { hiddenBy: '.d-none' })
    const outcomes = [
      '<form id=enter><input name=mail></form>',
      '<div class=d-none><form id=enter></form></div>',
      fields,
    ]
    const found = await Promise.all(outcomes.map((one) => cameTo(read(), () => page(one), rule)))
    expect(found.map(({ outcome }) => outcome)).toEqual([expired, ok, ok])
  })
})

describe('of a write', () => {
  const withToken = { csrf: formToken({ page: '/post', field: 't' }), encode: () => ({ form: { a: 'b' } }) }
  const form = page('<form action=/shop/post method=post><input type=hidden name=t value=1></form>')

  test('it ends the call before anything is sent, where a page before it is one', async () => {
    expect(await cameTo(write({ ...withToken }), () => wall)).toMatchObject({ outcome: expired, sent: false })
  })

  test.each([
    ['JSON', write()],
    ['a redirect', write({ answer: 'redirect' })],
    ['nothing', write({ answer: 'empty' })],
    [
      'a page that shows what was made',
      write({ answer: 'page', decode: (_: unknown, { page: it }: { page: string }) => void select(it, '.made') }),
    ],
  ])('it counts in place of %s', async (_what, definition) => {
    expect(await cameTo(definition, () => wall)).toMatchObject({ outcome: expired, sent: true })
  })

  test.each([
    ['any page was expected', write({ answer: 'page' }), () => wall],
    [
      'it stands beside what was made',
      write({
        ...{ answer: 'page', output: { id: Type.String() } },
        decode: (_: unknown, { page: it }: { page: string }) => ({ id: select(it, '.made').attribute('id') }),
      }),
      () => page(`<p class=made id=p1><form>${fields}</form>`),
    ],
    [
      'the app knew the session right before, as when a password is changed',
      write({ answer: 'redirect', ...withToken }),
      (method: string) => (method === 'GET' ? form : wall),
    ],
  ])('but nobody knows where %s', async (_what, definition, said) => {
    expect(await cameTo(definition, said)).toMatchObject({ outcome: { kind: 'changed' }, sent: true })
  })
})

test.each<[number, object]>([
  [200, { error: 'login_required' }],
  [201, { error: 'login_required' }],
  [401, { error: 'login_required' }],
  [500, { error: 'login_required' }],
])('JSON says at %i that the session is over', async (status, body) => {
  const rule = jsonSays(({ error }) => error === 'login_required', 'auth_expired')
  const needs = { answer: 'json', output: { id: Type.String() }, decode: ({ id }: { id?: unknown }) => ({ id }) }
  expect(await cameTo(read(needs), () => json(body, { status }), rule)).toMatchObject({ outcome: expired })
  const outcome = status < 500 ? expired : { kind: 'app_error', status }
  expect(await cameTo(write(needs), () => json(body, { status }), rule)).toMatchObject({ outcome, sent: true })
})

test.each<[Parameters<typeof refusedRedirect>[0], Parameters<typeof refusedRedirect>[3], string, boolean]>([
  ['q/7?error=closed', undefined, '/shop/q/7?x=1&error=closed#top', true],
  ['q/7?error=closed', undefined, '/shop/q/7?error=other', false],
  ['q/7?error=closed', undefined, '/shop/q/7', false],
  ['q/7?error=a%26b', undefined, '/shop/q/7?error=a%26b', true],
  ['q/7?error', undefined, '/shop/q/7?error', true],
  ['q/7?to=a?b', undefined, '/shop/q/7?to=a?b', true],
  ['q/7', undefined, '/shop/q/7?error=closed', true],
  ['q/7', { error: 'closed' }, '/shop/q/7?error=closed', true],
  ['q/7?a=1', { error: true }, '/shop/q/7?a=1&error=any', true],
  [/^q\/\d+$/, { error: 'closed' }, '/shop/q/7?error=closed', true],
  [/^q\/\d+$/g, { error: 'closed' }, '/shop/q/7?error=closed', true],
  [/^q\/\d+$/, { error: 'closed' }, '/shop/q/7?error=open', false],
  [/^q\/\d+$/, { error: true }, '/shop/q/7?error=', false],
  [/^q\/\d+$/, undefined, '/shop/q/seven', false],
])('a redirect that refuses: %s %j of %s', async (path, sign, location, isRefused) => {
  const rule = refusedRedirect(path, 'closed', 'It is closed.', sign)
  const refused = { kind: 'rejected', appCode: 'closed', appMessage: 'It is closed.' }
  for (let turn = 0; turn < 2; turn++)
    expect((await cameTo(write({ answer: 'redirect' }), () => led(location), rule)).outcome).toEqual(
      isRefused ? refused : ok,
    )
})
