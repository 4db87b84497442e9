import type { SandboxApp } from '../platform/types.ts'
import { apiRoutes } from './api-routes.ts'
import { deskPages } from './desk-pages.ts'
import { layout, paths } from './layout.ts'
import { marketPages } from './market-pages.ts'
import { schema } from './schema.ts'
import { seed } from './seed.ts'

const mailDomain = 'yieldwright.example'

const person = (
  user: string,
  kind: string,
  label: string,
  name: string,
  mail = user,
): SandboxApp['people'][number] => ({
  user,
  kind,
  label,
  person: name,
  email: `${mail}@${mailDomain}`,
})

/** Yieldwright, what homes would earn, for investors. */
export const realEstateAnalytics: SandboxApp = {
  slug: 'real-estate-analytics',
  dialect: 'spring',
  brand: 'Yieldwright',
  tagline: 'what homes would earn, for investors',
  kinds: ['pro', 'basic', 'guest'],
  people: [
    person('demo', 'pro', 'Peña Holdings', 'Inés Peña'),
    person('stranger', 'pro', 'Larkspur Capital', 'Gwendolyn Achebe'),
    person('poor', 'basic', 'Jörg Lindqvist', 'Jörg Lindqvist'),
    person('narrow', 'pro', 'בית ועוד', 'נועה ברק'),
    person('revoked', 'basic', 'Duffy & Sons', 'Síle Duffy'),
    person('two_accounts', 'basic', 'Amira Haddad', 'Amira Haddad', 'two.basic'),
    person('two_accounts', 'pro', 'حداد للاستثمار', 'Amira Haddad', 'two.pro'),
  ],
  accountPrefix: 'YW-',
  mailDomain,
  rate: { actions: 120, seconds: 10 },
  cookie: 'yw_desk',
  csrf: { field: 'deskkey', header: 'X-Desk-Key' },
  paths,
  schema,
  seed,
  routes: [...marketPages, ...deskPages, ...apiRoutes],
  layout,
}
