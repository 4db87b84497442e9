import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { JSX } from 'preact'
import { exampleOf } from '../../connectors/examples.ts'
import { describeError, errorCodes } from '../../api/http/error-docs.ts'
import type { Api, Http } from '../../api/http/api.ts'
import { limitDiscovery } from '../../api/http/rate-limit.ts'
import { isConnectionError } from '../../core/database/failures.ts'
import { AppDocsPage } from './app-docs-page.tsx'
import { DocsPage } from './page.tsx'
import { ErrorDocsPage, ErrorsPage } from './errors-page.tsx'
import { knownApp } from '../parts/known-app.ts'
import type { Viewer } from '../parts/layout.tsx'
import { PageError } from '../page-error.ts'
import { replyPage } from '../reply.ts'
import { viewerOf } from '../session.ts'
import type { AnyVisit } from '../visit.ts'

export async function showApps(visit: AnyVisit): Promise<void> {
  const { apps, config } = visit.ctx
  await reply(visit, (viewer) => DocsPage({ viewer, apps: apps.all, publicUrl: config.publicUrl }))
}

export async function showApp(visit: AnyVisit<'app'>): Promise<void> {
  const app = knownApp(visit.ctx, visit.params.app)
  const { publicUrl } = visit.ctx.config
  const today = new Date()
  const example = (endpoint: string) => exampleOf(app.slug, endpoint, today)
  await reply(visit, (viewer) => AppDocsPage({ viewer, app, publicUrl, example }))
}

export async function showErrors(visit: AnyVisit): Promise<void> {
  const errors = errorCodes.flatMap((code) => describeError(code, visit.ctx.config.publicUrl) ?? [])
  await reply(visit, (viewer) => ErrorsPage({ viewer, errors }))
}

export async function showError(visit: AnyVisit<'code'>): Promise<void> {
  const error = describeError(visit.params.code, visit.ctx.config.publicUrl)
  if (error === undefined) throw new PageError(404, 'No such error', 'Callgate has no error code of this name.')
  await reply(visit, (viewer) => ErrorDocsPage({ viewer, error }))
}

type PageFor = (viewer: Viewer | undefined) => JSX.Element

/**
 * These pages are the same for everybody who is not signed in: caches keep them, and ask whether they still hold.
 * With somebody's menu they are kept by nobody, as all pages of a person, so that nothing brings them back after the sign-out.
 */
async function reply({ api, ctx, koa }: AnyVisit, pageFor: PageFor): Promise<void> {
  await counted(api, koa)
  const viewer = await viewerOf(ctx, koa)
  replyPage(koa, 200, pageFor(viewer))
  koa.vary('Cookie')
  if (viewer !== undefined) return
  koa.set('Cache-Control', 'no-cache')
  const page = String(koa.body)
  const tag = createHash('sha256').update(page).digest('base64url').slice(0, 27)
  // Only these pages are packed: they hold no token of a session beside what somebody else wrote.
  koa.vary('Accept-Encoding')
  const packs = koa.acceptsEncodings('gzip', 'identity') === 'gzip'
  koa.etag = packs ? `W/"${tag}"` : tag
  if (koa.fresh) {
    koa.status = 304
    return
  }
  if (!packs) return
  koa.set('Content-Encoding', 'gzip')
  koa.body = await packed(page)
}

const packed = promisify(gzip)

/** Pages that need no database are shown without it, uncounted. */
async function counted(api: Api, koa: Http): Promise<void> {
  try {
    await limitDiscovery(api, koa)
  } catch (error) {
    if (!isConnectionError(error)) throw error
    api.ctx.log.warn({ err: error }, 'a page of the docs is shown without being counted')
  }
}
