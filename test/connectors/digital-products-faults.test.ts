import { meetsFaults } from './fault-table.ts'

meetsFaults({
  slug: 'digital-products',
  read: ['list_products', { type: 'course' }],
  writes: [
    ['resend_receipt', { order_id: 'S-101717' }],
    ['add_order_note', { order_id: 'S-101717', note: 'Called.' }],
    ['update_product', { product_id: 'W-100044', price: '7.00' }],
    ['create_coupon', { code: 'FAULT-5', discount: '5%', scope: 'collection', collection: 'Start here' }],
  ],
  submitPath: '/desk/sales',
})
