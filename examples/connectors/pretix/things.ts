import type { Thing } from '@callgate/kit'

export const things: Readonly<Record<string, Thing>> = {
  event: {
    label: 'event',
    toldBy: [
      { read: 'get_event', by: 'event_id', id: 'event_id' },
      { read: 'list_events', at: 'events', id: 'event_id' },
    ],
    title: ['name'],
    facts: ['status'],
  },
  order: {
    label: 'order',
    toldBy: [
      { read: 'get_order', by: 'order_id', id: 'order_id' },
      { read: 'list_orders', at: 'orders', id: 'order_id' },
    ],
    title: ['order_id'],
    facts: ['status', 'email', 'total'],
  },
  product: {
    label: 'product',
    toldBy: [{ read: 'list_products', at: 'products', id: 'product_id' }],
    title: ['name'],
    facts: [],
  },
  quota: {
    label: 'quota',
    toldBy: [{ read: 'list_quotas', at: 'quotas', id: 'quota_id' }],
    title: ['name'],
    facts: ['size', 'availability'],
  },
  check_in_list: {
    label: 'check-in list',
    toldBy: [{ read: 'list_check_in_lists', at: 'check_in_lists', id: 'check_in_list_id' }],
    title: ['name'],
    facts: [],
  },
  voucher: {
    label: 'voucher',
    toldBy: [
      { read: 'get_voucher', by: 'voucher_id', id: 'voucher_id' },
      { read: 'list_vouchers', at: 'vouchers', id: 'voucher_id' },
    ],
    title: ['voucher_id'],
    facts: ['redeemed', 'max_usages'],
  },
}
