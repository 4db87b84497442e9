import Router from '@koa/router'
import type { RouterContext } from '@koa/router'
import type Koa from 'koa'
import type { Api } from '../api/http/api.ts'
import { packPage } from './packed.ts'
import { checkSameSite, hasToken, notSignedIn, readForm, wrongToken } from './form.ts'
import type { Form } from './form.ts'
import { PageError } from './page-error.ts'
import { pageHeaders, seeOther } from './reply.ts'
import { whileThere } from './still-there.ts'
import type { AnyVisit } from './visit.ts'

/** The pages of a port. `Who`: what their handlers get of who is signed in. */
export interface Site<Who extends object> {
  readonly api: Api
  /** Where browsers have them: forms come from there. */
  readonly url: string
  readonly whoIsSignedIn: (koa: Koa.Context) => Promise<Who | undefined>
  /** What is in every form that they are shown. */
  readonly tokenOf: (who: Who) => string
  readonly showError: (koa: Koa.Context, error: PageError) => Promise<void> | void
  /** Who sent a form that weakens approval, once they have just shown that it is them; undefined: they were asked to, which is the answer. */
  readonly provenOf?: (posted: AnyVisit & Who & { readonly form: Form }) => Promise<Who | undefined>
}

/** The names in an address: `/play/:app/:endpoint` has `app` and `endpoint`. */
type NamesIn<Path extends string> = Path extends `${infer Start}/${infer Rest}`
  ? NamesIn<Start> | NamesIn<Rest>
  : Path extends `:${infer Name}`
    ? Name
    : never

type Handler<V> = (visit: V) => Promise<void> | void

/** What an address shows (HEAD too), and what its form does. */
interface Page<V> {
  readonly get?: Handler<V>
  readonly post?: Handler<V & { readonly form: Form }>
}

interface SignedInPage<V> extends Pick<Page<V>, 'get'> {
  /** What its address shows who is not signed in; usually the way to sign in. */
  readonly stranger?: Handler<Koa.Context>
  /** Throws where no such page is there for them, before a form of it is read. */
  readonly exists?: (visit: V) => Promise<unknown>
}

/**
 * What the form of a page does to approval. One that weakens it (something happens without asking, or somebody gets a key) is taken from who has
 * shown within ten minutes who they are.
 */
type Weakens<V> = 'never' | 'always' | ((posted: V & { readonly form: Form }) => Promise<boolean> | boolean)

/** Every form says so. */
type SignedInForm<V> =
  | { readonly post?: never }
  | { readonly post: Handler<V & { readonly form: Form }>; readonly weakens: Weakens<V> }

/**
 * Reads the table of a port's pages. `forAnybody`: its forms only have to come from a page of ours. `forSignedIn`: its forms carry the token
 * of who is signed in.
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
    // Koa makes an empty object of an address whose Host is none.
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
  // Postgres has no null character in texts and would refuse the statement.
  if (Object.values(koa.params).some((name) => name.includes('\0')))
    throw new PageError(404, 'Not found', 'There is no such page.')
  return { api, ctx: api.ctx, koa, params: koa.params as Record<NamesIn<Path>, string> }
}

function toLogin(koa: Koa.Context): void {
  seeOther(koa, `/login?return_to=${encodeURIComponent(koa.path + koa.search)}`)
}

/** A form of one of our pages, and who is signed in, who was shown it; 403 for anybody else, whatever key they hold. */
async function postedBy<Who extends object>(
  site: Site<Who>,
  koa: Koa.Context,
  who: Who | undefined,
): Promise<Who & { readonly form: Form }> {
  // What another site made the browser send is never shown.
  checkSameSite(koa, site.url)
  if (who === undefined && !koa.is('application/x-www-form-urlencoded')) throw notSignedIn()
  const form = await readForm(koa)
  if (who === undefined) throw notSignedIn(form.typed())
  if (!hasToken(form, site.tokenOf(who))) throw wrongToken(form.typed())
  return { ...who, form }
}
