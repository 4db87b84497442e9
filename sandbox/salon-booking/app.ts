import type { SandboxApp } from '../platform/types.ts'
import { apiRoutes } from './api-routes.ts'
import { diaryPages } from './diary-pages.ts'
import { guestPages } from './guest-pages.ts'
import { layout } from './layout.ts'
import { kinds } from './salon.ts'
import { schema } from './schema.ts'
import { seed } from './seed.ts'
import { shopPages } from './shop-pages.ts'

const mailDomain = 'lustra.example'

/** Lustra, a diary for salons with several chairs and branches. */
export const salonBooking: SandboxApp = {
  slug: 'salon-booking',
  dialect: 'rails',
  brand: 'Lustra',
  tagline: 'the diary of hair and beauty salons with several branches',
  kinds,
  people: [
    { user: 'demo', kind: 'owner', label: 'Espelho Meu', person: 'Inês Falcão', email: `demo@${mailDomain}` },
    { user: 'stranger', kind: 'owner', label: 'مرآة', person: 'ليلى بن عمار', email: `stranger@${mailDomain}` },
    { user: 'poor', kind: 'manager', label: '鏡', person: 'Zoë Müller', email: `poor@${mailDomain}` },
    { user: 'narrow', kind: 'owner', label: 'Le Miroir', person: 'Benoît Rey', email: `narrow@${mailDomain}` },
    { user: 'revoked', kind: 'cash_owner', label: 'Scáthán', person: 'Aoife Byrne', email: `revoked@${mailDomain}` },
    {
      user: 'two_accounts',
      kind: 'front_desk',
      label: 'Ayna Güzellik',
      person: 'Yusuf Demir',
      email: `two.desk@${mailDomain}`,
    },
    { user: 'two_accounts', kind: 'owner', label: 'Ayna', person: 'Yusuf Demir', email: `two.owner@${mailDomain}` },
  ],
  accountPrefix: 'SAL-',
  mailDomain,
  rate: { actions: 120, seconds: 10 },
  cookie: 'lustra_session',
  csrf: { field: '_csrf', header: 'X-Lustra-CSRF' },
  paths: {
    home: '/diary',
    signIn: '/sign-in',
    signOut: '/sign-out',
    captcha: '/checkpoint/human',
    code: '/checkpoint/code',
  },
  schema,
  seed,
  routes: [...shopPages, ...diaryPages, ...guestPages, ...apiRoutes],
  layout,
}
