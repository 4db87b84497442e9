import type { Context } from '../../core/context.ts'
import { checkUrl } from '../../core/notices/address.ts'
import { listNotices, listTargets } from '../../core/notices/list.ts'
import {
  addWebhook,
  askForTest,
  deleteWebhook,
  rotateSecret,
  setEmailNotices,
  setWebhookEnabled,
} from '../../core/notices/targets.ts'
import type { CallKind } from '../../core/notices/targets.ts'
import type { Form } from '../form.ts'
import { PageError } from '../page-error.ts'
import { replyPage, seeOther } from '../reply.ts'
import type { Posted, Visit } from '../visit.ts'
import { NewSecretPage, NoticesPage } from './page.tsx'
import type { WebhookForm } from './page.tsx'

const shown = 20
const blank: WebhookForm = { url: '', kinds: ['call.waiting', 'call.final'] }

/** Where the person and their programs hear of calls, and what was told lately. */
export async function showNotices(visit: Visit): Promise<void> {
  await reply(visit, 200, blank)
}

/** Switches the emails, or adds a webhook and shows its secret this once. */
export async function changeNotices(posted: Posted): Promise<void> {
  const { ctx, koa, person, form } = posted
  const action = form.get('action')
  if (action === 'add') return add(posted)
  if (action !== 'email-on' && action !== 'email-off') throw unsaid()
  if (ctx.config.mail === null)
    throw new PageError(422, 'Nothing was changed', 'The operator has not set up email here.')
  await setEmailNotices(ctx, person.owner, action === 'email-on')
  seeOther(koa, `/notices?said=${action}`)
}

/** Tries a webhook, switches it, replaces its secret or deletes it. */
export async function changeWebhook({ ctx, koa, person, form, params }: Posted<'webhook'>): Promise<void> {
  const { owner } = person
  const id = params.webhook
  const action = form.get('action') ?? ''
  if (action === 'secret') {
    const made = found(await rotateSecret(ctx, owner, id))
    return replyPage(koa, 200, NewSecretPage({ viewer: person, made, replaced: true }))
  }
  if (action === 'test') await test(ctx, owner, id)
  else if (action === 'on' || action === 'off') found(await setWebhookEnabled(ctx, owner, id, action === 'on'))
  else if (action === 'delete') found(await deleteWebhook(ctx, owner, id))
  else throw unsaid()
  seeOther(koa, `/notices?said=${action}`)
}

async function add(posted: Posted): Promise<void> {
  const { ctx, koa, person, form } = posted
  const typed: WebhookForm = { url: (form.get('url') ?? '').trim(), kinds: kindsOf(form) }
  const checked = checkUrl(typed.url, ctx.config.webhookAllow)
  if ('problem' in checked) return reply(posted, 422, { ...typed, urlProblem: checked.problem })
  if (typed.kinds.length === 0) return reply(posted, 422, { ...typed, kindsProblem: 'Tick at least one.' })
  const made = await addWebhook(ctx, person.owner, checked.url, typed.kinds)
  if (made === 'full')
    return reply(posted, 422, { ...typed, urlProblem: 'There are ten webhooks already: delete one first.' })
  replyPage(koa, 200, NewSecretPage({ viewer: person, made, replaced: false }))
}

async function test(ctx: Context, owner: string, id: string): Promise<void> {
  const asked = found(await askForTest(ctx, owner, id))
  if (asked === 'off') throw new PageError(422, 'Nothing was sent', 'This webhook is switched off. Switch it on first.')
  if (typeof asked === 'number')
    throw new PageError(429, 'Nothing was sent', `You sent several tests just now. Try again in ${asked} seconds.`, {
      'Retry-After': String(asked),
    })
}

async function reply({ ctx, koa, person }: Visit, status: number, form: WebhookForm): Promise<void> {
  const [targets, notices] = await Promise.all([
    listTargets(ctx.db, person.owner),
    listNotices(ctx.db, person.owner, shown),
  ])
  const said = koa.URL.searchParams.get('said')
  const mailIsSetUp = ctx.config.mail !== null
  replyPage(koa, status, NoticesPage({ viewer: person, targets, notices, form, mailIsSetUp, said }))
}

function kindsOf(form: Form): readonly CallKind[] {
  const ticked = form.all('kind')
  return (['call.waiting', 'call.final'] as const).filter((kind) => ticked.includes(kind))
}

function found<T>(result: T | false | undefined): T {
  if (result === false || result === undefined)
    throw new PageError(404, 'No such webhook', 'You have no webhook with this id.')
  return result
}

function unsaid(): PageError {
  return new PageError(422, 'Nothing was changed', 'The form did not say what to change.')
}
