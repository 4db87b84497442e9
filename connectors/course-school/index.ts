import { laravel } from '../failures/laravel.ts'
import { cloudflare } from '../failures/walls.ts'
import { jsonToken } from '../kit/csrf.ts'
import { connector } from '../kit/define.ts'
import { firstOf } from '../kit/failures.ts'
import type { FailureRule } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import { fields } from '../kit/wire.ts'
import * as comments from './comments.ts'
import * as coupons from './coupons.ts'
import * as courses from './courses.ts'
import * as lessons from './lessons.ts'
import * as students from './students.ts'
import { things } from './things.ts'

/** A successful form redirects into the school; any other target means an unknown outcome. */
const elsewhere: FailureRule = ({ location }) =>
  location === null || location.startsWith('schools/mine/')
    ? undefined
    : { kind: 'changed', rule: 'a redirect that leads out of the school' }

export const courseSchool = connector({
  name: 'Course school',
  description: 'Online courses with their lessons, students, comments and coupons, and the emails of a school to them.',
  topics:
    'online course school academy teaching lessons lecture module curriculum students learners enrolment comments coupons',
  role: 'school owner',
  origin: '{sandbox}/course-school/',
  signIn: jsonSignIn({
    page: 'login',
    who: 'api/session',
    account: ({ person, school }) => ({ id: fields(person)['code'], label: fields(school)['called'] }),
  }),
  csrf: jsonToken({ page: '/api/session', field: 'csrf', header: 'x-kathedra-csrf' }),
  things,
  failure: firstOf(
    cloudflare,
    laravel({ signIn: 'login', captcha: 'checkpoint/robot', mfa: 'checkpoint/code' }),
    elsewhere,
  ),
  endpoints: [courses, lessons, students, comments, coupons],
})
