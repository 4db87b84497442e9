import { createHash } from 'node:crypto'
import type Koa from 'koa'
import type { JSX } from 'preact'
import type { Context } from '../../activities/context.ts'
import { exampleOf } from '../../connectors/examples.ts'
import { describeError, errorCodes } from '../error-docs.ts'
import { AppDocsPage } from './app-docs-page.tsx'
import { DocsPage } from './docs-page.tsx'
import { ErrorDocsPage, ErrorsPage } from './errors-page.tsx'
import { knownApp } from './known-app.ts'
import { PageError, replyPage } from './reply.ts'

export function showApps(ctx: Context, koa: Koa.Context): void {
  replyKept(koa, DocsPage({ apps: ctx.apps.all, publicUrl: ctx.config.publicUrl }))
}

export function showApp(ctx: Context, koa: Koa.Context, slug: string): void {
  const app = knownApp(ctx, slug)
  const today = new Date()
  const example = (endpoint: string) => exampleOf(slug, endpoint, today)
  replyKept(koa, AppDocsPage({ app, publicUrl: ctx.config.publicUrl, example }))
}

export function showErrors(ctx: Context, koa: Koa.Context): void {
  const errors = errorCodes.flatMap((code) => describeError(code, ctx.config.publicUrl) ?? [])
  replyKept(koa, ErrorsPage({ errors }))
}

export function showError(ctx: Context, koa: Koa.Context, code: string): void {
  const error = describeError(code, ctx.config.publicUrl)
  if (error === undefined) throw new PageError(404, 'No such error', 'Callgate has no error code of this name.')
  replyKept(koa, ErrorDocsPage({ error }))
}

/** These pages are the same for everybody: browsers keep them, and ask whether they still hold. */
function replyKept(koa: Koa.Context, page: JSX.Element): void {
  replyPage(koa, 200, page)
  koa.set('Cache-Control', 'no-cache')
  koa.etag = createHash('sha256').update(String(koa.body)).digest('base64url').slice(0, 27)
  if (koa.fresh) koa.status = 304
}
