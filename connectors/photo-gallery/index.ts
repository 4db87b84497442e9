import { connector } from '../kit/define.ts'
import { usualFailures } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import { fields, isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import * as collections from './collections.ts'
import * as contacts from './contacts.ts'
import * as invoices from './invoices.ts'
import { headerProof } from './proof.ts'
import * as sessions from './sessions.ts'
import { things } from './things.ts'

/** The app tells one error at a time. */
function problem(body: Fields): Fields {
  const first: unknown = Array.isArray(body['errors']) ? body['errors'][0] : undefined
  return isFields(first) ? first : {}
}

export const photoGallery = connector({
  name: 'Photo gallery',
  description:
    "A photo studio's client galleries with favorites and downloads, and its contacts, calendar of sessions and invoices.",
  topics:
    'photo studio photographer gallery album pictures images photos wedding portrait session shoot favorites download client invoice',
  role: 'studio owner',
  origin: '{sandbox}/photo-gallery/',
  signIn: jsonSignIn({
    page: 'sign-in',
    who: 'api/me',
    account: ({ data }) => ({ id: fields(data)['id'], label: fields(fields(data)['attributes'])['label'] }),
  }),
  csrf: headerProof,
  failure: usualFailures({
    pages: { signIn: 'sign-in', captcha: 'gate/robot', mfa: 'gate/code' },
    refusal: (body) => ({ code: problem(body)['code'], message: problem(body)['detail'] }),
    page: { tag: 'p', class: 'refused', code: 'data-code' },
  }),
  things,
  endpoints: [collections, contacts, sessions, invoices],
})
