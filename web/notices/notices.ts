import type { Context } from '../../core/context.ts'
import { checkUrl } from '../../core/notices/address.ts'
import { listNotices, listTargets } from '../../core/notices/list.ts'
import { addDevice, addTopic, subscriptionFrom } from '../../core/notices/devices.ts'
import { pushKeys } from '../../core/notices/push-keys.ts'
import { isZone, readQuiet, setQuiet } from '../../core/notices/quiet.ts'
import {
  addWebhook,
  askForTest,
  deleteTarget,
  rotateSecret,
  setEmailNotices,
  setTargetEnabled,
} from '../../core/notices/targets.ts'
import { clientName } from '../../core/calls/client-name.ts'
import { browserWords } from '../account/browser-words.ts'
import { saveChoice } from './choice.ts'
import type { CallKind } from '../../core/notices/rows.ts'
import type { Form } from '../form.ts'
import { PageError } from '../page-error.ts'
import { replyPage, seeOther } from '../reply.ts'
import type { Posted, Visit } from '../visit.ts'
import { NewSecretPage, NoticesPage } from './page.tsx'
import type { TopicForm, WebhookForm } from './page.tsx'
import { minuteOf, quietForm } from './quiet.tsx'
import type { QuietForm } from './quiet.tsx'

const shown = 20
const blank: WebhookForm = { url: '', kinds: ['call.waiting', 'call.final'] }

/** Notification targets of the user and their agents, and recent deliveries. */
export async function showNotices(visit: Visit): Promise<void> {
  await reply(visit, 200, {})
}

/** Sets email and quiet hours, or adds a device, topic or webhook (its secret is shown once). */
export async function changeNotices(posted: Posted): Promise<void> {
  const { ctx, koa, person, form } = posted
  const action = form.get('action')
  if (action === 'add') return add(posted)
  if (action === 'add-device') return addThisDevice(posted)
  if (action === 'add-ntfy') return addNtfy(posted)
  if (action === 'quiet-on') return keepQuiet(posted)
  if (action === 'quiet-off') await setQuiet(ctx, person.owner, undefined)
  else if (action === 'email-on' || action === 'email-off') {
    if (ctx.config.mail === null)
      throw new PageError(422, 'Nothing was changed', 'The operator has not set up email here.')
    await setEmailNotices(ctx, person.owner, action === 'email-on')
  } else throw unsaid()
  seeOther(koa, `/notices?said=${action}`)
}

/** Tests, switches or removes a target, sets its notifications, or replaces a webhook's secret. */
export async function changeTarget(posted: Posted<'target'>): Promise<void> {
  const { ctx, koa, person, form, params } = posted
  const { owner } = person
  const id = params.target
  const action = form.get('action') ?? ''
  if (action === 'save') return saveChoice(posted)
  if (action === 'secret') {
    const made = found(await rotateSecret(ctx, owner, id))
    return replyPage(koa, 200, NewSecretPage({ viewer: person, made, replaced: true }))
  }
  if (action === 'test') await test(ctx, owner, id)
  else if (action === 'on' || action === 'off') found(await setTargetEnabled(ctx, owner, id, action === 'on'))
  else if (action === 'delete') found(await deleteTarget(ctx, owner, id))
  else throw unsaid()
  seeOther(koa, `/notices?said=${action}`)
}

async function addThisDevice(posted: Posted): Promise<void> {
  const { ctx, koa, person, form } = posted
  const name = (form.get('name') ?? '').trim().slice(0, 60)
  const subscription = subscriptionFrom(form.get('subscription') ?? '', ctx.config.webhookAllow)
  if (subscription === undefined || name === '')
    return reply(posted, 422, {
      device: {
        name,
        problem: name === '' ? 'Give the device a name.' : 'The browser gave no address that can be pushed to.',
      },
    })
  if ((await addDevice(ctx, person.owner, name, subscription)) === 'full')
    return reply(posted, 422, { device: { name, problem: 'There are twenty devices already: end one first.' } })
  seeOther(koa, '/notices?said=add-device')
}

async function addNtfy(posted: Posted): Promise<void> {
  const { ctx, koa, person, form } = posted
  const [url, token] = [(form.get('topic') ?? '').trim(), (form.get('token') ?? '').trim()]
  const made = await addTopic(ctx, person.owner, { url, token }, ctx.config.webhookAllow)
  if ('problem' in made) return reply(posted, 422, { topic: { url, problem: made.problem } })
  seeOther(koa, '/notices?said=add-ntfy')
}

async function keepQuiet(posted: Posted): Promise<void> {
  const { ctx, koa, person, form } = posted
  const typed = { from: form.get('from') ?? '', to: form.get('to') ?? '', zone: (form.get('zone') ?? '').trim() }
  const [from, to] = [minuteOf(typed.from), minuteOf(typed.to)]
  const problem = !isZone(typed.zone)
    ? 'There is no such time zone. One is called Europe/Vienna.'
    : from === undefined || to === undefined || from === to
      ? 'They begin and end at different times of day, such as 22:00 and 07:00.'
      : undefined
  if (problem !== undefined || from === undefined || to === undefined)
    return reply(posted, 422, { quiet: { ...typed, ...(problem !== undefined && { problem }) } })
  await setQuiet(ctx, person.owner, { from_minute: from, to_minute: to, zone: typed.zone })
  seeOther(koa, '/notices?said=quiet-on')
}

async function add(posted: Posted): Promise<void> {
  const { ctx, koa, person, form } = posted
  const typed: WebhookForm = { url: (form.get('url') ?? '').trim(), kinds: kindsOf(form) }
  const checked = checkUrl(typed.url, ctx.config.webhookAllow)
  if ('problem' in checked) return reply(posted, 422, { form: { ...typed, urlProblem: checked.problem } })
  if (typed.kinds.length === 0) return reply(posted, 422, { form: { ...typed, kindsProblem: 'Tick at least one.' } })
  const made = await addWebhook(ctx, person.owner, checked.url, typed.kinds)
  if (made === 'full')
    return reply(posted, 422, { form: { ...typed, urlProblem: 'There are ten webhooks already: delete one first.' } })
  replyPage(koa, 200, NewSecretPage({ viewer: person, made, replaced: false }))
}

async function test(ctx: Context, owner: string, id: string): Promise<void> {
  const asked = found(await askForTest(ctx, owner, id))
  if (asked === 'off') throw new PageError(422, 'Nothing was sent', 'It is switched off. Switch it on first.')
  if (typeof asked === 'number')
    throw new PageError(429, 'Nothing was sent', `You sent several tests just now. Try again in ${asked} seconds.`, {
      'Retry-After': String(asked),
    })
}

/** Rejected form values, to correct. */
interface Typed {
  readonly form?: WebhookForm
  readonly topic?: TopicForm
  readonly quiet?: QuietForm
  readonly device?: { readonly name: string; readonly problem?: string }
}

async function reply({ ctx, koa, person }: Visit, status: number, typed: Typed): Promise<void> {
  const [targets, notices, quiet, { publicKey }] = await Promise.all([
    listTargets(ctx.db, person.owner),
    listNotices(ctx.db, person.owner, shown),
    readQuiet(ctx.db, person.owner),
    pushKeys(ctx),
  ])
  replyPage(
    koa,
    status,
    NoticesPage({
      viewer: person,
      targets,
      notices,
      form: typed.form ?? blank,
      topic: typed.topic ?? { url: '' },
      quiet: typed.quiet ?? quietForm(quiet),
      quietIsOn: quiet !== undefined,
      pushKey: publicKey,
      device: typed.device ?? { name: browserWords(clientName(koa.get('User-Agent')) ?? '') },
      mailIsSetUp: ctx.config.mail !== null,
      said: koa.URL.searchParams.get('said'),
    }),
  )
}

function kindsOf(form: Form): readonly CallKind[] {
  const ticked = form.all('kind')
  return (['call.waiting', 'call.final'] as const).filter((kind) => ticked.includes(kind))
}

function found<T>(result: T | false | undefined): T {
  if (result === false || result === undefined)
    throw new PageError(404, 'No such place', 'You have no device, topic or webhook with this id.')
  return result
}

function unsaid(): PageError {
  return new PageError(422, 'Nothing was changed', 'The form did not say what to change.')
}
