import { expect, test } from 'vitest'
import { appTools } from '../../api/mcp/app-tools.ts'
import { exampleOf } from '../../connectors/examples.ts'
import { loadApps } from '../../connectors/registry.ts'

const { all } = loadApps({ sandboxUrl: 'http://sandbox.example/' })
const endpoints = new Map(
  all.flatMap((app) => [...app.endpoints.values()].map((one) => [`${app.slug}.${one.name}`, one])),
)
const keys = { cursorKey: Buffer.alloc(32) }

function detailsOf(id: string, input: object): readonly { path: string; message: string }[] {
  const parsed = endpoints.get(id)?.parseInput(input, keys)
  if (parsed === undefined) throw new Error(`there is no ${id}`)
  return parsed.ok ? [] : parsed.details
}

const anId = '09a6e6a1-e0e8-48e6-928e-cc455b988191'

/** What each write may not be called with, where its documents say "at least one of" or "either … or". */
test.each([
  ['course-school.update_lesson', { course_id: '1', lesson_id: '2' }, 'title, body_markdown'],
  ['crm.create_project', { title: 'A' }, 'client_id, client'],
  ['crm.create_project', { title: 'A', client_id: '1', client: { name: 'B' } }, 'client_id, client'],
  ['crm.create_invoice', { project_id: '1' }, 'items, packages'],
  [
    'digital-products.create_coupon',
    { code: 'ABC', discount: '10%', scope: 'product' },
    'scope: product with product_id',
  ],
  ['digital-products.update_product', { product_id: '1' }, 'title, price, description, visibility'],
  ['event-management.update_session', { session_id: '1' }, 'start, end, tracks, speakers, description'],
  ['field-jobs.assign_job', { job_id: anId }, 'assign, unassign'],
  [
    'field-jobs.create_job',
    { job_type: 'A', window: { start: '2030-01-01T09:00:00Z', end: '2030-01-01T10:00:00Z' } },
    'client_id, client',
  ],
  ['field-jobs.record_payment', { amount: '1.00', method: 'cash' }, 'job_id, invoice_id'],
  ['invitations.send_message', { event_id: '1', recipients: { status: ['attending'] } }, 'message, template'],
  ['pet-salon.book_appointment', { start: '2030-01-01T09:00:00Z' }, 'waitlist_entry_id, client_id with service_ids'],
  ['pet-salon.update_appointment', { appointment_id: '1' }, 'start, duration_minutes'],
  ['pet-salon.update_pet_notes', { pet_id: '1' }, 'general, grooming'],
  ['salon.reschedule_appointment', { appointment_id: '1' }, 'start, provider_id'],
  ['teacher-marketplace.update_product', { product_id: '1' }, 'title, price_cents'],
  ['teacher-marketplace.schedule_sale', { from: '2030-01-01', to: '2030-01-02' }, 'product_ids, whole_store: true'],
  [
    'teacher-marketplace.schedule_sale',
    { from: '2030-01-01', to: '2030-01-02', product_ids: ['1'], whole_store: true },
    'product_ids, whole_store: true',
  ],
  ['travel-log.update_step', { step_id: 'step_1' }, 'title, story, place, date'],
  ['video-streaming.update_video', { video_id: '1' }, 'title, description, tags, category_ids'],
  ['video-streaming.create_coupon', { code: 'ABC', discount: '10%', target: 'collection' }, 'with collection_id'],
])('%s does not take %j', (id, input, words) => {
  const details = detailsOf(id, input)
  expect(details.map(({ path }) => path)).toEqual([''])
  expect(details[0]?.message).toMatch(/^must have (at least|exactly) one of /)
  expect(details[0]?.message).toContain(words)
})

test('a group within a list is told of the entry, not of one of its fields', () => {
  expect(detailsOf('invitations.add_guests', { event_id: '1', guests: [{ name: 'Ann' }] })).toEqual([
    { path: 'guests.0', message: 'must have at least one of email, phone' },
  ])
})

test('what else is wrong is told beside the fields, as before', () => {
  expect(detailsOf('course-school.update_lesson', { course_id: '1', lesson_id: '2', title: 5 })).toEqual([
    { path: 'title', message: expect.stringMatching(/^must be a text/) as unknown },
  ])
})

test('patterns are told in words', () => {
  expect(detailsOf('digital-products.get_sales_report', { month: '2026-13' })[0]?.message).toBe(
    'must be a month, written YYYY-MM, such as 2026-03',
  )
  const early = detailsOf('teacher-marketplace.get_search_keywords', { from: '2024-12-31', to: '2025-01-02' })
  expect(early[0]?.message).toContain('as its description says: ')
  const slots = detailsOf('tour-supplier.update_availability', {
    option_id: '1',
    date: '2030-01-01',
    slots: { '9:00': 1 },
  })
  expect(slots[0]?.message).toContain('a time of day, written HH:MM')
})

test.each(all.map((app) => [app.slug, app] as const))(
  'the tools of %s have no group at the top, but say it',
  (_, app) => {
    for (const { definition, runs } of appTools(app, true)) {
      for (const word of ['anyOf', 'oneOf', 'allOf']) expect(definition.inputSchema).not.toHaveProperty(word)
      const isGrouped = typeof runs === 'object' && ('anyOf' in runs.inputSchema || 'oneOf' in runs.inputSchema)
      expect(/ Takes (at least|exactly) one of /.test(definition.description ?? '')).toBe(isGrouped)
    }
  },
)

test('every example fits its schema', () => {
  for (const [id, { app, name }] of endpoints)
    expect([id, detailsOf(id, exampleOf(app, name, new Date())?.input ?? {})]).toEqual([id, []])
})
