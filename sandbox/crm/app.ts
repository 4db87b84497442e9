import type { SandboxApp, SeededPerson } from '../platform/types.ts'
import { billPages } from './bill-pages.ts'
import { engagementPages } from './engagement-pages.ts'
import { graphqlRoutes } from './graphql.ts'
import { layout } from './layout.ts'
import { levels } from './levels.ts'
import { paperPages } from './paper-pages.ts'
import { publicPages } from './public-pages.ts'
import { schema } from './schema.ts'
import { seed } from './seed.ts'

const mailDomain = 'atelio.example'

const who = (
  user: string,
  kind: (typeof levels)[number],
  label: string,
  person: string,
  name: string = user,
): SeededPerson => ({ user, kind, label, person, email: `${name}@${mailDomain}` })

/** Atelio, where small studios keep their inquiries, papers and bills. */
export const crm: SandboxApp = {
  slug: 'crm',
  dialect: 'graphql',
  brand: 'Atelio',
  tagline: 'inquiries, papers and bills of small studios',
  kinds: levels,
  people: [
    who('demo', 'owner', 'Estúdio Maré', 'Inês Falcão'),
    who('stranger', 'owner', 'Żubr & Dąb Photo', 'Paweł Żak'),
    who('poor', 'owner', 'Studio Zoë', 'Zoë Müller'),
    who('narrow', 'owner', 'סטודיו אור', 'Noa Bar-Lev'),
    who('revoked', 'producer', 'Byrne Films', 'Aoife Byrne'),
    who('two_accounts', 'owner', 'Demir Düğün', 'Yusuf Demir', 'two.owner'),
    who('two_accounts', 'assistant', 'Atelier du Léman', 'Yusuf Demir', 'two.assistant'),
  ],
  accountPrefix: 'studio-',
  mailDomain,
  rate: { actions: 120, seconds: 10 },
  cookie: 'atelio_session',
  csrf: { field: 'xsrf', header: 'X-Atelio-Xsrf' },
  paths: { home: '/engagements', signIn: '/enter', signOut: '/leave', captcha: '/check/human', code: '/check/code' },
  schema,
  seed,
  routes: [...publicPages, ...graphqlRoutes, ...engagementPages, ...billPages, ...paperPages],
  layout,
}
