import { Type } from 'typebox'
import { fromCompact, toCompact } from '../kit/dates.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, day, described, refTo } from '../kit/inputs.ts'
import { UnknownShape, fields, rows, text } from '../kit/wire.ts'
import { Day, Decimal, decimal } from './shared.ts'

const UtcDay = described(Day, 'The day, in UTC, that the figure counts from midnight to midnight.')
const ProductName = Type.String({ description: 'What the product is called now, whatever it was sold as.' })

export const get_sales_stats = endpoint({
  summary: 'Show the views and sales of your shop day by day, and what each product sold for, between two days.',
  aliases: [
    'how are sales going',
    'views and sales per day',
    'revenue of my shop',
    'how much did I earn this month',
    'best selling product',
    'conversion',
    'store traffic',
    'how did the shop do last week',
    'which product sells best',
    'how many people visited',
  ],
  label: 'Show sales figures',
  brief: ['from', 'to'],
  access: 'read',
  request: 'GET /my/figures',
  input: {
    from: labelled('First day', day('The first day, in UTC.')),
    to: labelled('Last day', day('The last day, in UTC; it is included. At most ten years after from.')),
  },
  output: {
    daily_views: Type.Array(
      closed({
        date: UtcDay,
        views: Type.Integer({ description: 'Views by logged-in users are not counted.' }),
      }),
      { description: 'One entry for each day from the first to the last, in order.' },
    ),
    daily_sales: Type.Array(
      closed({ date: UtcDay, amount: Decimal('Sales of the day, later refunds not taken off') }),
      { description: 'One entry for each day from the first to the last, in order.' },
    ),
    sales_by_product: Type.Array(
      closed({
        product_id: refTo('product', 'Pass it to list_orders to see the orders with this product.'),
        name: ProductName,
        amount: Decimal('What it sold for, later refunds not taken off'),
      }),
      { description: 'The products that were sold in the time, most first.' },
    ),
  },
  encode: ({ from, to }) => ({ query: { first: toCompact(from), last: toCompact(to) } }),
  decode: ({ figures }) => {
    const { days, by_ware } = fields(figures)
    return {
      daily_views: rows(days).map(({ on, looks }) => ({ date: fromCompact(on), views: looks })),
      daily_sales: rows(days).map(({ on, cents }) => ({ date: fromCompact(on), amount: decimal(cents) })),
      sales_by_product: rows(by_ware).map(({ ware_no, label, cents }) => ({
        product_id: ware_no,
        name: label,
        amount: decimal(cents),
      })),
    }
  },
})

export const get_sales_report = endpoint({
  summary: 'Show the taxes, fees, products sold and affiliate sales of a month; one that has not ended is incomplete.',
  aliases: [
    'monthly report',
    'taxes of last month',
    'fees that I paid',
    'affiliate sales',
    'tax report',
    'accounting for a month',
    'numbers for my tax advisor',
    'how much tax did I collect',
  ],
  label: 'Show a monthly report',
  brief: ['month'],
  access: 'read',
  request: 'GET /my/books/{month}',
  segments: { month: toCompact },
  input: {
    month: labelled(
      'Month',
      Type.String({
        pattern: String.raw`^\d{4}-(0[1-9]|1[0-2])$`,
        description: 'The month, in UTC; it must have begun. Written YYYY-MM.',
      }),
    ),
  },
  output: {
    month: Type.String({
      pattern: String.raw`^\d{4}-\d\d$`,
      description: 'The month that you asked for, YYYY-MM, in UTC.',
    }),
    eu_uk_vat: Decimal("VAT of the EU and UK in the month's sales"),
    processor_fees: Decimal("What payment processors took of the month's sales"),
    platform_fees: Decimal("The app's own fees on the month's sales"),
    custom_taxes: Decimal("The shop's own taxes in the month's sales"),
    products_sold: Type.Array(
      closed({
        name: ProductName,
        items: Type.Integer({ description: 'How many copies were sold, later refunds not taken off.' }),
      }),
      { description: 'What was sold in the month, most copies first; empty when nothing was.' },
    ),
    affiliate_commission: Decimal("What affiliates earn on the month's sales"),
    affiliate_sales: Type.Integer({ description: 'How many orders came through affiliates.' }),
  },
  decode: ({ books }) => {
    const report = fields(books)
    return {
      month: fromMonth(report['month']),
      eu_uk_vat: decimal(report['euro_brit_tax']),
      processor_fees: decimal(report['processor_cuts']),
      platform_fees: decimal(report['house_cuts']),
      custom_taxes: decimal(report['other_taxes']),
      products_sold: rows(report['sold']).map(({ label, copies }) => ({ name: label, items: copies })),
      affiliate_commission: decimal(report['partner_cents']),
      affiliate_sales: report['partner_deals'],
    }
  },
})

/** Converts `202611` into `2026-11`. */
function fromMonth(value: unknown): string {
  const found = /^(\d{4})(\d\d)$/.exec(text(value))
  if (!found) throw new UnknownShape('not a month as YYYYMM')
  return found.slice(1).join('-')
}
