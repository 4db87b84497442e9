import type Router from '@koa/router'
import { Type } from 'typebox'
import { addOperator, isOperatorName, listOperators, revokeOperator } from '../../core/operators/credentials.ts'
import { CallgateError } from '../../schemas/errors.ts'
import type { Api } from '../../core/http/api.ts'
import { invalidInput } from '../../core/calls/invalid-input.ts'
import { allowMethods } from '../http/method.ts'
import { readQuery } from '../http/query.ts'
import { actorOf, postReader } from './request.ts'

/** Lists the operators with a token of their own; creates and revokes tokens. */
export function operatorsRoutes(router: Router, { ctx }: Api): void {
  const readNew = postReader({ name: Type.String({ maxLength: 60 }) })
  const readNothing = postReader({})

  router.all('/operators', async (http) => {
    if (http.method !== 'POST') {
      allowMethods(http, 'GET', 'HEAD', 'POST')
      readQuery(http.querystring, []).check()
      http.body = { operators: await listOperators(ctx) }
      return
    }
    const { name } = await readNew(http)
    if (!isOperatorName(name)) throw badName('has 1 to 60 letters without accents, digits, and the signs . _ @ -')
    const token = await addOperator(ctx, name, actorOf(http))
    if (token === undefined) throw badName('is taken: revoke that one first')
    http.body = { name, token }
  })

  router.all('/operators/:operator/revoke', async (http) => {
    const name = http.params['operator'] ?? ''
    await readNothing(http)
    if (!(await revokeOperator(ctx, name, actorOf(http))))
      throw new CallgateError('not_found', { message: 'There is no operator of this name.' })
    http.body = { name, revoked: true }
  })
}

function badName(message: string): CallgateError {
  return invalidInput([{ path: 'name', message }])
}
