import type { SandboxApp } from '../platform/types.ts'
import { apiRoutes } from './api-routes.ts'
import { layout, paths } from './layout.ts'
import { pages } from './pages.ts'
import { schema } from './schema.ts'
import { seed } from './seed.ts'

const mailDomain = 'tressario.example'

const login = (user: string, label: string, name: string, mail = user, kind = 'business') => ({
  user,
  kind,
  label,
  person: name,
  email: `${mail}@${mailDomain}`,
})

/** Tressario, diary and chat for salons with several branches. */
export const salon: SandboxApp = {
  slug: 'salon',
  dialect: 'jsonapi',
  brand: 'Tressario',
  tagline: 'diary, waiting list and chat for salons',
  kinds: ['business', 'chair'],
  people: [
    login('demo', 'Casa Tesoura', 'Iracema Conceição'),
    login('stranger', 'Cut & Run', 'Gwendolyn Ångström'),
    login('poor', 'हिमाली केश', 'Sarita Lama'),
    login('narrow', 'Chez Maëlys', 'Maëlys Dubé'),
    login('revoked', 'صالون الياسمين', 'ياسمين العلي'),
    login('two_accounts', '髪工房', '森 美咲', 'two.first'),
    login('two_accounts', 'Fios & Filhas', '森 美咲', 'two.second'),
  ],
  accountPrefix: 'TRS-',
  mailDomain,
  rate: { actions: 120, seconds: 10 },
  cookie: 'tressario',
  csrf: { field: 'slip', header: 'X-Tressario-Slip' },
  paths,
  schema,
  seed,
  routes: [...pages, ...apiRoutes],
  layout,
}
