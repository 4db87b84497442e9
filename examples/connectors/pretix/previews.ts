import type { Preview } from '@callgate/kit'

export const shownEvent: Preview = {
  of: 'event_id',
  read: 'get_event',
  by: 'event_id',
  shows: ['name', 'when'],
  matters: ['name'],
  conclusive: true,
}

export const shownOrder = {
  of: 'order_id',
  read: 'get_order',
  by: 'order_id',
  from: { event_id: 'event_id' },
  shows: ['order_id', 'email', 'positions', 'total', 'status'],
  matters: ['email', 'total', 'status'],
  conclusive: true,
} as const satisfies Preview

export const shownQuota: Preview = {
  of: 'quota_id',
  read: 'list_quotas',
  from: { event_id: 'event_id' },
  at: 'quotas',
  id: 'quota_id',
  shows: ['name', 'size', 'availability'],
  matters: ['name', 'size'],
}

export const shownProduct: Preview = {
  of: 'product_id',
  read: 'list_products',
  from: { event_id: 'event_id' },
  at: 'products',
  id: 'product_id',
  shows: ['name'],
  matters: ['name'],
}
