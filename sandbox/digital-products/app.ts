import type { SandboxApp, SeededPerson } from '../platform/types.ts'
import { deskPages } from './desk-pages.ts'
import { layout, paths } from './layout.ts'
import { myRoutes } from './my-routes.ts'
import { publicPages } from './public-pages.ts'
import { schema } from './schema.ts'
import { seed } from './seed.ts'

const mailDomain = 'kramora.example'

const seller = (user: string, label: string, person: string, name = user, kind = 'owner'): SeededPerson => ({
  user,
  kind,
  label,
  person,
  email: `${name}@${mailDomain}`,
})

/** Kramora, shops of people who sell what they make. */
export const digitalProducts: SandboxApp = {
  slug: 'digital-products',
  dialect: 'laravel',
  brand: 'Kramora',
  tagline: 'sell what you make',
  kinds: ['owner', 'helper'],
  people: [
    seller('demo', 'Atelier Lumière', 'Amélie Okonkwo'),
    seller('stranger', 'Sklep Żuraw', 'Paweł Dąbrowski'),
    seller('poor', 'Paper & Pixel', 'June O’Hara'),
    seller('narrow', 'חנות הקווים', 'יעל ברק'),
    seller('revoked', 'Ye Olde Fonts', 'Ravi Iyer', 'revoked', 'helper'),
    seller('two_accounts', 'Estúdio Maré', 'Inês Brandão', 'two.mare'),
    seller('two_accounts', '紙工房', 'Inês Brandão', 'two.paper'),
  ],
  accountPrefix: 'SHOP-',
  mailDomain,
  rate: { actions: 120, seconds: 10 },
  cookie: 'kramora',
  csrf: { field: 'stamp', header: 'X-Stamp' },
  paths,
  schema,
  seed,
  routes: [...publicPages, ...deskPages, ...myRoutes],
  layout,
}
