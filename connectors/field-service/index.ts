import { aspnet } from '../failures/aspnet.ts'
import { imperva } from '../failures/walls.ts'
import { connector } from '../kit/define.ts'
import { firstOf } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import { fields } from '../kit/wire.ts'
import * as charges from './charges.ts'
import * as customers from './customers.ts'
import * as invoices from './invoices.ts'
import * as jobs from './jobs.ts'
import * as opportunities from './opportunities.ts'
import { things } from './things.ts'
import { headerToken } from './shared.ts'
import * as work from './work.ts'

export const fieldService = connector({
  name: 'Field service',
  description:
    "A trade firm's customers, jobs and opportunities with their charges, scheduled work and hours, and its invoices and payments.",
  topics:
    'trade firm contractor roofing boiler heating plumbing electrician hvac repair customer job opportunity estimate charge hours timesheet invoice payment',
  role: 'team member; admin role needed for invoices and payments',
  origin: '{sandbox}/field-service/',
  signIn: jsonSignIn({
    page: 'account/login',
    who: 'app/ajax/setup',
    account: ({ Data }) => ({ id: fields(Data)['Login'], label: fields(Data)['Firm'] }),
  }),
  csrf: headerToken,
  failure: firstOf(imperva, aspnet({ signIn: 'account/login', captcha: 'account/human', mfa: 'account/code' })),
  things,
  endpoints: [customers, jobs, opportunities, charges, work, invoices],
})
