import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleOf } from '../../connectors/examples.ts'
import { kindKey } from '../../connectors/kit/inputs.ts'
import { isFields } from '../../connectors/kit/wire.ts'
import type { Fields } from '../../connectors/kit/wire.ts'
import { loadApps } from '../../connectors/registry.ts'
import type { App, Endpoint } from '../../connectors/registry.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { withinOneDay } from '../support/one-day.ts'
import { SandboxControl } from '../support/sandbox.ts'
import { makeUser } from '../support/user.ts'
import type { TestUser } from '../support/user.ts'

const { all: apps } = loadApps({ sandboxUrl: 'http://localhost:8090' })

/** Ids that no page of the app shows before the write, so the approver is asked all the same: by `app.endpoint input`. */
const unknowable: Readonly<Record<string, string>> = {
  'field-jobs.create_job client_id': 'the list has the first 100 clients only',
  'question-answer.ask_question space_id': 'the list has the spaces in which the user has a role only',
  'question-answer.review_space_submission submission_id': 'the list of submissions needs the space',
  'salon.book_appointment client_id': 'found by name only',
  'salon.book_appointment provider_id': 'services of the main location only',
  'salon.book_appointment service_id': 'services of the main location only',
  'salon.notify_waitlist waitlist_entry_ids': 'the list is of the main location only',
  'salon.reschedule_appointment provider_id': 'services of the main location only',
  'travel-log.reply_to_step_comment comment_id': 'the list of comments needs the step',
  'video-streaming.update_video category_ids': 'no read lists categories',
}

/** The same id with its last figures and letters changed: one that the app could have given out. */
function madeUp(id: string): string {
  const other = (all: string) => (one: string) => all[(all.indexOf(one.toLowerCase()) + 5) % all.length] ?? one
  return id.replace(/[^/?&=]{1,6}$/, (end) =>
    end.replaceAll(/\d/g, other('0123456789')).replaceAll(/[a-f]/gi, other('abcdef')),
  )
}

/** The input once for each id in it, with that id made up. */
function variants(schema: unknown, value: unknown, at = ''): { path: string; value: unknown }[] {
  if (!isFields(schema)) return []
  if (typeof value === 'string')
    return kindKey in schema && madeUp(value) !== value ? [{ path: at, value: madeUp(value) }] : []
  if (Array.isArray(value))
    return value
      .slice(0, 1)
      .flatMap((item) => variants(schema['items'], item, at))
      .map(({ path, value: item }) => ({ path, value: [item, ...value.slice(1)] }))
  const properties = isFields(schema['properties']) ? schema['properties'] : {}
  if (!isFields(value)) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    variants(properties[name], inner, at === '' ? name : `${at}.${name}`).map((one) => ({
      path: one.path,
      value: { ...value, [name]: one.value },
    })),
  )
}

const cases = (endpoint: Endpoint): { path: string; value: unknown }[] => {
  const input: Fields = exampleOf(endpoint.app, endpoint.name, new Date())?.input ?? {}
  return variants(endpoint.inputSchema, input)
}

const asking = (app: App): Endpoint[] => [...app.endpoints.values()].filter(({ confirm }) => confirm)

/** What the call came to: its error at once, or that of its record when looking it up took longer than a client waits. Undefined: a person is asked. */
async function errorOf(user: TestUser, endpoint: Endpoint, input: unknown): Promise<unknown> {
  const answer = await user.send('POST', `/${endpoint.app}/${endpoint.name}`, input, { Prefer: 'wait=50' })
  if (answer.status !== 202) return { ...answer.body, http_status: answer.status }
  for (let turn = 0; turn < 20; turn++) {
    const record = await user.record(answer.body['call_id'])
    if (record['status'] !== 'awaiting_confirmation') return record['error']
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  return undefined
}

describe('an id that the app does not have', () => {
  let stack: Stack
  const users = new Map<string, TestUser>()
  beforeAll(async () => {
    stack = await startStack()
    await withinOneDay()
    await stack.sandbox.reset()
    for (const { slug } of apps) {
      const { ctx, publicUrl } = stack
      users.set(
        slug,
        await makeUser({ ctx, publicUrl, sandbox: new SandboxControl(stack.sandbox.url, slug) }, { seeded: 'demo' }),
      )
    }
  })
  afterAll(() => stack.stop())

  describe.concurrent.each(apps.filter((app) => asking(app).some((one) => cases(one).length > 0)))('$slug', (app) => {
    for (const endpoint of asking(app))
      it.each(cases(endpoint))(`${endpoint.name} asks nobody about a made-up $path`, async ({ path, value }) => {
        const error = await errorOf(users.get(app.slug)!, endpoint, value)
        if (`${app.slug}.${endpoint.name} ${path}` in unknowable) expect(error).toBeUndefined()
        else expect(error).toMatchObject({ error: 'app_rejected', http_status: 422 })
      })
  })

  /** A field of the first entry of a list, as the app tells it. */
  async function first(slug: string, read: string, input: object, list: string, id: string): Promise<unknown> {
    const { body } = await users.get(slug)!.send('POST', `/${slug}/${read}`, input, { Prefer: 'wait=50' })
    const found: unknown = Array.isArray(body[list]) ? body[list][0] : undefined
    if (!isFields(found)) throw new Error(`${slug}.${read} shows nothing: ${JSON.stringify(body)}`)
    return found[id]
  }

  const example = (slug: string, name: string): Fields => exampleOf(slug, name, new Date())?.input ?? {}

  it.concurrent.each<readonly [id: string, what: string, input: () => Promise<object>]>([
    [
      'teacher-marketplace.set_product_status',
      'the status that it has',
      async () => ({
        product_id: await first('teacher-marketplace', 'list_products', { status: 'active' }, 'products', 'product_id'),
        status: 'active',
      }),
    ],
    [
      'course-school.moderate_comment',
      'a comment that was judged already',
      async () => ({
        comment_id: await first('course-school', 'list_comments', { status: 'denied' }, 'comments', 'comment_id'),
        status: 'approved',
      }),
    ],
    [
      'salon-booking.cancel_appointment',
      'an appointment that is over',
      async () => ({
        ...example('salon-booking', 'cancel_appointment'),
        appointment_id: await first(
          'salon-booking',
          'list_appointments',
          { from: '2020-01-01', to: '2099-01-01', status: 'completed' },
          'appointments',
          'appointment_id',
        ),
      }),
    ],
    [
      'salon.cancel_appointment',
      'an appointment that is cancelled',
      async () => ({
        appointment_id: await first(
          'salon',
          'list_appointments',
          { from: '2020-01-01', to: '2099-01-01', status: 'Cancelled' },
          'appointments',
          'appointment_id',
        ),
      }),
    ],
    [
      'travel-booking.cancel_booking',
      'another refund than the quoted one',
      () => {
        const input = example('travel-booking', 'cancel_booking')
        return Promise.resolve({ ...input, refund: { ...Object(input['refund']), amount: 0.01 } })
      },
    ],
    [
      'video-streaming.set_collection_playlist',
      'drip days on a free collection',
      async () => {
        const video_id = await first('video-streaming', 'list_videos', { status: 'published' }, 'videos', 'video_id')
        const { body } = await users
          .get('video-streaming')!
          .send('POST', '/video-streaming/list_collections', { limit: 50 }, { Prefer: 'wait=50' })
        for (const { collection_id } of body['collections'] as Fields[]) {
          const found = await users
            .get('video-streaming')!
            .send('POST', '/video-streaming/get_collection', { collection_id }, { Prefer: 'wait=50' })
          if (found.body['access'] === 'free') return { collection_id, items: [{ video_id, drip_days: 7 }] }
        }
        throw new Error('there is no free collection')
      },
    ],
  ])('%s asks nobody about %s', async (id, _what, input) => {
    const [slug = '', name = ''] = id.split('.')
    const endpoint = apps.find((app) => app.slug === slug)?.endpoints.get(name)
    if (endpoint === undefined) throw new Error(`there is no ${id}`)
    expect(await errorOf(users.get(slug)!, endpoint, await input())).toMatchObject({
      error: 'app_rejected',
      app_message: expect.stringMatching(/\w/) as unknown,
      http_status: 422,
    })
  })
})
