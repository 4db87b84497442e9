import { aspnet } from '../failures/aspnet.ts'
import { imperva } from '../failures/walls.ts'
import { connector } from '../kit/define.ts'
import { firstOf } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import { formChit } from './chit.ts'
import * as classes from './classes.ts'
import * as members from './members.ts'
import * as plans from './plans.ts'
import * as reports from './reports.ts'
import * as reservations from './reservations.ts'
import { things } from './things.ts'
import { resultOf } from './shared.ts'

export const fitnessStudio = connector({
  name: 'Fitness studio',
  description: "A fitness studio's classes and their rosters, its members with their plans, and who missed a class.",
  topics:
    'gym fitness studio yoga pilates spin cycling barre workout class roster member membership plan instructor spot waitlist attendance no-show',
  role: 'staff account; admin for plan changes and the no-show report',
  origin: '{sandbox}/fitness-studio/',
  signIn: jsonSignIn({
    page: 'staff/enter',
    who: 'staff/svc/whoami',
    account: (answer) => ({ id: resultOf(answer)['StudioNo'], label: resultOf(answer)['Studio'] }),
  }),
  csrf: formChit,
  failure: firstOf(imperva, aspnet({ signIn: 'staff/enter', captcha: 'staff/check/human', mfa: 'staff/check/code' })),
  things,
  endpoints: [members, classes, reservations, plans, reports],
})
