import { connector } from '../kit/define.ts'
import { firstOf, header, jsonRefusal, jsonSays, pageRefusal, redirectTo } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import { isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { formChit } from './chit.ts'
import * as classes from './classes.ts'
import * as members from './members.ts'
import * as plans from './plans.ts'
import * as reports from './reports.ts'
import * as reservations from './reservations.ts'
import { resultOf } from './words.ts'

const fault = ({ Fault }: Fields): Fields => (isFields(Fault) ? Fault : {})

export const fitnessStudio = connector({
  name: 'Fitness studio',
  description: "A fitness studio's classes and their rosters, its members with their plans, and who missed a class.",
  role: 'staff account; admin for plan changes and the no-show report',
  origin: '{sandbox}/fitness-studio/',
  signIn: jsonSignIn({
    page: 'staff/enter',
    who: 'staff/svc/whoami',
    account: (answer) => ({ id: resultOf(answer)['StudioNo'], label: resultOf(answer)['Studio'] }),
  }),
  csrf: formChit,
  failure: firstOf(
    header('x-palisade', /^denied/, 'blocked'),
    redirectTo('staff/enter', 'auth_expired'),
    redirectTo('staff/check/human', 'captcha'),
    redirectTo('staff/check/code', 'mfa'),
    jsonSays((body) => fault(body)['Code'] === 'SIGN_IN_REQUIRED', 'auth_expired'),
    jsonSays((body) => fault(body)['Code'] === 'HUMAN_CHECK_REQUIRED', 'captcha'),
    jsonSays((body) => fault(body)['Code'] === 'SECOND_FACTOR_REQUIRED', 'mfa'),
    jsonRefusal((body) => ({ code: fault(body)['Code'], message: fault(body)['Text'] })),
    pageRefusal({ tag: 'p', class: 'problem', code: 'data-code' }),
  ),
  endpoints: [members, classes, reservations, plans, reports],
})
