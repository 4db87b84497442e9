import type { SandboxApp } from '../platform/types.ts'
import { adPages } from './ad-pages.ts'
import { apiRoutes } from './api-routes.ts'
import { inboxPages } from './inbox-pages.ts'
import { layout } from './layout.ts'
import { publicPages } from './public-pages.ts'
import { schema } from './schema.ts'
import { seed } from './seed.ts'

const mailDomain = 'casavia.example'

/** Casavia, a portal where private people and agencies advertise homes. */
export const propertyAdvertising: SandboxApp = {
  slug: 'property-advertising',
  dialect: 'rpc',
  brand: 'Casavia',
  tagline: 'homes for sale and to let, advertised by private people and agencies',
  kinds: ['agency', 'private'],
  people: [
    { user: 'demo', kind: 'agency', label: 'Casas do Tejo', person: 'Inês Falcão', email: `demo@${mailDomain}` },
    {
      user: 'stranger',
      kind: 'agency',
      label: 'Łazienki Nieruchomości',
      person: 'Paweł Żak',
      email: `stranger@${mailDomain}`,
    },
    { user: 'poor', kind: 'private', label: 'Zoë Müller', person: 'Zoë Müller', email: `poor@${mailDomain}` },
    { user: 'narrow', kind: 'agency', label: 'Agence du Léman', person: 'Benoît Rey', email: `narrow@${mailDomain}` },
    { user: 'revoked', kind: 'private', label: 'Aoife Byrne', person: 'Aoife Byrne', email: `revoked@${mailDomain}` },
    {
      user: 'two_accounts',
      kind: 'private',
      label: 'Yusuf Demir',
      person: 'Yusuf Demir',
      email: `two.private@${mailDomain}`,
    },
    {
      user: 'two_accounts',
      kind: 'agency',
      label: 'Demir Emlak',
      person: 'Yusuf Demir',
      email: `two.agency@${mailDomain}`,
    },
  ],
  accountPrefix: 'ADV-',
  mailDomain,
  rate: { actions: 100, seconds: 10 },
  cookie: 'casavia_sid',
  csrf: { field: 'authenticity', header: 'X-Casavia-Token' },
  paths: {
    home: '/my/ads',
    signIn: '/sign-in',
    signOut: '/sign-out',
    captcha: '/security/human',
    code: '/security/code',
  },
  schema,
  seed,
  routes: [...publicPages, ...adPages, ...inboxPages, ...apiRoutes],
  layout,
}
