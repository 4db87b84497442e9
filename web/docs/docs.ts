import { createHash } from 'node:crypto'
import type Koa from 'koa'
import type { JSX } from 'preact'
import { exampleOf } from '../../connectors/examples.ts'
import type { App } from '../../connectors/registry.ts'
import { describeError, errorCodes } from '../../core/http/error-docs.ts'
import type { Api, Http } from '../../core/http/api.ts'
import { clientPackages } from '../../core/http/client-packages.ts'
import { limitDiscovery } from '../../core/http/rate-limit.ts'
import { listAccounts } from '../../core/accounts/accounts.ts'
import { listKeys } from '../../core/keys/keys.ts'
import { isConnectionError } from '../../core/database/failures.ts'
import { AppDocsPage } from './app-docs-page.tsx'
import { ClientsPage } from './clients-page.tsx'
import { DocsPage } from './page.tsx'
import { guidesAt } from './guides.ts'
import { GuidePage } from './guide-page.tsx'
import { longestQuery } from './nav.tsx'
import { searchDocs } from './search.ts'
import { SearchPage } from './search-page.tsx'
import { StartPage } from './start-page.tsx'
import type { FirstCall } from './start-page.tsx'
import { WelcomePage } from './welcome-page.tsx'
import { ErrorDocsPage, ErrorsPage } from './errors-page.tsx'
import { appNames, knownApp } from '../parts/known-app.ts'
import { PageError } from '../page-error.ts'
import { replyPage } from '../reply.ts'
import { viewerOf } from '../session.ts'
import type { SignedIn } from '../session.ts'
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

/** Quick start, with the user's key name, app and examples; keys themselves are not stored. */
export async function showStart(visit: AnyVisit): Promise<void> {
  const { ctx } = visit
  await reply(visit, async (viewer) => {
    const [keys, accounts] =
      viewer === undefined
        ? [[], []]
        : await Promise.all([listKeys(ctx.db, viewer.owner), listAccounts(ctx, viewer.owner)])
    const theirs = accounts.find(({ state }) => state === 'connected')?.app
    const app = ctx.apps.get(theirs ?? '') ?? ctx.apps.all.find((one) => firstCall(one, 'read') !== undefined)
    const key = keys.find(({ valid, granted_for: program }) => valid && program === null)
    const [read, write] = app === undefined ? [] : [firstCall(app, 'read'), firstCall(app, 'write')]
    return StartPage({ viewer, publicUrl: ctx.config.publicUrl, key, app, read, write })
  })
}

/** An action that has an example: a read, or a write that asks. */
function firstCall(app: App, access: 'read' | 'write'): FirstCall | undefined {
  for (const endpoint of app.endpoints.values()) {
    if (endpoint.access !== access || endpoint.confirm !== (access === 'write')) continue
    const example = exampleOf(app.slug, endpoint.name, new Date())
    if (example !== undefined) return { endpoint, example }
  }
  return undefined
}

/** Client packages, and how to install them from here. */
export async function showClients(visit: AnyVisit): Promise<void> {
  const { dir, publicUrl } = visit.ctx.config
  const packages = await clientPackages(dir)
  await reply(visit, (viewer) => ClientsPage({ viewer, packages, publicUrl }))
}

/** A page from a file of `docs/`. */
export async function showGuide(visit: AnyVisit, slug: string): Promise<void> {
  const guide = guidesAt(visit.ctx.config.publicUrl).find((one) => one.slug === slug)
  if (guide === undefined) throw new Error(`there is no guide ${slug}`)
  await reply(visit, (viewer) => GuidePage({ viewer, guide }))
}

/** Searches actions, guides and errors. */
export async function showSearch(visit: AnyVisit): Promise<void> {
  const { apps, config } = visit.ctx
  const query = (visit.koa.URL.searchParams.get('q') ?? '').trim().slice(0, longestQuery)
  await reply(visit, (viewer) =>
    SearchPage({ viewer, query, results: searchDocs(apps.all, config.publicUrl, query), appNames: appNames(apps) }),
  )
}

/** Landing page for visitors who are not signed in. */
export async function showWelcome(api: Api, koa: Koa.Context): Promise<void> {
  const { ctx } = api
  const asked = koa.URL.searchParams.get('tried')
  const tried = (['approve', 'reject'] as const).find((one) => one === asked)
  await reply({ api, ctx, koa, params: {} }, () =>
    WelcomePage({ publicUrl: ctx.config.publicUrl, apps: ctx.apps.all.length, tried }),
  )
}

type PageFor = (viewer: SignedIn | undefined) => Promise<JSX.Element> | JSX.Element

/**
 * Without a session these pages are the same for all, so caches keep and revalidate them. With the
 * user's menu they are not cacheable, as all personal pages: they must not reappear after sign-out.
 */
async function reply({ api, ctx, koa }: AnyVisit, pageFor: PageFor): Promise<void> {
  await counted(api, koa)
  const viewer = await viewerOf(ctx, koa)
  replyPage(koa, 200, await pageFor(viewer))
  koa.vary('Cookie')
  if (viewer !== undefined) return
  koa.set('Cache-Control', 'no-cache')
  const page = String(koa.body)
  const tag = createHash('sha256').update(page).digest('base64url').slice(0, 27)
  // Same page, compressed or not, so the ETag is weak (RFC 9110, 8.8.1).
  koa.etag = `W/"${tag}"`
  if (koa.fresh) koa.status = 304
}

/** Rate limit; skipped without a database, which these pages do not need. */
async function counted(api: Api, koa: Http): Promise<void> {
  try {
    await limitDiscovery(api, koa)
  } catch (error) {
    if (!isConnectionError(error)) throw error
    api.ctx.log.warn({ err: error }, 'a page of the docs is shown without being counted')
  }
}
