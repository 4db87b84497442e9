import type { SandboxApp, SeededPerson } from '../platform/types.ts'
import { apiRoutes } from './api-routes.ts'
import { deskPages } from './desk-pages.ts'
import { entryPages } from './entry-pages.ts'
import { journeyPages } from './journey-pages.ts'
import { brand, layout, paths } from './layout.ts'
import { publicPages } from './public-pages.ts'
import { schema } from './schema.ts'
import { seed } from './seed.ts'

const mailDomain = 'errabund.example'

const someone = (user: string, label: string, person: string, name = user, kind = 'traveller'): SeededPerson => ({
  user,
  kind,
  label,
  person,
  email: `${name}@${mailDomain}`,
})

/** Errabund, a diary of journeys. */
export const travelLog: SandboxApp = {
  slug: 'travel-log',
  dialect: 'django',
  brand,
  tagline: 'a diary of journeys, for oneself or for all',
  kinds: ['traveller', 'unconfirmed'],
  people: [
    someone('demo', 'Sólrún on the road', 'Sólrún Jónsdóttir'),
    someone('stranger', 'Pé na estrada', 'Tomás Neto'),
    someone('poor', 'Maja jedzie', 'Maja Król'),
    someone('narrow', '陽の旅', 'Hikari Ōno'),
    someone('revoked', 'Ben elsewhere', 'Ben Hale'),
    someone('two_accounts', 'ליאור בדרכים', 'Lior Katz', 'two.private'),
    someone('two_accounts', 'Katz & Levi, sailing', 'Lior Katz', 'two.boat'),
  ],
  accountPrefix: 'ERR-',
  mailDomain,
  rate: { actions: 120, seconds: 10 },
  cookie: 'errabund',
  csrf: { field: 'wend', header: 'X-Wend' },
  paths,
  schema,
  seed,
  routes: [...publicPages, ...journeyPages, ...entryPages, ...deskPages, ...apiRoutes],
  layout,
}
