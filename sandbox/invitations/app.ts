import type { SandboxApp } from '../platform/types.ts'
import { apiRoutes } from './api-routes.ts'
import { deskPages } from './desk-pages.ts'
import { guestPages } from './guest-pages.ts'
import { layout, paths } from './look.ts'
import { partyPages } from './party-pages.ts'
import { publicPages } from './public-pages.ts'
import { schema } from './schema.ts'
import { seed } from './seed.ts'

const mailDomain = 'soirelle.example'

/** Soirelle, invitations and guest lists. */
export const invitations: SandboxApp = {
  slug: 'invitations',
  dialect: 'wordpress',
  brand: 'Soirelle',
  tagline: 'invitations with a guest list',
  kinds: ['host', 'cohost'],
  people: [
    { user: 'demo', kind: 'host', label: 'Casa Conceição', person: 'Inês Conceição', email: `demo@${mailDomain}` },
    { user: 'stranger', kind: 'host', label: 'Festhaus Öberg', person: 'Åsa Öberg', email: `stranger@${mailDomain}` },
    { user: 'poor', kind: 'host', label: 'Ruiz & Ruiz', person: 'Paula Ruiz', email: `poor@${mailDomain}` },
    { user: 'narrow', kind: 'host', label: '山田家', person: '山田 花子', email: `narrow@${mailDomain}` },
    { user: 'revoked', kind: 'host', label: 'The Hales', person: 'Ben Hale', email: `revoked@${mailDomain}` },
    { user: 'two_accounts', kind: 'host', label: 'משפחת כץ', person: 'Lior Katz', email: `two.host@${mailDomain}` },
    {
      user: 'two_accounts',
      kind: 'cohost',
      label: 'Katz helps out',
      person: 'Lior Katz',
      email: `two.cohost@${mailDomain}`,
    },
  ],
  accountPrefix: 'SOI-',
  mailDomain,
  rate: { actions: 120, seconds: 10 },
  cookie: 'soirelle',
  csrf: { field: 'formKey', header: 'X-Form-Key' },
  paths,
  schema,
  seed,
  routes: [...publicPages, ...partyPages, ...guestPages, ...deskPages, ...apiRoutes],
  layout,
}
