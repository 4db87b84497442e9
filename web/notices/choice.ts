import type { Context } from '../../core/context.ts'
import { listAccounts } from '../../core/accounts/accounts.ts'
import { listTargets } from '../../core/notices/list.ts'
import type { TargetView } from '../../core/notices/list.ts'
import { showings } from '../../core/notices/rows.ts'
import { changeTarget } from '../../core/notices/targets.ts'
import { PageError } from '../page-error.ts'
import { replyPage, seeOther } from '../reply.ts'
import type { Posted, Visit } from '../visit.ts'
import { callKinds, TargetPage } from './target-page.tsx'

/** Notification settings of a target. */
export async function showTarget(visit: Visit<'target'>): Promise<void> {
  await reply(visit, 200, await ownTarget(visit))
}

/** Saves which notifications a target receives. */
export async function saveChoice(posted: Posted<'target'>): Promise<void> {
  const { ctx, koa, person, form } = posted
  const target = await ownTarget(posted)
  const apps = await appsOf(ctx, person.owner, target)
  const ticked = new Set(form.all('tell'))
  const slugs = apps.length === 0 ? ['*'] : apps.map(({ slug }) => slug)
  const kinds = callKinds.map(([kind]) => kind).filter((kind) => slugs.some((slug) => ticked.has(`${slug} ${kind}`)))
  const muted = slugs.flatMap((slug) => kinds.map((kind) => `${slug} ${kind}`)).filter((one) => !ticked.has(one))
  const shows = showings.find((one) => one === form.get('shows')) ?? target.shows
  const name = (form.get('name') ?? '').trim().slice(0, 60)
  const isNamed = name !== '' && target.name !== null
  if (kinds.length === 0)
    return reply(
      posted,
      422,
      { ...target, kinds, muted, shows, ...(isNamed && { name }) },
      'Tick at least one, or switch it off.',
    )
  if (!(await changeTarget(ctx, person.owner, target.id, { kinds, muted, shows, ...(isNamed && { name }) })))
    throw none()
  seeOther(koa, `/notices/${target.id}?said=saved`)
}

async function reply({ ctx, koa, person }: Visit, status: number, target: TargetView, problem?: string): Promise<void> {
  const apps = await appsOf(ctx, person.owner, target)
  const said = koa.URL.searchParams.get('said')
  replyPage(koa, status, TargetPage({ viewer: person, target, apps, problem, said }))
}

/** Apps with an account of the user, and apps that they muted. */
async function appsOf(
  ctx: Context,
  owner: string,
  { muted }: TargetView,
): Promise<readonly { slug: string; name: string }[]> {
  const accounts = await listAccounts(ctx, owner)
  const slugs = new Set([...accounts.map(({ app }) => app), ...muted.flatMap((one) => one.split(' ')[0] ?? [])])
  slugs.delete('*')
  return [...slugs]
    .map((slug) => ({ slug, name: ctx.apps.get(slug)?.name ?? slug }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
}

async function ownTarget({ ctx, person, params }: Visit<'target'>): Promise<TargetView> {
  const target = (await listTargets(ctx.db, person.owner)).find(({ id }) => id === params.target)
  if (target === undefined) throw none()
  return target
}

function none(): PageError {
  return new PageError(404, 'No such place', 'You have no device, topic or webhook with this id.')
}
