import type { SandboxApp, SeededPerson } from '../platform/types.ts'
import { ajaxRoutes } from './ajax-routes.ts'
import { billPages } from './bill-pages.ts'
import { clientPages } from './client-pages.ts'
import { layout, paths } from './layout.ts'
import { orderPages } from './order-pages.ts'
import { publicPages } from './public-pages.ts'
import { schema } from './schema.ts'
import { seed } from './seed.ts'

const mailDomain = 'dispato.example'

const named = (user: string, kind: string, label: string, person: string, name = user): SeededPerson => ({
  user,
  kind,
  label,
  person,
  email: `${name}@${mailDomain}`,
})

/** Dispato, jobs, estimates and bills for trades that go to their clients. */
export const fieldService: SandboxApp = {
  slug: 'field-service',
  dialect: 'aspnet',
  brand: 'Dispato',
  tagline: 'jobs, estimates and bills for trades on the road',
  kinds: ['admin', 'dispatcher'],
  people: [
    named('demo', 'admin', 'Grünwald Haustechnik', 'Jörg Grünwald'),
    named('stranger', 'admin', 'Águas & Cia', 'Lúcia Moraes'),
    named('poor', 'admin', 'Çelik Tesisat', 'Derya Çelik'),
    named('narrow', 'admin', 'Signal Hill Plumbing', 'Moira O’Dea'),
    named('revoked', 'dispatcher', 'Desai Cooling', 'Anand Desai'),
    named('two_accounts', 'admin', 'שרברבות כהן', 'Dana Cohen', 'two.admin'),
    named('two_accounts', 'dispatcher', 'Fontanería Sur', 'Dana Cohen', 'two.dispatcher'),
  ],
  accountPrefix: 'DSP-',
  mailDomain,
  rate: { actions: 120, seconds: 10 },
  cookie: 'dispato_sid',
  csrf: { field: 'AntiForgery', header: 'X-AntiForgery' },
  paths,
  schema,
  seed,
  routes: [...publicPages, ...clientPages, ...orderPages, ...billPages, ...ajaxRoutes],
  layout,
}
