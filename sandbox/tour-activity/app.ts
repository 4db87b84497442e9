import type { SandboxApp } from '../platform/types.ts'
import { bookingPages } from './booking-pages.ts'
import { deskPages } from './desk-pages.ts'
import { brand, layout, look, paths } from './layout.ts'
import { moneyPages } from './money-pages.ts'
import { panelRoutes } from './panel-routes.ts'
import { kinds } from './provider.ts'
import { schema } from './schema.ts'
import { seed } from './seed.ts'
import { shopPages } from './shop-pages.ts'

const mailDomain = 'caminera.example'
const mail = (name: string): string => `${name}@${mailDomain}`

/** Caminera, a shop of guided tours; providers work in its panel. */
export const tourActivity: SandboxApp = {
  slug: 'tour-activity',
  dialect: 'errno',
  brand,
  tagline: 'guided tours, sold for those who guide them',
  kinds,
  people: [
    { user: 'demo', kind: 'provider', label: 'Rutas Ñandú', person: 'Begoña Íñiguez', email: mail('demo') },
    { user: 'stranger', kind: 'provider', label: '旅の友', person: '佐藤 遥', email: mail('stranger') },
    { user: 'poor', kind: 'provider', label: 'Two Feet Tours', person: 'Rae O’Neill', email: mail('poor') },
    { user: 'narrow', kind: 'provider', label: 'دروب تونس', person: 'منى الطرابلسي', email: mail('narrow') },
    { user: 'revoked', kind: 'guide', label: 'Haerenga', person: 'Māia Tāwhiri', email: mail('revoked') },
    { user: 'two_accounts', kind: 'guide', label: 'Morro Acima', person: 'Caetano Sá', email: mail('two.guide') },
    { user: 'two_accounts', kind: 'provider', label: 'Sá & Filhos', person: 'Caetano Sá', email: mail('two.provider') },
  ],
  accountPrefix: 'PRV-',
  mailDomain,
  rate: { actions: 120, seconds: 10 },
  cookie: 'caminera',
  csrf: { field: look.field, header: 'X-Caminera-Seal' },
  paths,
  schema,
  seed,
  routes: [...shopPages, ...deskPages, ...bookingPages, ...moneyPages, ...panelRoutes],
  layout,
}
