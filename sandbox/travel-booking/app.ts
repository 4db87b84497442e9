import type { SandboxApp } from '../platform/types.ts'
import { apiRoutes } from './api-routes.ts'
import { bookingPages } from './booking-pages.ts'
import { layout, paths } from './look.ts'
import { publicPages } from './public-pages.ts'
import { schema } from './schema.ts'
import { seed } from './seed.ts'
import { tripPages } from './trip-pages.ts'

const mailDomain = 'ferrovela.example'

/** Ferrovela, trains, coaches, flights and ferries. */
export const travelBooking: SandboxApp = {
  slug: 'travel-booking',
  dialect: 'rails',
  brand: 'Ferrovela',
  tagline: 'trains, coaches, flights and ferries',
  kinds: ['traveller', 'cardless'],
  people: [
    { user: 'demo', kind: 'traveller', label: 'Núñez at home', person: 'Zoë Núñez', email: `demo@${mailDomain}` },
    {
      user: 'stranger',
      kind: 'traveller',
      label: 'The O’Connors',
      person: 'Siobhán O’Connor',
      email: `stranger@${mailDomain}`,
    },
    { user: 'poor', kind: 'traveller', label: 'Emma Lee', person: 'Emma Lee', email: `poor@${mailDomain}` },
    { user: 'narrow', kind: 'traveller', label: '山田家', person: '山田 花子', email: `narrow@${mailDomain}` },
    {
      user: 'revoked',
      kind: 'traveller',
      label: 'بيت العلوي',
      person: 'محمد العلوي',
      email: `revoked@${mailDomain}`,
    },
    {
      user: 'two_accounts',
      kind: 'traveller',
      label: 'Lior, private',
      person: 'Lior Katz',
      email: `two.private@${mailDomain}`,
    },
    {
      user: 'two_accounts',
      kind: 'cardless',
      label: 'כץ ובניו',
      person: 'Lior Katz',
      email: `two.work@${mailDomain}`,
    },
  ],
  accountPrefix: 'FRV-',
  mailDomain,
  rate: { actions: 120, seconds: 10 },
  cookie: 'ferrovela',
  csrf: { field: 'seal', header: 'X-Seal' },
  paths,
  schema,
  seed,
  routes: [...publicPages, ...tripPages, ...bookingPages, ...apiRoutes],
  layout,
}
