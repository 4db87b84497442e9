import type { AppCaller, Row } from './app-caller.ts'
import { ownOrigin } from '../../connectors/runtime/site.ts'

/** What tests of both files ask the studio. */
export const members = (studio: AppCaller, input: Row, user?: string) =>
  studio.rows('list_members', 'members', input, user)
export const classes = (studio: AppCaller, input: Row, user?: string) =>
  studio.rows('list_classes', 'classes', input, user)
export const roster = (studio: AppCaller, class_id: string, user?: string) =>
  studio.rows('get_class_roster', 'members', { class_id }, user)
export const misses = (studio: AppCaller, input: Row, user?: string) =>
  studio.rows('list_no_shows_late_cancels', 'rows', input, user)

export const plansOf = (member: Row): Row[] => member['plans'] as Row[]

/** Who is on the roster with this status. */
export async function listedAs(studio: AppCaller, class_id: string, status: string): Promise<string[]> {
  const found = (await roster(studio, class_id)).filter((one) => one['status'] === status)
  return found.map(({ member_id }) => String(member_id))
}

export async function planOf(studio: AppCaller, member_id: string, plan_id: string): Promise<Row | undefined> {
  return plansOf(await studio.call('get_member', { member_id })).find((plan) => plan['plan_id'] === plan_id)
}

/** A form of the app that no endpoint sends: a new client, or somebody on a waiting list. */
export async function submit(studio: AppCaller, path: string, form: Readonly<Record<string, string>>): Promise<string> {
  const [demo] = (await studio.sandbox.accounts(studio.app.slug)).filter(({ user }) => user === 'demo')
  const cookie = demo!.session.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const whoami = await fetch(new URL('staff/svc/whoami', ownOrigin(studio.app)), { headers: { cookie } })
  const { Result } = (await whoami.json()) as { Result: { Chit: string } }
  const answer = await fetch(new URL(path, ownOrigin(studio.app)), {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie },
    body: new URLSearchParams({ ...form, chit: Result.Chit }),
  })
  return answer.headers.get('location') ?? String(answer.status)
}
