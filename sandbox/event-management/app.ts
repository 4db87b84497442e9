import type { SandboxApp } from '../platform/types.ts'
import { apiRoutes } from './api-routes.ts'
import { deskPages } from './desk-pages.ts'
import { layout, paths } from './look.ts'
import { publicPages } from './public-pages.ts'
import { schema } from './schema.ts'
import { seed } from './seed.ts'

const mailDomain = 'assemblora.example'

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

/** Assemblora, conferences and fairs for their organizers. */
export const eventManagement: SandboxApp = {
  slug: 'event-management',
  dialect: 'spring',
  brand: 'Assemblora',
  tagline: 'conferences and fairs, from agenda to wrap-up',
  kinds: ['organizer', 'door'],
  people: [
    person('demo', 'organizer', 'Congressos Peña', 'Inês Peña'),
    person('stranger', 'organizer', 'Öberg Mässor', 'Åsa Öberg'),
    person('poor', 'organizer', 'Tiny Fairs', 'Paula Ruiz'),
    person('narrow', 'organizer', 'כנסים ועוד', 'נועה ברק'),
    person('revoked', 'organizer', 'Hale & Sons', 'Ben Hale'),
    person('two_accounts', 'organizer', 'مؤتمرات حداد', 'Amira Haddad', 'two.organizer'),
    person('two_accounts', 'door', 'Haddad at the door', 'Amira Haddad', 'two.door'),
  ],
  accountPrefix: 'ASM-',
  mailDomain,
  rate: { actions: 120, seconds: 10 },
  cookie: 'assemblora',
  csrf: { field: 'stamp', header: 'X-Stamp' },
  paths,
  schema,
  seed,
  routes: [...publicPages, ...deskPages, ...apiRoutes],
  layout,
}
