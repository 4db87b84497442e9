import type Router from '@koa/router'
import { Type } from 'typebox'
import { closeChange, openChanges } from '../../core/watch/changes.ts'
import { outcomesOf } from '../../core/watch/outcomes.ts'
import { askForWatch, dropWatch, watchesOf } from '../../core/watch/watches.ts'
import { CallgateError } from '../../schemas/errors.ts'
import type { Api } from '../../core/http/api.ts'
import { findApp } from '../http/find.ts'
import { allowMethods } from '../http/method.ts'
import { readNoQuery } from '../http/query.ts'
import { actorOf, nameIn, postReader } from './request.ts'

/** Days of outcomes that are shown. */
const shownDays = 14

/** Outcomes per day, open changes and canaries of apps, for operators and connector authors. */
export function watchRoutes(router: Router, { ctx }: Api): void {
  const name = Type.String({ minLength: 1, maxLength: 64 })
  const readWanted = postReader({ endpoint: name, account: name, input: Type.Record(Type.String(), Type.Unknown()) })
  const readChange = postReader({ endpoint: name, kind: name, place: Type.String({ maxLength: 1_000 }) })
  const readNothing = postReader({})

  router.all('/apps/:app/watch', async (http) => {
    const { slug } = findApp(ctx.apps, nameIn(http, 'app'))
    if (http.method === 'POST') {
      http.body = await askForWatch(ctx, { app: slug, ...(await readWanted(http)) }, actorOf(http))
      return
    }
    allowMethods(http, 'GET', 'HEAD', 'POST')
    readNoQuery(http.querystring)
    const [outcomes, changes, watches] = await Promise.all([
      outcomesOf(ctx.db, slug, shownDays),
      openChanges(ctx.db, slug),
      watchesOf(ctx.db, slug),
    ])
    http.body = { app: slug, outcomes, changes, watches }
  })

  router.all('/apps/:app/changes/close', async (http) => {
    const { slug: app } = findApp(ctx.apps, nameIn(http, 'app'))
    const wanted = await readChange(http)
    if (!(await closeChange(ctx, { app, ...wanted }, actorOf(http))))
      throw new CallgateError('not_found', { message: `No such change of ${app} is open.` })
    http.body = { app, ...wanted, closed: true }
  })

  router.all('/watches/:id/end', async (http) => {
    const id = nameIn(http, 'id')
    await readNothing(http)
    if (!(await dropWatch(ctx, id, actorOf(http))))
      throw new CallgateError('not_found', { message: 'There is no such watch, or it is over.' })
    http.body = { id, ended: true }
  })
}
