import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { aspnet } from '../../connectors/failures/aspnet.ts'
import { django } from '../../connectors/failures/django.ts'
import { errno } from '../../connectors/failures/errno.ts'
import { graphql } from '../../connectors/failures/graphql.ts'
import { jsonapi } from '../../connectors/failures/jsonapi.ts'
import { laravel } from '../../connectors/failures/laravel.ts'
import { rails } from '../../connectors/failures/rails.ts'
import { rpc } from '../../connectors/failures/rpc.ts'
import { codeOf } from '../../connectors/failures/shared.ts'
import { spring } from '../../connectors/failures/spring.ts'
import { wordpress } from '../../connectors/failures/wordpress.ts'
import type { FailureRule } from '../../connectors/kit/failures.ts'
import { apps } from '../../sandbox/apps.ts'
import { verdict } from './verdict.ts'
import type { Said } from './verdict.ts'

/** Answers that look like a failure and are none that anybody knows: each beside the one that it looks like. */

const pages = { signIn: 'login', captcha: 'check/human', mfa: 'check/code' }
const problem = { 'content-type': 'application/problem+json; charset=utf-8' }
const vendor = { 'content-type': 'application/vnd.api+json; charset=utf-8' }
const uri = 'https://docs.mail.example/problems/sold-out'
const wp = (code: string, status: number) => ({ code, message: 'No.', data: { status } })
const info = (reason: string, code: number, status = 'NOT_FOUND') => ({
  error: { code, status, message: 'No.', details: [{ '@type': 'type.example/google.rpc.ErrorInfo', reason }] },
})
const extension = (code: string, more: object = {}) => ({ errors: [{ message: 'No.', extensions: { code, ...more } }] })
const insufficient = { 'www-authenticate': 'Bearer error="insufficient_user_authentication"' }
const needsFactor = { status: 403, message: 'Missing authority FACTOR_OTT' }
const mark = '<li data-rule="SoldOut">Sold out'

/** What it is taken for, and what looks like it. */
const dialects: readonly (readonly [
  string,
  FailureRule,
  back: string,
  readonly (readonly [string, Said, readonly Said[]])[],
])[] = [
  [
    'aspnet',
    aspnet(pages),
    'ReturnUrl',
    [
      [
        'auth_expired',
        { status: 401, headers: { location: '/shop/login' } },
        [
          { status: 401 },
          { status: 401, headers: { location: '/shop/login' }, body: 'x' },
          { status: 201, headers: { location: '/shop/login' } },
          { status: 401, headers: { location: '/shop/orders' } },
        ],
      ],
      [
        'mfa',
        { status: 403, headers: problem, body: { requiresTwoFactor: true } },
        [
          { status: 403, body: { requiresTwoFactor: true } },
          { headers: problem, body: { requiresTwoFactor: true } },
        ],
      ],
      [
        'rate_limited',
        { status: 503, headers: { 'retry-after': '2' }, body: '<h2>Too many requests</h2>' },
        [
          { body: '<h2>Too many requests</h2>' },
          { status: 503, body: '<h2>Too many requests</h2>' },
          { status: 503, headers: { 'retry-after': '2' }, body: '<h2>Down for maintenance</h2>' },
        ],
      ],
      [
        'TOKEN_INVALID',
        { status: 400, headers: { 'content-type': 'text/plain' } },
        [
          { status: 400 },
          { status: 400, headers: { 'content-type': 'text/plain' }, body: 'No.' },
          { headers: { 'content-type': 'text/plain' } },
        ],
      ],
      [
        'SOLD_OUT',
        { status: 409, headers: problem, body: { type: uri, title: 'No.', status: 409 } },
        [
          { status: 409, body: { type: uri, title: 'No.', status: 409 } },
          { headers: problem, body: { type: uri, status: 200 } },
          { status: 409, headers: problem, body: { type: uri, title: 'No.', status: 422 } },
        ],
      ],
    ],
  ],
  [
    'django',
    django(pages),
    'next',
    [
      [
        'auth_expired',
        { status: 403, body: { detail: 'Authentication credentials were not provided.' } },
        [
          { body: { detail: 'Authentication credentials were not provided.' } },
          { status: 403, body: { detail: 'You do not have permission to perform this action.' } },
        ],
      ],
      [
        'mfa',
        { status: 403, body: { detail: 'A verified one-time password is required.', otp_url: '/x' } },
        [{ status: 403, body: { detail: 'A verified one-time password is required.' } }],
      ],
      [
        'TOKEN_INVALID',
        { status: 403, body: { detail: 'CSRF Failed: CSRF token missing.' } },
        [{ body: { detail: 'CSRF Failed: CSRF token missing.' } }],
      ],
      [
        'SOLD_OUT',
        { status: 422, body: { seats: [{ message: 'No.', code: 'sold_out' }] } },
        [
          { status: 201, body: { seats: [{ message: 'No.', code: 'sold_out' }] } },
          { status: 422, body: { seats: [{ message: 'No.', code: 'Sold out' }] } },
        ],
      ],
      [
        'SOLD_OUT',
        { status: 409, body: '<main><ul class="errorlist" role="alert"><li class="sold_out">No.' },
        [
          { body: '<main><ul class="errorlist" role="alert"><li class="sold_out">No.' },
          { status: 409, body: '<main><div><ul class="errorlist" role="alert"><li class="sold_out">No.' },
        ],
      ],
    ],
  ],
  [
    'errno',
    errno(pages),
    'from',
    [
      [
        'auth_expired',
        { status: 401, body: { errno: 40101 } },
        [{ body: { errno: 40101 } }, { status: 403, body: { errno: 40101 } }],
      ],
      [
        'mfa',
        { status: 403, body: { errno: 40317 } },
        [{ body: { errno: 40317 } }, { status: 403, body: { errno: '40317' } }],
      ],
      [
        'TOKEN_INVALID',
        { status: 403, body: { errno: 40303, errmsg: 'No.' } },
        [{ body: { errno: 40303, errmsg: 'No.' } }],
      ],
      [
        'SOLD_OUT',
        { status: 409, body: { errno: 40900, errmsg: 'No.', data: { key: 'sold_out' } } },
        [
          { status: 409, body: { errno: 42200, errmsg: 'No.', data: { key: 'sold_out' } } },
          { body: { errno: 20000, data: { key: 'sold_out' } } },
          { status: 409, body: { errno: 40900, data: null } },
        ],
      ],
    ],
  ],
  [
    'graphql',
    graphql(pages),
    'continue',
    [
      [
        'auth_expired',
        { body: extension('UNAUTHENTICATED', { loginUrl: '/x' }) },
        [{ body: { data: { me: extension('UNAUTHENTICATED', { loginUrl: '/x' }) } } }],
      ],
      ['mfa', { body: extension('FORBIDDEN', { mfaUrl: '/x' }) }, [{ body: { data: { note: 'FORBIDDEN' } } }]],
      [
        'rate_limited',
        { headers: { 'retry-after': '2' }, body: extension('THROTTLED') },
        [{ headers: { 'retry-after': '2' }, body: { data: {} } }],
      ],
      [
        'TOKEN_INVALID',
        { status: 400, body: extension('BAD_REQUEST') },
        [{ status: 404, body: extension('BAD_REQUEST') }],
      ],
      ['SOLD_OUT', { body: extension('SOLD_OUT') }, [{ body: { data: { errors: extension('SOLD_OUT') } } }]],
    ],
  ],
  [
    'jsonapi',
    jsonapi(pages),
    'back',
    [
      [
        'auth_expired',
        { status: 401, headers: vendor, body: { errors: [{ status: '401', code: 'session_missing' }] } },
        [
          { status: 401, body: { errors: [{ status: '401', code: 'session_missing' }] } },
          { headers: vendor, body: { errors: [{ status: '401', code: 'session_missing' }] } },
        ],
      ],
      [
        'mfa',
        { status: 403, headers: vendor, body: { errors: [{ status: '403', code: 'session_unconfirmed' }] } },
        [{ headers: vendor, body: { data: { code: 'session_unconfirmed' } } }],
      ],
      [
        'SOLD_OUT',
        { status: 409, headers: vendor, body: { errors: [{ status: '409', code: 'sold_out', title: 'No.' }] } },
        [{ status: 422, headers: vendor, body: { errors: [{ status: '409', code: 'sold_out', title: 'No.' }] } }],
      ],
      [
        'SOLD_OUT',
        { status: 409, body: '<main><section class="errors" role="alert"><p id="error-sold_out">No.' },
        [{ body: '<main><section class="errors" role="alert"><p id="error-sold_out">No.' }],
      ],
    ],
  ],
  [
    'laravel',
    laravel(pages),
    'intended',
    [
      [
        'auth_expired',
        { status: 401, body: { message: 'Unauthenticated.' } },
        [{ body: { message: 'Unauthenticated.' } }, { status: 401, body: { message: 'Unauthenticated' } }],
      ],
      [
        'mfa',
        { status: 423, body: { two_factor: true } },
        [{ body: { two_factor: true } }, { status: 423, body: { message: 'This file is locked.' } }],
      ],
      [
        'TOKEN_INVALID',
        { status: 419, body: '<div class="code">419</div><div class="message">Page Expired</div>' },
        [
          { body: '<div class="code">419</div><div class="message">Page Expired</div>' },
          { status: 404, body: '<div class="code">404</div><div class="message">Page Expired</div>' },
        ],
      ],
      [
        'SOLD_OUT',
        { status: 422, body: { message: 'No.', errors: { a: ['No.'] }, failed: { a: { SoldOut: [] } } } },
        [
          { body: { message: 'Done.', failed: { a: { SoldOut: [] } } } },
          { status: 422, body: { message: 'No.', failed: { a: { sold_out: [] } } } },
          { status: 409, body: { message: 'No.', exception: 'PDOException' } },
        ],
      ],
      [
        'SOLD_OUT',
        { status: 409, body: `<main><div class="alert alert-danger" role="alert"><ul>${mark}` },
        [
          { body: `<main><div class="alert alert-danger" role="alert"><ul>${mark}` },
          { status: 409, body: `<main><div class="alert alert-success" role="alert"><ul>${mark}` },
        ],
      ],
    ],
  ],
  [
    'rails',
    rails(pages),
    'return_to',
    [
      [
        'auth_expired',
        { status: 401, body: { error: 'You need to sign in or sign up before continuing.' } },
        [
          { body: { error: 'You need to sign in or sign up before continuing.' } },
          { status: 401, body: { error: 'Invalid email or password.' } },
        ],
      ],
      [
        'mfa',
        { status: 401, body: { error: 'Enter a code.', otp_path: '/x' } },
        [{ body: { error: 'Enter a code.', otp_path: '/x' } }],
      ],
      [
        'TOKEN_INVALID',
        { status: 422, body: { exception: 'ActionController::InvalidAuthenticityToken' } },
        [
          { status: 422, body: { exception: 'ActiveRecord::RecordInvalid' } },
          { status: 422, body: '<main><div class="dialog"><h1>The change you wanted was rejected.</h1></div></main>' },
        ],
      ],
      [
        'SOLD_OUT',
        { status: 422, body: { errors: { a: ['No.'] }, details: { a: [{ error: 'sold_out' }] } } },
        [
          { body: { errors: {}, details: { a: [{ error: 'sold_out' }] } } },
          { status: 422, body: { errors: { b: ['No.'] }, details: { a: [{ error: 'sold_out' }] } } },
        ],
      ],
    ],
  ],
  [
    'rpc',
    rpc(pages),
    'continue',
    [
      [
        'auth_expired',
        { status: 401, body: info('CREDENTIALS_MISSING', 401, 'UNAUTHENTICATED') },
        [{ body: info('CREDENTIALS_MISSING', 401, 'UNAUTHENTICATED') }],
      ],
      [
        'mfa',
        { status: 403, body: info('STEP_UP_NEEDED', 403, 'PERMISSION_DENIED') },
        [{ body: info('STEP_UP_NEEDED', 403, 'PERMISSION_DENIED') }],
      ],
      [
        'TOKEN_INVALID',
        { status: 403, body: info('XSRF_TOKEN_INVALID', 403) },
        [{ body: info('XSRF_TOKEN_INVALID', 403) }],
      ],
      [
        'SOLD_OUT',
        { status: 409, body: info('SOLD_OUT', 409) },
        [
          { status: 409, body: info('SOLD_OUT', 422) },
          { body: info('SOLD_OUT', 200) },
          { status: 409, body: info('sold out', 409) },
          { status: 409, body: { error: { code: 409, message: 'No.', details: [{ reason: 'SOLD_OUT' }] } } },
        ],
      ],
    ],
  ],
  [
    'spring',
    spring(pages),
    'service',
    [
      [
        'mfa',
        { status: 403, headers: insufficient, body: needsFactor },
        [
          { status: 403, body: needsFactor },
          { headers: insufficient, body: needsFactor },
          { status: 403, headers: insufficient, body: { status: 403, message: 'Access Denied' } },
        ],
      ],
      [
        'TOKEN_INVALID',
        { status: 403, body: { status: 403, message: 'Invalid CSRF token found' } },
        [{ status: 403, body: { status: 403, message: 'Access Denied' } }],
      ],
      [
        'SOLD_OUT',
        { status: 409, body: { status: 409, message: 'No.', reason: 'sold.out' } },
        [
          { status: 409, body: { status: 422, message: 'No.', reason: 'sold.out' } },
          { body: { status: 200, reason: 'sold.out' } },
          { status: 409, body: { status: 409, message: 'No.' } },
        ],
      ],
      [
        'SOLD_OUT',
        {
          status: 422,
          body: { status: 422, errors: [{ field: 'a', codes: ['sold.out.a', 'sold.out'], defaultMessage: 'No.' }] },
        },
        [{ status: 422, body: { status: 422, errors: ['sold.out'] } }],
      ],
    ],
  ],
  [
    'wordpress',
    wordpress(pages),
    'redirect_to',
    [
      ['auth_expired', { status: 401, body: wp('rest_not_logged_in', 401) }, [{ body: wp('rest_not_logged_in', 401) }]],
      ['mfa', { status: 401, body: wp('two_factor_required', 401) }, [{ body: wp('two_factor_required', 200) }]],
      [
        'captcha',
        { status: 403, body: wp('jetpack_captcha_required', 403) },
        [{ body: wp('jetpack_captcha_required', 403) }],
      ],
      [
        'TOKEN_INVALID',
        { status: 403, body: '<div class="wp-die-message">The link you followed has expired.</div>' },
        [
          { status: 403, body: '<div class="wp-die-message">Sorry, you are not allowed to do that.</div>' },
          { body: '<div class="wp-die-message">The link you followed has expired.</div>' },
        ],
      ],
      [
        'SOLD_OUT',
        { status: 409, body: wp('sold_out', 409) },
        [
          { status: 409, body: wp('sold_out', 422) },
          { status: 409, body: wp('Sold Out', 409) },
        ],
      ],
    ],
  ],
]

describe.each(dialects)('%s', (_name, rule, back, rows) => {
  test.each(rows)('%s: %j', (kind, it, others) => {
    expect(verdict(rule, it)).toBe(kind)
    expect(others.map((one) => verdict(rule, one))).toEqual(others.map(() => undefined))
  })

  test('redirects count to the three pages alone, as the app leads there', () => {
    const led = (location: string, status = 302) => verdict(rule, { status, headers: { location } })
    expect(led('/shop/login')).toBe('auth_expired')
    expect(led(`/shop/login?${back}=%2Fshop%2Fa`, 303)).toBe('auth_expired')
    expect(led('/shop/check/human')).toBe('captcha')
    expect(led('/shop/check/code')).toBe('mfa')
    expect(led('/shop/login?done=1', 303)).toBe('changed')
    for (const other of [
      '/shop/logins',
      '/shop/login/7',
      '/shop/orders/7?done=login',
      '/login',
      'https://other.example/shop/login',
    ])
      expect(led(other, 303), other).toBeUndefined()
  })
})

test('what a GraphQL server answers with data as well is never taken for a refusal', () => {
  const data = { data: { save: { id: 1 } } }
  for (const code of ['UNAUTHENTICATED', 'FORBIDDEN', 'THROTTLED', 'SOLD_OUT']) {
    const body = { ...extension(code, { loginUrl: '/x', mfaUrl: '/x' }), ...data }
    expect(verdict(graphql(pages), { headers: { 'retry-after': '1' }, body })).toBe('changed')
  }
})

test('of several fields the first is told', () => {
  const none = { a: ['No.'], b: ['Nor this.'] }
  const rows: readonly [FailureRule, Said][] = [
    [aspnet(pages), { headers: problem, body: { type: uri, status: 422, errors: none } }],
    [django(pages), { body: { a: [{ message: 'No.', code: 'sold_out' }], b: [{ message: 'Nor.', code: 'other' }] } }],
    [laravel(pages), { body: { message: 'No.', errors: none, failed: { a: { SoldOut: [] }, b: { Other: [] } } } }],
    [rails(pages), { body: { errors: none, details: { b: [{ error: 'other' }], a: [{ error: 'sold_out' }] } } }],
  ]
  for (const [rule, said] of rows) expect(verdict(rule, { ...said, status: 422 })).toBe('SOLD_OUT')
})

test('every code that an app has is told again as it is', async () => {
  const write = {
    snake: (code: string) => code.toLowerCase(),
    kebab: (code: string) => code.toLowerCase().replaceAll('_', '-'),
    dotted: (code: string) => code.toLowerCase().replaceAll('_', '.'),
    screaming: (code: string) => code,
    studly: (code: string) =>
      code.toLowerCase().replaceAll(/(?:^|_)([a-z\d])/g, (_all, first: string) => first.toUpperCase()),
  } as const
  for (const { slug } of apps) {
    const text = await readFile(path.join(import.meta.dirname, '../../sandbox', slug, 'README.md'), 'utf8')
    const codes = new Set([...text.matchAll(/`([A-Z]+(?:_[A-Z\d]+)+)`/g)].map(([, code = '']) => code))
    expect(codes.size, slug).toBeGreaterThan(5)
    for (const code of codes)
      for (const [spelling, written] of Object.entries(write) as [keyof typeof write, (code: string) => string][])
        expect(codeOf(written(code), spelling), `${slug} ${spelling}`).toBe(code)
  }
  for (const other of ['', 'Sold Out', 'sold__out', 'soldOut', '-sold', 7, null])
    expect(
      (Object.keys(write) as (keyof typeof write)[]).map((one) => codeOf(other, one)).every((one) => one === undefined),
    ).toBe(true)
})
