import { listAccounts } from '../../core/accounts/accounts.ts'
import { makeCode } from '../../core/oauth/codes.ts'
import { mostKeys } from '../../core/keys/keys.ts'
import { placeOf } from '../../core/oauth/metadata.ts'
import { appOf } from '../../core/oauth/resource.ts'
import type { Form } from '../form.ts'
import { endpointsIn, problemOfActions, typedActions } from '../keys/typed-actions.ts'
import type { TypedActions } from '../keys/typed-actions.ts'
import type { TypedApps } from '../keys/form.tsx'
import { PageError } from '../page-error.ts'
import { replyPage, seeOther } from '../reply.ts'
import type { Posted, Visit } from '../visit.ts'
import { BackPage, ConsentPage, RefusedPage } from './consent-page.tsx'
import { backTo, readRequest } from './request.ts'
import type { Asked, Asker } from './request.ts'

/** OAuth authorization request: shows the client and asks for consent. */
export async function askConsent(visit: Visit): Promise<void> {
  const query = visit.koa.querystring
  if (!visit.person.recent) {
    const here = `/oauth/authorize?${query}`
    return seeOther(visit.koa, `/login?again=yes&return_to=${encodeURIComponent(here)}`)
  }
  const asked = await readAsked(visit, query)
  if (asked === undefined) return
  await showConsent(visit, query, asked)
}

/** Returns to the client, with or without an authorization code. */
export async function decideConsent(posted: Posted): Promise<void> {
  const { ctx, person, form } = posted
  const query = form.get('request') ?? ''
  const asked = await readAsked(posted, query)
  if (asked === undefined) return
  const decision = form.get('decision')
  if (decision === 'deny') return goBack(posted, asked, { error: 'access_denied' })
  if (decision !== 'allow') throw new PageError(422, 'Nothing was done', 'The form did not say what you decided.')

  const typed = {
    apps: typedApps(form),
    reads: form.get('rights') !== 'write' || asked.readsOnly,
    actions: typedActions(form),
  }
  const own = appOf(asked.resource)
  const apps = own === undefined ? (typed.apps.all ? null : typed.apps.ticked) : [own]
  const wrong = (apps && problemOf(posted, apps)) ?? problemOfActions(ctx, typed.actions, null)
  if (wrong !== undefined) return showConsent(posted, query, asked, typed, wrong)
  const made = await makeCode(ctx, {
    ...{ ...asked, owner: person.owner, apps, readOnly: typed.reads },
    endpoints: endpointsIn(typed.actions),
  })
  if (made === 'full')
    return showConsent(posted, query, asked, typed, `You have ${mostKeys} keys and programs. Revoke one first.`)
  goBack(posted, asked, made)
}

/** Undefined: an error page was shown. */
async function readAsked(visit: Visit, query: string): Promise<Asked | undefined> {
  const { ctx, koa, person } = visit
  const read = await readRequest(visit, query)
  if ('asked' in read) return read.asked
  const { refused, asker } = read
  // No automatic redirect: anyone can register a client with any redirect URI (open redirector).
  const answer = { error: refused.name, error_description: refused.message }
  replyPage(
    koa,
    400,
    RefusedPage({
      viewer: person,
      why: refused.message,
      to: placeOf(asker.redirectUri),
      back: backTo(asker, ctx.config.publicUrl, answer),
    }),
  )
  return undefined
}

interface Typed {
  readonly apps: TypedApps
  readonly reads: boolean
  readonly actions: TypedActions
}

/** By default, nothing is selected and access is read-only. */
async function showConsent(visit: Visit, query: string, asked: Asked, typed?: Typed, problem?: string): Promise<void> {
  const { ctx, koa, person } = visit
  const connected = new Set((await listAccounts(ctx, person.owner)).map(({ app }) => app))
  const first = {
    apps: { all: false, ticked: [] },
    reads: true,
    actions: { only: [], ticked: [] },
  }
  const only = ctx.apps.get(appOf(asked.resource) ?? '')
  const page = { viewer: person, query, asked, apps: ctx.apps.all, connected, only, typed: typed ?? first, problem }
  replyPage(koa, problem === undefined ? 200 : 422, ConsentPage(page))
}

/** By Refresh header: the CSP's form-action blocks redirects of a form to other sites. */
function goBack({ ctx, koa, person }: Visit, asker: Asker, answer: Readonly<Record<string, string>>): void {
  const back = backTo(asker, ctx.config.publicUrl, answer)
  koa.set('Refresh', `0; url=${back}`)
  replyPage(
    koa,
    200,
    BackPage({ viewer: person, to: placeOf(asker.redirectUri), back, allowed: answer['code'] !== undefined }),
  )
}

function typedApps(form: Form): TypedApps {
  return { all: form.all('all').includes('yes'), ticked: [...new Set(form.all('app'))] }
}

function problemOf({ ctx }: Visit, apps: readonly string[]): string | undefined {
  if (apps.some((slug) => ctx.apps.get(slug) === undefined)) return 'There is no such app. Tick those that there are.'
  return apps.length === 0 ? 'Tick the apps that it may use, or all.' : undefined
}
