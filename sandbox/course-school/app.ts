import type { SandboxApp, SeededPerson } from '../platform/types.ts'
import { apiRoutes } from './api-routes.ts'
import { commentPages } from './comment-pages.ts'
import { couponPages } from './coupon-pages.ts'
import { coursePages } from './course-pages.ts'
import { layout } from './layout.ts'
import { peoplePages } from './people-pages.ts'
import { publicPages } from './public-pages.ts'
import { schema } from './schema.ts'
import { seed } from './seed.ts'

const mailDomain = 'kathedra.example'

const named = (user: string, label: string, person: string, mail = user, kind = 'owner'): SeededPerson => ({
  user,
  kind,
  label,
  person,
  email: `${mail}@${mailDomain}`,
})

/** Kathedra, where people open schools of their own and sell courses. */
export const courseSchool: SandboxApp = {
  slug: 'course-school',
  dialect: 'laravel',
  brand: 'Kathedra',
  tagline: 'schools that people open themselves, with courses, students and coupons',
  /** An `open_owner`'s school shows comments without moderation at first; an `author` writes lessons in somebody's school. */
  kinds: ['owner', 'open_owner', 'author'],
  people: [
    named('demo', 'Escola da Luz', 'Inês Falcão'),
    named('stranger', 'Łódzka Szkoła Rzemiosła', 'Paweł Żak'),
    named('poor', 'Müller lernt', 'Zoë Müller'),
    named('narrow', 'École du Léman', 'Benoît Rey'),
    named('revoked', 'Byrne School of Bread', 'Aoife Byrne'),
    named('two_accounts', 'Demir Akademi', 'Yusuf Demir', 'two.quiet'),
    named('two_accounts', 'مدرسة الخط', 'Yusuf Demir', 'two.open', 'open_owner'),
  ],
  accountPrefix: 'KD-',
  mailDomain,
  rate: { actions: 240, seconds: 20 },
  cookie: 'kathedra_session',
  csrf: { field: '_csrf', header: 'X-Kathedra-Csrf' },
  paths: {
    home: '/schools/mine/courses',
    signIn: '/login',
    signOut: '/logout',
    captcha: '/checkpoint/robot',
    code: '/checkpoint/code',
  },
  schema,
  seed,
  routes: [...publicPages, ...coursePages, ...peoplePages, ...commentPages, ...couponPages, ...apiRoutes],
  layout,
}
