import { jsonToken } from '../kit/csrf.ts'
import { connector } from '../kit/define.ts'
import { firstOf, header, jsonRefusal, jsonSays, redirectTo } from '../kit/failures.ts'
import { operationError, operationRefusal } from '../kit/operations.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import { fields } from '../kit/wire.ts'
import * as clients from './clients.ts'
import * as forms from './forms.ts'
import * as invoices from './invoices.ts'
import * as projects from './projects.ts'

export const crm = connector({
  name: 'CRM',
  description:
    'Leads and booked jobs of a creative studio, their clients, the forms that clients fill in or sign, and invoices.',
  role: 'team member; sees what their permission level allows',
  origin: '{sandbox}/crm/',
  signIn: jsonSignIn({
    page: 'enter',
    who: 'boot.json',
    account: ({ studio }) => ({ id: fields(studio)['number'], label: fields(studio)['tradeName'] }),
  }),
  csrf: jsonToken({ page: '/boot.json', field: 'xsrf', header: 'x-atelio-xsrf' }),
  failure: firstOf(
    header('x-palisade', /^denied/, 'blocked'),
    redirectTo('enter', 'auth_expired'),
    redirectTo('check/human', 'captcha'),
    redirectTo('check/code', 'mfa'),
    jsonSays((body) => operationError(body).code === 'SIGN_IN_REQUIRED', 'auth_expired'),
    jsonSays((body) => operationError(body).code === 'HUMAN_CHECK_REQUIRED', 'captcha'),
    jsonSays((body) => operationError(body).code === 'SECOND_FACTOR_REQUIRED', 'mfa'),
    jsonRefusal(operationError),
    operationRefusal,
  ),
  endpoints: [projects, clients, forms, invoices],
})
