import type { Preview } from '../kit/declared.ts'

export const order: Preview = {
  of: 'order_id',
  read: 'get_order',
  by: 'order_id',
  shows: ['email', 'amount_gross', 'date', 'status'],
  matters: ['email', 'amount_gross', 'status'],
  conclusive: true,
}

/** The list is complete: all products of the shop. */
export const product: Preview = {
  of: 'product_id',
  read: 'list_products',
  at: 'products',
  id: 'product_id',
  shows: ['name', 'price', 'visibility', 'type'],
  matters: ['name', 'price', 'visibility'],
  conclusive: true,
}
