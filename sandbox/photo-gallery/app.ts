import type { SandboxApp } from '../platform/types.ts'
import { apiRoutes } from './api-routes.ts'
import { billPages } from './bill-pages.ts'
import { deskPages } from './desk-pages.ts'
import { galleryPages } from './gallery-pages.ts'
import { layout } from './layout.ts'
import { publicPages } from './public-pages.ts'
import { schema } from './schema.ts'
import { seed } from './seed.ts'

const mailDomain = 'prooflight.example'

/** Prooflight, galleries, calendar and bills for photographers. */
export const photoGallery: SandboxApp = {
  slug: 'photo-gallery',
  dialect: 'jsonapi',
  brand: 'Prooflight',
  tagline: 'galleries, calendar and bills for photographers',
  kinds: ['studio', 'starter'],
  people: [
    {
      user: 'demo',
      kind: 'studio',
      label: 'Ljósmyndir Sóley',
      person: 'Sóley Þórsdóttir',
      email: `demo@${mailDomain}`,
    },
    {
      user: 'stranger',
      kind: 'studio',
      label: 'Fábrica de Luz',
      person: 'Tomás Neto',
      email: `stranger@${mailDomain}`,
    },
    { user: 'poor', kind: 'starter', label: 'Maja Król Foto', person: 'Maja Król', email: `poor@${mailDomain}` },
    { user: 'narrow', kind: 'studio', label: 'Studio 光', person: 'Hikari Ōno', email: `narrow@${mailDomain}` },
    { user: 'revoked', kind: 'starter', label: 'Ben Hale', person: 'Ben Hale', email: `revoked@${mailDomain}` },
    {
      user: 'two_accounts',
      kind: 'starter',
      label: 'ליאור כץ',
      person: 'Lior Katz',
      email: `two.starter@${mailDomain}`,
    },
    {
      user: 'two_accounts',
      kind: 'studio',
      label: 'Katz & Levi Photography',
      person: 'Lior Katz',
      email: `two.studio@${mailDomain}`,
    },
  ],
  accountPrefix: 'STU-',
  mailDomain,
  rate: { actions: 150, seconds: 10 },
  cookie: 'prooflight',
  csrf: { field: 'proof', header: 'X-Proof' },
  paths: {
    home: '/studio/galleries',
    signIn: '/sign-in',
    signOut: '/sign-out',
    captcha: '/gate/robot',
    code: '/gate/code',
  },
  schema,
  seed,
  routes: [...publicPages, ...galleryPages, ...billPages, ...deskPages, ...apiRoutes],
  layout,
}
