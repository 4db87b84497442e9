import type { Thing } from '../kit/declared.ts'

export const things: Readonly<Record<string, Thing>> = {
  order: {
    label: 'order',
    toldBy: [
      { read: 'get_order', by: 'order_id', id: 'order_id' },
      { read: 'list_orders', at: 'orders', id: 'order_id' },
    ],
    title: ['email'],
    facts: ['amount_gross', 'date', 'status'],
  },
  product: {
    label: 'product',
    toldBy: [{ read: 'list_products', at: 'products', id: 'product_id' }],
    title: ['name'],
    facts: ['price', 'visibility', 'type'],
  },
  subscription: {
    label: 'subscription',
    toldBy: [{ read: 'list_subscribers', at: 'subscribers', id: 'subscription_id' }],
    title: ['email'],
    facts: ['product_name', 'plan_name', 'status', 'started'],
  },
}
