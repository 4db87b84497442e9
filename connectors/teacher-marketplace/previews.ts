import type { Preview } from '../kit/declared.ts'

export const product: Preview = {
  of: 'product_id',
  read: 'get_product',
  by: 'product_id',
  shows: ['title', 'price_cents', 'status', 'formats'],
  matters: ['title', 'price_cents', 'status', 'formats'],
  conclusive: true,
}

/** All that can be changed of it, as it is until then. */
export const wholeProduct: Preview = {
  ...product,
  shows: [
    'title',
    'price_cents',
    'additional_license_price_cents',
    'status',
    'description',
    'grades',
    'subjects',
    'tags',
  ],
  matters: [
    'title',
    'price_cents',
    'additional_license_price_cents',
    'status',
    'description',
    'grades',
    'subjects',
    'tags',
  ],
}
