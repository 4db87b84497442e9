import { createHash } from 'node:crypto'
import type Koa from 'koa'
import type { JSX } from 'preact'
import type { Context } from '../../core/context.ts'
import { exampleOf } from '../../connectors/examples.ts'
import { describeError, errorCodes } from '../../api/http/error-docs.ts'
import { AppDocsPage } from './app-docs-page.tsx'
import { DocsPage } from './page.tsx'
import { ErrorDocsPage, ErrorsPage } from './errors-page.tsx'
import { knownApp } from '../parts/known-app.ts'
import type { Viewer } from '../parts/layout.tsx'
import { PageError, replyPage } from '../reply.ts'
import { viewerOf } from '../session.ts'

export async function showApps(ctx: Context, koa: Koa.Context): Promise<void> {
  const { publicUrl } = ctx.config
  await reply(ctx, koa, (viewer) => DocsPage({ viewer, apps: ctx.apps.all, publicUrl }))
}

export async function showApp(ctx: Context, koa: Koa.Context, slug: string): Promise<void> {
  const app = knownApp(ctx, slug)
  const { publicUrl } = ctx.config
  const today = new Date()
  const example = (endpoint: string) => exampleOf(slug, endpoint, today)
  await reply(ctx, koa, (viewer) => AppDocsPage({ viewer, app, publicUrl, example }))
}

export async function showErrors(ctx: Context, koa: Koa.Context): Promise<void> {
  const errors = errorCodes.flatMap((code) => describeError(code, ctx.config.publicUrl) ?? [])
  await reply(ctx, koa, (viewer) => ErrorsPage({ viewer, errors }))
}

export async function showError(ctx: Context, koa: Koa.Context, code: string): Promise<void> {
  const error = describeError(code, ctx.config.publicUrl)
  if (error === undefined) throw new PageError(404, 'No such error', 'Callgate has no error code of this name.')
  await reply(ctx, koa, (viewer) => ErrorDocsPage({ viewer, error }))
}

type PageFor = (viewer: Viewer | undefined) => JSX.Element

/**
 * These pages are the same for everybody who is not signed in: caches keep them, and ask whether they still hold.
 * With somebody's menu they are kept by nobody, as all pages of a person, so that nothing brings them back after the sign-out.
 */
async function reply(ctx: Context, koa: Koa.Context, pageFor: PageFor): Promise<void> {
  const viewer = await viewerOf(ctx, koa)
  replyPage(koa, 200, pageFor(viewer))
  koa.vary('Cookie')
  if (viewer !== undefined) return
  koa.set('Cache-Control', 'no-cache')
  koa.etag = createHash('sha256').update(String(koa.body)).digest('base64url').slice(0, 27)
  if (koa.fresh) koa.status = 304
}
