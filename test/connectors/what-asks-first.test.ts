import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadApps } from '../../connectors/registry.ts'
import type { Endpoint } from '../../connectors/registry.ts'

const writes = new Map(
  loadApps({ sandboxUrl: 'http://localhost:8090' }).all.flatMap((app) =>
    [...app.endpoints.values()]
      .filter(({ access }) => access === 'write')
      .map((endpoint): [string, Endpoint] => [`${app.slug}.${endpoint.name}`, endpoint]),
  ),
)

/** What the documents themselves say; of the other writes they say nothing. */
const stated: Readonly<Record<string, boolean>> = {
  'course-school.create_lesson': false,
  'course-school.update_lesson': true,
  'event-management.add_session': false,
  'field-jobs.create_job': true,
  'field-service.add_charge': false,
  'field-service.create_customer': false,
  'field-service.create_job': false,
  'fitness-studio.book_class_reservation': false,
  'fitness-studio.check_in_member': false,
  'fitness-studio.remove_reservation': true,
  'invitations.add_guests': false,
  'invitations.send_invitation': true,
  'invitations.send_message': true,
  'photo-gallery.create_collection': false,
  'photo-gallery.share_collection': true,
  'photo-gallery.upload_photos': false,
  'property-advertising.deactivate_listing': false,
  'property-advertising.reactivate_listing': true,
  'property-advertising.reply_to_contact': true,
  'property-advertising.update_listing': true,
  'question-answer.ask_question': true,
  'question-answer.post_answer': true,
  'salon.book_appointment': true,
  'tour-activity.close_dates': false,
  'tour-supplier.update_availability': false,
  'tour-supplier.update_pricing': true,
  'travel-log.add_step': true,
  'travel-log.create_trip': true,
  'video-streaming.upload_video': false,
}

interface Kind {
  readonly name: string
  readonly asks: boolean
  /** `app.endpoint`. */
  readonly endpoints: readonly string[]
}

/** The list in docs/decisions.md: `- **yes:** kind (app: endpoint, endpoint; app: …).` */
async function kinds(): Promise<Kind[]> {
  const text = await readFile(path.join(import.meta.dirname, '../../docs/decisions.md'), 'utf8')
  const [, section = ''] = /^## What asks first$(.*?)^## /ms.exec(text) ?? []
  const rows = [...section.matchAll(/^- \*\*(yes|no):\*\* (.+) \((.+)\)\.$/gm)]
  return rows.map(([, asks, name = '', apps = '']) => {
    const endpoints = apps.split('; ').flatMap((one) => {
      const [app = '', names = ''] = one.split(': ')
      return [...names.matchAll(/`(\w+)`/g)].map(([, endpoint]) => `${app}.${endpoint}`)
    })
    return { name, asks: asks === 'yes', endpoints }
  })
}

describe('what asks first', () => {
  test('is told of each write by its kind, once', async () => {
    const told = (await kinds()).flatMap(({ endpoints }) => endpoints)
    expect(told.toSorted()).toEqual([...writes.keys()].toSorted())
  })

  test('is the same for the same kind of action in every app', async () => {
    const all = await kinds()
    const wanted = all.flatMap(({ asks, endpoints }) => endpoints.map((id): [string, boolean] => [id, asks]))
    const found = wanted.map(([id]) => [id, writes.get(id)?.confirm])
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(wanted))
  })

  test('is what the documents say where they say it', () => {
    const found = Object.keys(stated).map((id) => [id, writes.get(id)?.confirm])
    expect(Object.fromEntries(found)).toEqual(stated)
  })

  test('is the same for writes of one name, but for a job, which only one app tells its client of', () => {
    const byName = Map.groupBy(writes.values(), ({ name }) => name)
    const uneven = [...byName].filter(([, all]) => new Set(all.map(({ confirm }) => confirm)).size > 1)
    expect(uneven.map(([name]) => name)).toEqual(['create_job'])
  })
})
