import type { Take } from '../record.ts'

const event = { event_id: 'linden/sommer' }
const gone = { event_id: 'linden/nope' }
const order = (order_id: string, more: object = {}) => ({ ...event, order_id, ...more })
const reading = (order_id: string) => ({ event_id: 'linden/lesung', order_id })
const letter = { subject: 'Doors & times', message: 'Hello,\n\n*doors* open at six: {url}' }
const comment = { comment: 'Aisle seat, please.\nSecond line.' }
const voucher = {
  code: 'SUMMER-2031',
  max_usages: 5,
  price_effect: 'percent',
  value: '15.00',
  valid_until: '2031-08-01',
}

type Case = readonly [endpoint: string, name: string, kind: string, input: Readonly<Record<string, unknown>>]

/** In this order: some depend on earlier ones. */
const cases: readonly Case[] = [
  ['list_events', 'all', 'success', {}],
  ['list_events', 'none', 'empty', { search: 'nothing like it' }],
  ['get_event', 'concert', 'success', event],
  ['get_event', 'gone', 'not_found', gone],
  ['list_products', 'all', 'success', event],
  ['list_products', 'gone', 'not_found', gone],
  ['list_orders', 'first-page', 'success', event],
  ['list_orders', 'none', 'empty', { ...event, search: 'nothing like it' }],
  ['list_orders', 'gone', 'not_found', gone],
  ['get_order', 'pending', 'success', order('SOMAB')],
  ['get_order', 'to-approve', 'free', reading('LESAA')],
  ['get_order', 'gone', 'not_found', order('NOPEX')],
  ['list_check_in_lists', 'all', 'success', event],
  ['list_check_in_lists', 'gone', 'not_found', gone],
  ['list_attendees', 'here', 'success', { ...event, check_in_list_id: '1', search: 'Ada' }],
  ['list_attendees', 'none', 'empty', { ...event, check_in_list_id: '1', search: 'nothing like it' }],
  ['list_attendees', 'gone', 'not_found', { ...event, check_in_list_id: '99' }],
  ['list_vouchers', 'all', 'success', event],
  ['list_vouchers', 'none', 'empty', { event_id: 'linden/lesung' }],
  ['list_vouchers', 'gone', 'not_found', gone],
  ['get_voucher', 'percent', 'success', { ...event, voucher_id: 'FRIENDS10' }],
  ['get_voucher', 'gone', 'not_found', { ...event, voucher_id: 'NOTHING' }],
  ['list_quotas', 'all', 'success', event],
  ['list_quotas', 'gone', 'not_found', gone],
  ['set_quota_size', 'larger', 'success', { ...event, quota_id: '1', size: 130 }],
  ['set_quota_size', 'gone', 'not_found', { ...event, quota_id: '99', size: 1 }],
  ['comment_order', 'kept-fields', 'success', order('SOMAB', comment)],
  ['comment_order', 'gone', 'not_found', order('NOPEX', comment)],
  ['change_order_email', 'another', 'success', order('SOMAE', { email: 'another@mail.example' })],
  ['change_order_email', 'no-address', 'refused', order('SOMAE', { email: 'another@nowhere' })],
  ['change_order_email', 'gone', 'not_found', order('NOPEX', { email: 'another@mail.example' })],
  ['mark_order_paid', 'in-full', 'success', order('SOMAB')],
  ['mark_order_paid', 'paid-before', 'refused', order('SOMAB')],
  ['mark_order_paid', 'gone', 'not_found', order('NOPEX')],
  ['cancel_order', 'unpaid', 'success', order('SOMBC', { message: 'Rained off.' })],
  ['cancel_order', 'paid', 'paid', order('SOMBA', { tell_customer: false })],
  ['cancel_order', 'canceled-before', 'refused', order('SOMBC')],
  ['cancel_order', 'gone', 'not_found', order('NOPEX')],
  ['approve_order', 'free', 'success', reading('LESAA')],
  ['approve_order', 'approved-before', 'refused', reading('LESAA')],
  ['approve_order', 'gone', 'not_found', reading('NOPEX')],
  ['send_order_email', 'with-link', 'success', order('SOMAD', letter)],
  ['send_order_email', 'bad-placeholder', 'refused', order('SOMAD', { ...letter, message: 'Hello {nobody}' })],
  ['send_order_email', 'gone', 'not_found', order('NOPEX', letter)],
  ['resend_order_link', 'sent', 'success', order('SOMAD')],
  ['resend_order_link', 'gone', 'not_found', order('NOPEX')],
  ['list_order_emails', 'two', 'success', order('SOMAD')],
  ['list_order_emails', 'none', 'empty', order('SOMAC')],
  ['list_order_emails', 'gone', 'not_found', order('NOPEX')],
  ['create_voucher', 'percent', 'success', { ...event, ...voucher }],
  ['create_voucher', 'same-code', 'refused', { ...event, code: voucher.code }],
  ['create_voucher', 'gone', 'not_found', { ...gone, code: voucher.code }],
]

/** Records pretix's connector on its seeded data; each success also without a session. */
export async function recordings(take: Take): Promise<void> {
  for (const [endpoint, name, kind, input] of cases) {
    await take({ endpoint, name, kind, input })
    if (kind === 'success') await take({ endpoint, name: 'signed-out', input })
  }
}
