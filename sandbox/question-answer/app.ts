import type { SandboxApp, SeededPerson } from '../platform/types.ts'
import { apiRoutes } from './api-routes.ts'
import { askPages } from './ask-pages.ts'
import { brand, layout, paths } from './layout.ts'
import { memberPages } from './member-pages.ts'
import { roomPages } from './room-pages.ts'
import { schema } from './schema.ts'
import { seed } from './seed.ts'

const mailDomain = 'askorium.example'

const member = (user: string, kind: string, label: string, person: string, name = user): SeededPerson => ({
  user,
  kind,
  label,
  person,
  email: `${name}@${mailDomain}`,
})

/** Askorium, questions and replies in circles. */
export const questionAnswer: SandboxApp = {
  slug: 'question-answer',
  dialect: 'django',
  brand,
  tagline: 'questions, and people who know',
  kinds: ['keeper', 'reader'],
  people: [
    member('demo', 'keeper', 'Cercle des curieux', 'Élodie Marchand'),
    member('stranger', 'keeper', 'Kraków pyta', 'Stanisław Wójcik'),
    member('poor', 'reader', 'Readers’ corner', 'Ngozi Okafor'),
    member('narrow', 'keeper', 'דיונים', 'נועה פרץ'),
    member('revoked', 'reader', 'Spørsmål', 'Bjørn Ås'),
    member('two_accounts', 'keeper', 'Work circle', 'Inês Brandão', 'two.work'),
    member('two_accounts', 'reader', 'Home circle', 'Inês Brandão', 'two.home'),
  ],
  accountPrefix: 'MBR-',
  mailDomain,
  rate: { actions: 120, seconds: 10 },
  cookie: 'askorium',
  csrf: { field: 'seal', header: 'X-Seal' },
  paths,
  schema,
  seed,
  routes: [...askPages, ...memberPages, ...roomPages, ...apiRoutes],
  layout,
}
