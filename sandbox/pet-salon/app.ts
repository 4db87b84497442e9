import type { SandboxApp } from '../platform/types.ts'
import { dataRoutes } from './data-routes.ts'
import { deskPages } from './desk-pages.ts'
import { brand, layout, look, paths } from './layout.ts'
import { kinds } from './salon.ts'
import { schema } from './schema.ts'
import { seed } from './seed.ts'
import { ticketPages } from './ticket-pages.ts'

const mailDomain = 'zottelo.example'
const mail = (name: string): string => `${name}@${mailDomain}`

/** Zottelo, the book of grooming salons; its hair edition serves people. */
export const petSalon: SandboxApp = {
  slug: 'pet-salon',
  dialect: 'errno',
  brand,
  tagline: 'the book of the grooming salon',
  kinds,
  people: [
    { user: 'demo', kind: 'pet_owner', label: 'Jamestown Tails', person: 'Désirée Yon', email: mail('demo') },
    { user: 'stranger', kind: 'pet_owner', label: 'Bark & Bathe', person: 'Amy Nguyễn', email: mail('stranger') },
    { user: 'poor', kind: 'pet_owner', label: 'Patinhas', person: 'João Simões', email: mail('poor') },
    { user: 'narrow', kind: 'pet_owner', label: 'כלבי זהב', person: 'דנה לוי', email: mail('narrow') },
    { user: 'revoked', kind: 'pet_desk', label: 'Waggy Tails', person: 'Aroha Kauri', email: mail('revoked') },
    { user: 'two_accounts', kind: 'hair_owner', label: 'Kesha Hair', person: 'Meera Rao', email: mail('two.hair') },
    { user: 'two_accounts', kind: 'pet_groomer', label: 'Fur & Fog', person: 'Meera Rao', email: mail('two.pets') },
  ],
  accountPrefix: 'ZOT-',
  mailDomain,
  rate: { actions: 120, seconds: 10 },
  cookie: 'zottelo',
  csrf: { field: look.field, header: 'X-Zottelo-Chk' },
  paths,
  schema,
  seed,
  routes: [...ticketPages, ...deskPages, ...dataRoutes],
  layout,
}
