import { Readable } from 'node:stream'
import { askErasure } from '../../core/personal-data/ask.ts'
import { exportName, exportOf } from '../../core/personal-data/export.ts'
import { countAttempt } from '../parts/attempt-limits.ts'
import { PageError } from '../page-error.ts'
import { replyPage } from '../reply.ts'
import { forgetSession } from '../session.ts'
import type { Posted } from '../visit.ts'
import { ErasedPage } from './account-data.tsx'

/** Exports per 15 minutes: each reads all data of the user. */
const mostFiles = 5

/** All data of the user, as a download. */
export async function downloadOwnData({ ctx, koa, person }: Posted): Promise<void> {
  const wait = await countAttempt(ctx.db, [{ name: `export:${person.owner}`, max: mostFiles }])
  if (wait > 0)
    throw new PageError(429, 'Not again just now', `You can download it again in ${Math.ceil(wait / 60)} min.`, {
      'Retry-After': String(wait),
    })
  koa.status = 200
  koa.type = 'application/jsonl; charset=utf-8'
  koa.attachment(exportName())
  koa.body = Readable.from(exportOf(ctx, person.owner, person.owner))
}

/** Deletes the user's account, after they typed its email address. */
export async function eraseOwnAccount({ ctx, koa, person, form }: Posted): Promise<void> {
  if (form.get('email')?.trim().toLowerCase() !== person.email.toLowerCase())
    throw new PageError(422, 'Nothing was deleted', 'The email address that you typed is not that of this account.')
  await askErasure(ctx, person.owner, person.owner)
  forgetSession(ctx, koa)
  replyPage(koa, 200, ErasedPage())
}
