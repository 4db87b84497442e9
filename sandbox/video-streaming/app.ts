import type { SandboxApp } from '../platform/types.ts'
import { apiRoutes } from './api-routes.ts'
import { clipPages } from './clip-pages.ts'
import { deskPages } from './desk-pages.ts'
import { layout, paths } from './layout.ts'
import { schema } from './schema.ts'
import { seed } from './seed.ts'

const mailDomain = 'velario.example'

const person = (user: string, label: string, name: string, mail = user): SandboxApp['people'][number] => ({
  user,
  kind: 'admin',
  label,
  person: name,
  email: `${mail}@${mailDomain}`,
})

/** Velario, films and live shows for paying members. */
export const videoStreaming: SandboxApp = {
  slug: 'video-streaming',
  dialect: 'django',
  brand: 'Velario',
  tagline: 'films and live shows for paying members',
  kinds: ['admin', 'editor'],
  people: [
    person('demo', 'Studio Brise-Lames', 'Maëlle Côté'),
    person('stranger', 'हिमाल Yoga', 'Sunita Gurung'),
    person('poor', 'Guitarra em Casa', 'João Conceição'),
    person('narrow', 'Slow Kitchen', 'Ruby O’Dea'),
    person('revoked', 'Dança & Cia', 'Inês Araújo'),
    person('two_accounts', 'סטודיו נשימה', 'Noa Şahin', 'two.breath'),
    person('two_accounts', 'Breathe In English', 'Noa Şahin', 'two.english'),
  ],
  accountPrefix: 'VEL-',
  mailDomain,
  rate: { actions: 120, seconds: 10 },
  cookie: 'velario',
  csrf: { field: 'ticket', header: 'X-Velario-Ticket' },
  paths,
  schema,
  seed,
  routes: [...deskPages, ...clipPages, ...apiRoutes],
  layout,
}
