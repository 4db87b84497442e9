import type { SandboxApp } from '../platform/types.ts'
import { clientPages } from './client-pages.ts'
import { deskPages } from './desk-pages.ts'
import { deskSubmits } from './desk-submits.ts'
import { brand, layout, look, paths } from './layout.ts'
import { schema } from './schema.ts'
import { seed } from './seed.ts'
import { kinds } from './studio.ts'
import { svcRoutes } from './svc-routes.ts'

const mailDomain = 'kettlewick.example'
const mail = (name: string): string => `${name}@${mailDomain}`

/** Kettlewick, classes, passes and rosters for fitness studios. */
export const fitnessStudio: SandboxApp = {
  slug: 'fitness-studio',
  dialect: 'aspnet',
  brand,
  tagline: 'classes, passes and rosters for fitness studios',
  kinds,
  people: [
    { user: 'demo', kind: 'admin', label: 'Osu Strong', person: 'Akosua Mensah', email: mail('demo') },
    { user: 'stranger', kind: 'admin', label: 'Harbor Lift Club', person: 'Dana Reyes', email: mail('stranger') },
    { user: 'poor', kind: 'staff', label: '朝日ヨガ', person: '小林 葵', email: mail('poor') },
    { user: 'narrow', kind: 'admin', label: 'L’Atelier du Souffle', person: 'Inès Côté', email: mail('narrow') },
    { user: 'revoked', kind: 'staff', label: 'Prana House', person: 'Rohan Iyer', email: mail('revoked') },
    { user: 'two_accounts', kind: 'staff', label: 'نادي الواحة', person: 'ليلى الصباح', email: mail('two.staff') },
    { user: 'two_accounts', kind: 'admin', label: 'Saguaro Barre', person: 'ليلى الصباح', email: mail('two.admin') },
  ],
  accountPrefix: 'KWK-',
  mailDomain,
  rate: { actions: 120, seconds: 10 },
  cookie: 'kettlewick',
  csrf: { field: look.field, header: 'X-Kettlewick-Chit' },
  paths,
  schema,
  seed,
  routes: [...deskPages, ...clientPages, ...deskSubmits, ...svcRoutes],
  layout,
}
