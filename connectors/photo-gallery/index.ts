import { jsonapi } from '../failures/jsonapi.ts'
import { awsWaf } from '../failures/walls.ts'
import { connector } from '../kit/define.ts'
import { firstOf } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import { fields } from '../kit/wire.ts'
import * as collections from './collections.ts'
import * as contacts from './contacts.ts'
import * as invoices from './invoices.ts'
import { headerProof } from './proof.ts'
import * as sessions from './sessions.ts'
import { things } from './things.ts'

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
  failure: firstOf(awsWaf, jsonapi({ signIn: 'sign-in', captcha: 'gate/robot', mfa: 'gate/code' })),
  things,
  endpoints: [collections, contacts, sessions, invoices],
})
