import { spring } from '../failures/spring.ts'
import { imperva } from '../failures/walls.ts'
import { connector } from '../kit/define.ts'
import { firstOf } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import { fields } from '../kit/wire.ts'
import * as estimates from './estimates.ts'
import * as invoices from './invoices.ts'
import * as jobs from './jobs.ts'
import * as people from './people.ts'
import * as schedule from './schedule.ts'
import { key } from './setup.ts'
import { things } from './things.ts'

export const fieldJobs = connector({
  name: 'Field jobs',
  description:
    "A field-service company's jobs and the schedule of its team, its leads and clients, estimates, invoices and payments.",
  topics:
    'field service trade home services roofing gutter cleaning plumbing heating repair crew technician van job visit estimate quote invoice lead price book',
  role: 'member of the company; role permissions apply',
  origin: '{sandbox}/field-jobs/',
  signIn: jsonSignIn({
    page: 'door/sign-in',
    who: 'api/setup',
    account: ({ company }) => ({ id: fields(company)['account'], label: fields(company)['label'] }),
  }),
  csrf: key,
  failure: firstOf(imperva, spring({ signIn: 'door/sign-in', captcha: 'door/human', mfa: 'door/code' })),
  things,
  endpoints: [jobs, schedule, people, estimates, invoices],
})
