import type { SandboxApp } from '../platform/types.ts'
import { dataRoutes } from './data-routes.ts'
import { kinds } from './host.ts'
import { landPages } from './land-pages.ts'
import { brand, layout, look, paths } from './look.ts'
import { schema } from './schema.ts'
import { seed } from './seed.ts'
import { stayPages } from './stay-pages.ts'
import { talkPages } from './talk-pages.ts'

const mailDomain = 'pitchfern.example'
const mail = (name: string): string => `${name}@${mailDomain}`

/** Pitchfern, where campers find a place for their tent; hosts work in its back office. */
export const campingHost: SandboxApp = {
  slug: 'camping-host',
  dialect: 'wordpress',
  brand,
  tagline: 'a pitch for every tent',
  kinds,
  people: [
    { user: 'demo', kind: 'host', label: 'Tjöld & Tún', person: 'Ásdís Þórðardóttir', email: mail('demo') },
    { user: 'stranger', kind: 'host', label: '森のキャンプ', person: '高橋 蓮', email: mail('stranger') },
    { user: 'poor', kind: 'host', label: 'High Prairie Camps', person: 'Dee Begay', email: mail('poor') },
    { user: 'narrow', kind: 'host', label: 'مخيمات الجريد', person: 'سليم الزواري', email: mail('narrow') },
    { user: 'revoked', kind: 'host', label: 'Puni Paddocks', person: 'Aroha Ngata', email: mail('revoked') },
    { user: 'two_accounts', kind: 'host', label: 'Gros Morne Tents', person: 'Noémie Roy', email: mail('two.tents') },
    { user: 'two_accounts', kind: 'host', label: 'Roy’s Yurts', person: 'Noémie Roy', email: mail('two.yurts') },
  ],
  accountPrefix: 'HOST-',
  mailDomain,
  rate: { actions: 120, seconds: 10 },
  cookie: 'pitchfern',
  csrf: { field: look.field, header: 'X-Fern' },
  paths,
  schema,
  seed,
  routes: [...stayPages, ...landPages, ...talkPages, ...dataRoutes],
  layout,
}
