import { expect, test } from 'vitest'
import { readsThatShow } from '../../web/calls/reads-that-show.ts'
import { loadApps } from '../../connectors/registry.ts'

const apps = loadApps({ sandboxUrl: 'http://localhost:8090' })

function readsOf(slug: string, name: string): readonly string[] {
  const app = apps.get(slug)
  const write = app?.endpoints.get(name)
  if (app === undefined || write === undefined) throw new Error(`no ${slug}.${name}`)
  return readsThatShow(app, write).map((read) => read.name)
}

test.for([
  ['property-advertising', 'reply_to_contact', 'get_conversation'],
  ['property-advertising', 'update_listing', 'get_listing'],
  ['salon', 'book_appointment', 'list_appointments'],
  ['salon', 'notify_waitlist', 'list_waitlist'],
  ['crm', 'send_invoice', 'list_invoices'],
  ['course-school', 'enroll_student', 'list_students'],
  ['invitations', 'add_guests', 'list_guests'],
  ['tour-activity', 'close_dates', 'get_availability'],
  ['travel-booking', 'cancel_booking', 'get_booking'],
  ['video-streaming', 'publish_video', 'get_video'],
  ['question-answer', 'post_answer', 'list_my_answers'],
  ['tour-supplier', 'reply_to_message', 'list_messages'],
] as const)('what became of %s.%s is looked up with %s', ([app, write, read]) => {
  expect(readsOf(app, write)).toContain(read)
})

test('nearly every write has a read that may show it, of its own app', () => {
  const writes = apps.all.flatMap((app) =>
    [...app.endpoints.values()].filter(({ access }) => access === 'write').map((write) => ({ app, write })),
  )
  const without = writes.filter(({ app, write }) => {
    const reads = readsThatShow(app, write)
    for (const read of reads) expect([read.app, read.access]).toEqual([app.slug, 'read'])
    return reads.length === 0
  })
  expect(without.length).toBeLessThan(writes.length * 0.05)
})
