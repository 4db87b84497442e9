import type { SandboxApp, SeededPerson } from '../platform/types.ts'
import { dashRoutes } from './dash-routes.ts'
import { deskPages } from './desk-pages.ts'
import { goodPages } from './good-pages.ts'
import { brand, layout, paths } from './layout.ts'
import { publicPages } from './public-pages.ts'
import { schema } from './schema.ts'
import { seed } from './seed.ts'

const mailDomain = 'chalkara.example'

const seller = (user: string, label: string, person: string, name = user, kind = 'seller'): SeededPerson => ({
  user,
  kind,
  label,
  person,
  email: `${name}@${mailDomain}`,
})

/** Chalkara, where teachers sell to teachers. */
export const teacherMarketplace: SandboxApp = {
  slug: 'teacher-marketplace',
  dialect: 'rails',
  brand,
  tagline: 'from teachers, for teachers',
  kinds: ['seller', 'starter', 'buyer'],
  people: [
    seller('demo', 'Señora Ruiz’s Desert Classroom', 'Marisol Ruiz'),
    seller('stranger', 'Rock & Chalk', 'Declan O’Driscoll'),
    seller('poor', 'Penny Pencils', 'Zoë Hart'),
    seller('narrow', 'अक्षर Worksheets', 'Meera Iyer'),
    seller('revoked', 'הכיתה של רותי', 'רותי מזרחי'),
    seller('two_accounts', 'Koala Maths', 'Ana Đukić', 'two.maths'),
    seller('two_accounts', 'Koala Reading', 'Ana Đukić', 'two.reading', 'starter'),
  ],
  accountPrefix: 'SHOP-',
  mailDomain,
  rate: { actions: 120, seconds: 10 },
  cookie: 'chalkara',
  csrf: { field: 'hall_pass', header: 'X-Hall-Pass' },
  paths,
  schema,
  seed,
  routes: [...publicPages, ...goodPages, ...deskPages, ...dashRoutes],
  layout,
}
