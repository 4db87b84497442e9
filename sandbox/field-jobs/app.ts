import type { SandboxApp } from '../platform/types.ts'
import { apiRoutes } from './api-routes.ts'
import { roles } from './company.ts'
import { jobPages } from './job-pages.ts'
import { csrf, layout, paths } from './layout.ts'
import { moneyPages } from './money-pages.ts'
import { peoplePages } from './people-pages.ts'
import { publicPages } from './public-pages.ts'
import { schema } from './schema.ts'
import { seed } from './seed.ts'

const mailDomain = 'torquen.example'

/** Torquen, dispatch and bills for people who come to your house. */
export const fieldJobs: SandboxApp = {
  slug: 'field-jobs',
  dialect: 'spring',
  brand: 'Torquen',
  tagline: 'jobs, crews and bills for field service',
  kinds: roles,
  people: [
    { user: 'demo', kind: 'owner', label: 'Volta Hausservice', person: 'Afua Müller', email: `demo@${mailDomain}` },
    { user: 'stranger', kind: 'owner', label: 'Hudson Plumbing', person: 'Zoë Nuñez', email: `stranger@${mailDomain}` },
    { user: 'poor', kind: 'dispatcher', label: '水道屋', person: 'Ren Ōta', email: `poor@${mailDomain}` },
    { user: 'narrow', kind: 'owner', label: 'Clim’Tunis', person: 'Inès Ben Saïd', email: `narrow@${mailDomain}` },
    {
      user: 'revoked',
      kind: 'technician',
      label: 'Everest Electric',
      person: 'Maya Gurung',
      email: `revoked@${mailDomain}`,
    },
    {
      user: 'two_accounts',
      kind: 'bookkeeper',
      label: 'מזגני הצפון',
      person: 'Noa Peled',
      email: `two.books@${mailDomain}`,
    },
    {
      user: 'two_accounts',
      kind: 'owner',
      label: 'Peled & Kahu',
      person: 'Noa Peled',
      email: `two.owner@${mailDomain}`,
    },
  ],
  accountPrefix: 'TQ-',
  mailDomain,
  rate: { actions: 120, seconds: 10 },
  cookie: 'torquen_sid',
  csrf,
  paths,
  schema,
  seed,
  routes: [...publicPages, ...jobPages, ...peoplePages, ...moneyPages, ...apiRoutes],
  layout,
}
