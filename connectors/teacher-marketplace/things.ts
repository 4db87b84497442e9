import type { Thing } from '../kit/declared.ts'

export const things: Readonly<Record<string, Thing>> = {
  product: {
    label: 'product',
    toldBy: [
      { read: 'get_product', by: 'product_id', id: 'product_id' },
      { read: 'list_products', at: 'products', id: 'product_id' },
    ],
    title: ['title'],
    facts: ['price_cents', 'status', 'type'],
  },
  question: {
    label: 'question',
    toldBy: [{ read: 'list_buyer_questions', at: 'questions', id: 'question_id' }],
    title: ['question'],
    facts: ['product.title', 'asked_by', 'asked_at', 'answer.text'],
  },
}
