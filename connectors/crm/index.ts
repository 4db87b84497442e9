import { graphql } from '../failures/graphql.ts'
import { awsWaf } from '../failures/walls.ts'
import { jsonToken } from '../kit/csrf.ts'
import { connector } from '../kit/define.ts'
import { firstOf } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import { fields } from '../kit/wire.ts'
import * as clients from './clients.ts'
import * as forms from './forms.ts'
import * as invoices from './invoices.ts'
import * as projects from './projects.ts'
import { things } from './things.ts'

export const crm = connector({
  name: 'CRM',
  description:
    'Leads and booked jobs of a creative studio, their clients, the forms that clients fill in or sign, and invoices.',
  topics:
    'studio crm photographer wedding couple shoot client lead inquiry project contract proposal questionnaire agreement brochure invoice deposit',
  role: 'team member; sees what their permission level allows',
  origin: '{sandbox}/crm/',
  signIn: jsonSignIn({
    page: 'enter',
    who: 'boot.json',
    account: ({ studio }) => ({ id: fields(studio)['number'], label: fields(studio)['tradeName'] }),
  }),
  csrf: jsonToken({ page: '/boot.json', field: 'xsrf', header: 'x-atelio-xsrf' }),
  things,
  failure: firstOf(awsWaf, graphql({ signIn: 'enter', captcha: 'check/human', mfa: 'check/code' })),
  endpoints: [projects, clients, forms, invoices],
})
