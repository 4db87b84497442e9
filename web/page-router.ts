import Router from '@koa/router'
import type { RouterContext } from '@koa/router'
import type Koa from 'koa'
import type { Api } from '../core/http/api.ts'
import { packPage } from './packed.ts'
import { checkSameSite, hasToken, notSignedIn, readForm, wrongToken } from './form.ts'
import type { Form } from './form.ts'
import { PageError } from './page-error.ts'
import { pageHeaders, seeOther } from './reply.ts'
import { whileThere } from './still-there.ts'
import type { AnyVisit } from './visit.ts'

/** The pages of one port. `Who`: what handlers receive about the signed-in user. */
export interface Site<Who extends object> {
  readonly api: Api
  /** Public origin: forms must come from it. */
  readonly url: string
  readonly whoIsSignedIn: (koa: Koa.Context) => Promise<Who | undefined>
  /** CSRF token for every form of this user. */
  readonly tokenOf: (who: Who) => string
  readonly showError: (koa: Koa.Context, error: PageError) => Promise<void> | void
  /** The user, if re-authenticated for a form that weakens approval; undefined: replied asking. */
  readonly provenOf?: (posted: AnyVisit & Who & { readonly form: Form }) => Promise<Who | undefined>
}

/** The parameters in a path: `/play/:app/:endpoint` has `app` and `endpoint`. */
type NamesIn<Path extends string> = Path extends `${infer Start}/${infer Rest}`
  ? NamesIn<Start> | NamesIn<Rest>
  : Path extends `:${infer Name}`
    ? Name
    : never

type Handler<V> = (visit: V) => Promise<void> | void

/** GET (and HEAD) and POST handlers of an address. */
interface Page<V> {
  readonly get?: Handler<V>
  readonly post?: Handler<V & { readonly form: Form }>
}

interface SignedInPage<V> extends Pick<Page<V>, 'get'> {
  /** Handler for visitors who are not signed in; usually redirects to sign-in. */
  readonly stranger?: Handler<Koa.Context>
  /** Throws, before the form is read, if the page does not exist for this user. */
  readonly exists?: (visit: V) => Promise<unknown>
}

/**
 * Whether a page's form weakens approval (an action runs without asking, or a key is issued): it
 * requires that the user re-authenticated within the last ten minutes.
 */
type Weakens<V> = 'never' | 'always' | ((posted: V & { readonly form: Form }) => Promise<boolean> | boolean)

/** Every form must declare it. */
type SignedInForm<V> =
  | { readonly post?: never }
  | { readonly post: Handler<V & { readonly form: Form }>; readonly weakens: Weakens<V> }

/**
 * Builds the router of a port's pages. `forAnybody`: forms need only our own origin. `forSignedIn`:
 * forms also carry the user's CSRF token.
 */
export function pageRouter<Who extends object>(site: Site<Who>) {
  const router = new Router()
  router.use((koa, next) => showingErrors(site, koa, next))

  const add = (path: string, get?: Handler<RouterContext>, post?: Handler<RouterContext>): void => {
    if (get) router.get(path, get)
    if (post) router.post(path, post)
    const allow = [...(get ? ['GET', 'HEAD'] : []), ...(post ? ['POST'] : [])].join(', ')
    router.all(path, () => {
      throw new PageError(405, 'Not possible here', `This address takes ${allow} only.`, { Allow: allow })
    })
  }
  return {
    routes: () => router.routes(),
    forAnybody<Path extends string>(path: Path, { get, post }: Page<AnyVisit<NamesIn<Path>>>): void {
      add(
        path,
        get && ((koa) => get(visitOf<Path>(site.api, koa))),
        post &&
          (async (koa) => {
            checkSameSite(koa, site.url)
            await post({ ...visitOf<Path>(site.api, koa), form: await readForm(koa) })
          }),
      )
    },
    forSignedIn<Path extends string>(
      path: Path,
      page: SignedInPage<AnyVisit<NamesIn<Path>> & Who> & SignedInForm<AnyVisit<NamesIn<Path>> & Who>,
    ): void {
      const { get, post, stranger = toLogin, exists } = page
      add(
        path,
        get &&
          (async (koa) => {
            const visit = visitOf<Path>(site.api, koa)
            const who = await site.whoIsSignedIn(koa)
            await (who === undefined ? stranger(koa) : get({ ...visit, ...who }))
          }),
        post &&
          (async (koa) => {
            const visit = visitOf<Path>(site.api, koa)
            const who = await site.whoIsSignedIn(koa)
            if (who !== undefined) await exists?.({ ...visit, ...who })
            const posted = { ...visit, ...(await postedBy(site, koa, who)) }
            const weakens =
              'weakens' in page &&
              (typeof page.weakens === 'function' ? await page.weakens(posted) : page.weakens === 'always')
            if (weakens && site.provenOf === undefined) throw new Error(`nobody asks who weakens approval at ${path}`)
            const proven = weakens ? await site.provenOf?.(posted) : posted
            if (proven !== undefined) await post({ ...posted, ...proven })
          }),
      )
    },
  }
}

async function showingErrors<Who extends object>(site: Site<Who>, koa: Koa.Context, next: Koa.Next): Promise<void> {
  koa.set(pageHeaders)
  try {
    // Koa's `URL` is an empty object when the Host header is invalid.
    if (!URL.canParse(koa.href)) throw new PageError(400, 'Not an address', 'The request names no host.')
    await whileThere(site.api.ctx, koa, next)
    await packPage(koa)
  } catch (error) {
    if (!(error instanceof PageError)) throw error
    koa.set(error.headers)
    await site.showError(koa, error)
  }
}

function visitOf<Path extends string>(api: Api, koa: RouterContext): AnyVisit<NamesIn<Path>> {
  // Postgres rejects null characters in text.
  if (Object.values(koa.params).some((name) => name.includes('\0')))
    throw new PageError(404, 'Not found', 'There is no such page.')
  return { api, ctx: api.ctx, koa, params: koa.params as Record<NamesIn<Path>, string> }
}

function toLogin(koa: Koa.Context): void {
  seeOther(koa, `/login?return_to=${encodeURIComponent(koa.path + koa.search)}`)
}

/** A form of a page, posted by the signed-in user it was shown to; 403 for all others. */
async function postedBy<Who extends object>(
  site: Site<Who>,
  koa: Koa.Context,
  who: Who | undefined,
): Promise<Who & { readonly form: Form }> {
  // Input of a cross-site post is never echoed, so check this before reading the form.
  checkSameSite(koa, site.url)
  if (who === undefined && !koa.is('application/x-www-form-urlencoded')) throw notSignedIn()
  const form = await readForm(koa)
  if (who === undefined) throw notSignedIn(form.typed())
  if (!hasToken(form, site.tokenOf(who))) throw wrongToken(form.typed())
  return { ...who, form }
}
