import type { SandboxApp } from '../platform/types.ts'
import { catalogueRoutes } from './activity-pages.ts'
import { guestPages } from './guest-pages.ts'
import { layout, paths } from './layout.ts'
import { orderPages } from './order-pages.ts'
import { restRoutes } from './rest-routes.ts'
import { schema } from './schema.ts'
import { seed } from './seed.ts'
import { talkRoutes } from './talk-pages.ts'

const mailDomain = 'farelune.example'

const somebody = (user: string, kind: string, label: string, person: string, box = user) => ({
  ...{ user, kind, label, person },
  email: `${box}@${mailDomain}`,
})

/** Farelune, the extranet of a marketplace for tours. */
export const tourSupplier: SandboxApp = {
  slug: 'tour-supplier',
  dialect: 'rpc',
  brand: 'Farelune Extranet',
  tagline: 'orders, seats and prices for those who run tours',
  kinds: ['manager', 'dispatcher', 'guide'],
  people: [
    somebody('demo', 'manager', 'Norðurljós Ferðir', 'Hrafnhildur Jónsdóttir'),
    somebody('stranger', 'manager', 'Trilhas da Serra', 'João Conceição'),
    somebody('poor', 'manager', '下町ウォーク', '佐藤 健'),
    somebody('narrow', 'manager', 'مسارات قرطاج', 'ليلى بن صالح'),
    somebody('revoked', 'manager', 'שבילי ירושלים', 'דנה כהן'),
    somebody('two_accounts', 'manager', 'Kākāpō Tours', 'Aroha Tāmati', 'two.manager'),
    somebody('two_accounts', 'dispatcher', 'Krok po kroku', 'Aroha Tāmati', 'two.dispatcher'),
  ],
  accountPrefix: 'SUP-',
  mailDomain,
  rate: { actions: 120, seconds: 10 },
  cookie: 'farelune_sid',
  csrf: { field: 'xt', header: 'X-Farelune-Xt' },
  paths,
  schema,
  seed,
  routes: [...guestPages, ...orderPages, ...catalogueRoutes, ...talkRoutes, ...restRoutes],
  layout,
}
