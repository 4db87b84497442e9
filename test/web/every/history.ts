import { accept } from '../../../core/calls/accept.ts'
import { connect } from '../../../core/accounts/sessions.ts'
import { settle } from '../../../core/calls/rows.ts'
import type { Context } from '../../../core/context.ts'
import { createKey } from '../../../core/keys/rows.ts'
import type { StoppedClock } from '../../support/stopped-clock.ts'

type Ending = 'executed' | 'failed' | 'waits'
/** How many days and hours ago, what, and what came of it. */
type Line = readonly [daysAgo: number, hour: number, action: string, ending: Ending, input: Record<string, unknown>]

const listing = { listing_id: 'CV-10071' }
const reads: readonly Line[] = [14, 12, 11, 9, 8, 8, 7, 5, 4, 2, 1, 1].map((daysAgo, place) => [
  daysAgo,
  8 + (place % 9),
  ['property-advertising list_contacts', 'salon list_locations', 'crm list_form_templates'][place % 3]!,
  place === 4 ? 'failed' : 'executed',
  {},
])
const lines: readonly Line[] = [
  ...reads,
  [10, 9, 'crm send_invoice', 'executed', { invoice_id: 'QmlsbDoxMDE3MQ==' }],
  [6, 16, 'property-advertising update_listing', 'executed', { ...listing, fields: { price: 412_000 } }],
  [3, 11, 'salon reply_to_review', 'executed', { review_id: 'r1000555', reply: 'Thank you, Renée! See you soon.' }],
  [2, 15, 'salon cancel_appointment', 'failed', { appointment_id: 'v1000306', notify_client: true }],
  [0, 8, 'salon list_reviews', 'executed', { unanswered_only: true }],
  [0, 9, 'property-advertising get_listing', 'executed', listing],
  [0, 10, 'property-advertising update_listing', 'waits', { ...listing, fields: { price: 398_000 } }],
  [
    0,
    11,
    'crm record_manual_payment',
    'waits',
    { invoice_id: 'QmlsbDoxMDE4MQ==', amount: '958.28', method: 'bank_transfer', received_on: '2026-11-11' },
  ],
  [
    0,
    13,
    'salon notify_waitlist',
    'waits',
    {
      waitlist_entry_ids: ['w1000446', 'w1000447'],
      message: 'A place is free at 11:00. Write back if you would like it.',
    },
  ],
]

/** Two weeks in which agents worked for `owner`, so that lists, plots and pages have something to show. The clock is then at `now` again. */
export async function liveThrough(ctx: Context, clock: StoppedClock, owner: string, now: Date): Promise<void> {
  const { id: keyId } = await createKey(ctx, { owner, name: 'Claude on my laptop', apps: null })
  const session = { cookies: [], user_agent: null }
  const accounts = new Map<string, string>()
  for (const [app, label] of [
    ['property-advertising', 'Harbour Homes'],
    ['crm', 'Studio Prado'],
    ['salon', 'Salon Jardins'],
  ] as const)
    accounts.set(app, await connect(ctx, { owner, app, externalId: label, label, session }))
  for (const [daysAgo, hour, action, ending, input] of lines.toSorted(([a, x], [b, y]) => b - a || x - y)) {
    await clock.moveTo(new Date(now.getTime() - daysAgo * 86_400_000 - (now.getUTCHours() - hour) * 3_600_000))
    const [app = '', name = ''] = action.split(' ')
    const endpoint = ctx.apps.get(app)?.endpoints.get(name)
    if (endpoint === undefined) throw new Error(`no endpoint ${action}`)
    const request = { owner, keyId, endpoint, input, account: accounts.get(app), idempotencyKey: undefined }
    const { callId } = await accept(ctx, {
      ...request,
      ...(ending === 'waits' && { why: 'You asked me to this morning.' }),
    })
    if (ending === 'waits') continue
    await ctx.db.query(
      `UPDATE calls SET status = 'running', decision = 'approved', decided_by = $2, decided_at = clock_timestamp()
       WHERE id = $1 AND status = 'awaiting_confirmation'`,
      [callId, owner],
    )
    const end = ending === 'failed' ? { status: ending, code: 'app_rejected' } : { status: ending }
    await settle(ctx.db, callId, null, end)
  }
  await clock.moveTo(now)
}
