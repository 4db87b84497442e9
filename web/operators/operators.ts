import { addOperator, isOperatorName, listOperators, revokeOperator } from '../../core/operators/credentials.ts'
import { PageError } from '../page-error.ts'
import { replyPage, seeOther } from '../reply.ts'
import { NewOperatorPage, OperatorsPage } from './operators-page.tsx'
import type { Posted, Visit } from './visit.ts'

export async function showOperators(visit: Visit): Promise<void> {
  await reply(visit, 200)
}

/** Creates a token and shows it once, or revokes one, possibly the operator's own. */
export async function changeOperators(posted: Posted): Promise<void> {
  const { ctx, koa, operator, form } = posted
  const name = (form.get('name') ?? '').trim()
  switch (form.get('action') ?? '') {
    case 'add': {
      if (!isOperatorName(name))
        return reply(posted, 422, { name, problem: 'A name has 1 to 60 letters, digits, dots, hyphens or @.' })
      const token = await addOperator(ctx, name, operator.actor)
      if (token === undefined)
        return reply(posted, 422, { name, problem: 'This name is taken. Revoke that one first.' })
      return replyPage(koa, 200, NewOperatorPage({ operator, temporalUiUrl: ctx.config.temporalUiUrl, name, token }))
    }
    case 'revoke':
      await revokeOperator(ctx, name, operator.actor)
      return seeOther(koa, '/operators')
    default:
      throw new PageError(422, 'Nothing was changed', 'The form said nothing that can be done here.')
  }
}

async function reply(
  { ctx, koa, operator }: Visit,
  status: number,
  typed?: { readonly name: string; readonly problem: string },
): Promise<void> {
  const { temporalUiUrl } = ctx.config
  replyPage(koa, status, OperatorsPage({ operator, temporalUiUrl, operators: await listOperators(ctx), typed }))
}
