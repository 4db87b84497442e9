import type { Preview } from '../kit/declared.ts'

export const product: Preview = {
  of: 'product_id',
  read: 'get_product',
  by: 'product_id',
  shows: ['title', 'price_cents', 'status', 'formats'],
  matters: ['title', 'price_cents', 'status', 'formats'],
  conclusive: true,
}

/** The app refuses to set the current status again. */
export const productToSwitch: Preview = { ...product, rules: [{ field: 'status', isNot: 'status' }] }

/** All fields that an update can change, with their current values. */
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
