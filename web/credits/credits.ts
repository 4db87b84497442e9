import { readStatement } from '../../core/credits/statement.ts'
import { changePlan, plans } from '../../core/credits/plans.ts'
import { PageError } from '../page-error.ts'
import { replyPage, seeOther } from '../reply.ts'
import type { Posted, Visit } from '../visit.ts'
import { CreditsPage } from './page.tsx'

const page = 50

export async function showCredits({ ctx, koa, person }: Visit): Promise<void> {
  const { searchParams } = koa.URL
  const month = /^2\d{3}-(0[1-9]|1[0-2])$/.exec(searchParams.get('month') ?? '')?.[0] ?? null
  const before = /^\d{1,18}$/.exec(searchParams.get('before') ?? '')?.[0] ?? null
  const toppedUp = searchParams.get('topped_up') ?? ''
  const wanted = { owner: person.owner, key: null, month, before, limit: page + 1, lastOfCalls: true }
  const statement = await readStatement(ctx.db, wanted)
  const entries = statement.entries.slice(0, page)
  replyPage(
    koa,
    200,
    CreditsPage({
      viewer: person,
      statement: { ...statement, entries },
      next: statement.entries.length > page ? entries.at(-1)?.id : undefined,
      apps: ctx.apps,
      toppedUp: /^\d{1,9}$/.test(toppedUp) ? Number(toppedUp) : null,
    }),
  )
}

export async function choosePlan({ ctx, koa, person, form }: Posted): Promise<void> {
  const plan = plans.find(({ name }) => name === form.get('plan'))
  if (plan === undefined) throw new PageError(422, 'Nothing was changed', 'Choose one of the plans.')
  seeOther(koa, `/credits?topped_up=${await changePlan(ctx, person.owner, plan.name)}`)
}
