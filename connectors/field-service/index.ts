import { connector } from '../kit/define.ts'
import { firstOf, header, jsonRefusal, jsonSays, pageRefusal, redirectTo } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import { fields, isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import * as charges from './charges.ts'
import * as customers from './customers.ts'
import * as invoices from './invoices.ts'
import * as jobs from './jobs.ts'
import * as opportunities from './opportunities.ts'
import { headerToken } from './words.ts'
import * as work from './work.ts'

function fault(body: Fields): Fields {
  return isFields(body['Fault']) ? body['Fault'] : {}
}

export const fieldService = connector({
  name: 'Field service',
  description:
    "A trade firm's customers, jobs and opportunities with their charges, scheduled work and hours, and its invoices and payments.",
  role: 'team member; admin role needed for invoices and payments',
  origin: '{sandbox}/field-service/',
  signIn: jsonSignIn({
    page: 'account/login',
    who: 'app/ajax/setup',
    account: ({ Data }) => ({ id: fields(Data)['Login'], label: fields(Data)['Firm'] }),
  }),
  csrf: headerToken,
  failure: firstOf(
    header('x-palisade', /^denied/, 'blocked'),
    redirectTo('account/login', 'auth_expired'),
    redirectTo('account/human', 'captcha'),
    redirectTo('account/code', 'mfa'),
    jsonSays((body) => fault(body)['Code'] === 'SIGN_IN_REQUIRED', 'auth_expired'),
    jsonSays((body) => fault(body)['Code'] === 'HUMAN_CHECK_REQUIRED', 'captcha'),
    jsonSays((body) => fault(body)['Code'] === 'SECOND_FACTOR_REQUIRED', 'mfa'),
    jsonRefusal((body) => ({ code: fault(body)['Code'], message: fault(body)['Text'] })),
    pageRefusal({ tag: 'p', class: 'problem', code: 'data-code' }),
  ),
  endpoints: [customers, jobs, opportunities, charges, work, invoices],
})
