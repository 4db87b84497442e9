import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { labelled, money } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, defaulted, oneOf, refTo } from '../kit/inputs.ts'
import { UnknownShape, fields, rows } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { product as thisProduct } from './previews.ts'
import { Decimal, ProductId, Visibility, decimal, formStamp, hundredths, visibility } from './shared.ts'

const productType = codec({
  digital: 'file',
  course: 'course',
  coaching: 'coaching',
  membership: 'club',
  physical: 'parcel',
})

const shown = 'visible: in the shop window; unlisted: only for who has the address; invisible: for nobody.'

const Product = {
  product_id: refTo('product', 'Pass it to update_product, list_orders or create_coupon.'),
  name: labelled('Product', Type.String({ description: 'The title under which it is sold now.' })),
  type: labelled(
    'Kind',
    oneOf(
      productType.words,
      'digital: a file to download; physical: something to ship; membership: sold by subscription.',
    ),
  ),
  price: labelled('Price', Decimal('What it costs, 0.00 when it is free')),
  visibility: Visibility(shown),
  url: Type.String({ description: "The whole address of the product's page for buyers." }),
}

const title = (description: string) => labelled('Title', Type.String({ minLength: 1, maxLength: 200, description }))
const description = (text: string) => labelled('Description', Type.String({ maxLength: 10_000, description: text }))
const price = labelled(
  'Price',
  money(
    { unit: 'major', currency: null },
    Type.String({
      pattern: String.raw`^\d{1,6}(\.\d{1,2})?$`,
      description: "The price in the shop's currency, such as 12.50; 0 is free, 100000.00 the most.",
    }),
  ),
)

function product(ware: Fields) {
  return {
    product_id: ware['ware_no'],
    name: ware['label'],
    type: productType.decode(ware['sort']),
    price: decimal(ware['price_cents']),
    visibility: visibility.decode(ware['shown']),
    url: ware['link'],
  }
}

export const list_products = endpoint({
  summary: 'List the products of your shop, newest first.',
  aliases: [
    'what do I sell',
    'my digital goods',
    'products on sale',
    'catalogue of the shop',
    'what is for sale right now',
    'what do I offer',
  ],
  label: 'List products',
  brief: ['type', 'visibility'],
  access: 'read',
  request: 'GET /my/wares',
  input: {
    type: Type.Optional(labelled('Kind', oneOf(productType.words, 'Only products of this type. All when left out.'))),
    visibility: Type.Optional(Visibility('Only visible, invisible or unlisted products. All when left out.')),
  },
  output: {
    products: Type.Array(closed(Product), { description: 'All that fit, newest first; empty when none does.' }),
  },
  encode: (input) => ({
    query: {
      sort: input.type && productType.encode(input.type),
      shown: input.visibility && visibility.encode(input.visibility),
    },
  }),
  decode: ({ wares }) => ({ products: rows(wares).map(product) }),
})

export const create_product = endpoint({
  summary: 'Create a digital product from a file at a public address; it is on sale at once unless it is invisible.',
  aliases: [
    'sell a new ebook',
    'upload a file to sell',
    'add a digital download',
    'new product',
    'list an item for sale',
  ],
  label: 'Create a product',
  brief: ['title', 'price', 'visibility', 'file_url'],
  approval: {
    headline: 'Create the product {title} for {price}[, {visibility}]',
    button: 'Create product',
    consequences: [
      { kind: 'public', text: 'On sale in the shop window at once', when: { visibility: ['visible'] } },
      { kind: 'public', text: 'On sale at once, only for who has the address', when: { visibility: ['unlisted'] } },
      { kind: 'other', text: 'Nobody sees it; it is not on sale', when: { visibility: ['invisible'] } },
      { kind: 'money', text: 'Buyers pay {price} for it', when: { visibility: ['visible', 'unlisted'] } },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_products' }],
  preview: [],
  verify: {
    read: 'list_products',
    at: 'products',
    id: 'product_id',
    same: { name: 'title', price: 'price', visibility: 'visibility' },
  },
  access: 'write',
  confirm: true,
  request: 'POST /desk/wares',
  input: {
    file_url: labelled(
      'File',
      Type.String({
        minLength: 1,
        maxLength: 2000,
        description: 'The http or https address of the file that buyers get, reachable without signing in.',
      }),
    ),
    title: title('The name of the product.'),
    price,
    description: Type.Optional(description('What buyers read about it. Empty when left out.')),
    visibility: defaulted(Visibility(shown), 'visible'),
  },
  output: Product,
  csrf: formStamp,
  answer: 'redirect',
  after: 'GET /my/wares',
  encode: (input) => ({
    form: {
      label: input.title,
      pitch: input.description,
      price_cents: hundredths(input.price),
      shown: visibility.encode(input.visibility),
      file_from: input.file_url,
    },
  }),
  decode: ({ wares }, { location }) => {
    const [, added] = /^desk\/wares\/([^/?]+)\?done=added$/.exec(location) ?? []
    const made = rows(wares).find(({ ware_no }) => ware_no === added)
    if (!made) throw new UnknownShape('led elsewhere')
    return product(made)
  },
})

export const update_product = endpoint({
  summary: 'Change the title, price, description or visibility of a product; what you leave out stays as it is.',
  aliases: [
    'change the price of a product',
    'edit the description',
    'hide a product',
    'rename an item',
    'make invisible',
    'make the planner cheaper',
    'lower the price of the ebook',
    'rewrite the blurb',
    'take the template out of sight',
  ],
  label: 'Change a product',
  brief: ['product_id', 'title', 'price', 'visibility'],
  approval: {
    headline:
      'Change {product_id}[, price to {price}][, visibility to {visibility}][, title to {title}][, description to {description}]',
    button: 'Change product',
    consequences: [
      { kind: 'money', text: '[The price goes from {product_id.price} to {price}]' },
      { kind: 'public', text: 'It is on sale in the shop window', when: { visibility: ['visible'] } },
      { kind: 'public', text: 'Only who has the address sees it', when: { visibility: ['unlisted'] } },
      { kind: 'public', text: 'Nobody can see it in the shop', when: { visibility: ['invisible'] } },
      { kind: 'public', text: 'Whoever can see the product sees the change at once' },
      { kind: 'other', text: '[{description|new text becomes|new texts become} its description]' },
      { kind: 'other', text: 'Its description is taken away', when: { description: [''] } },
    ],
  },
  effect: 'changes',
  shownBy: [{ read: 'list_products' }],
  preview: [thisProduct],
  access: 'write',
  confirm: true,
  request: 'PATCH /my/wares/{product_id}',
  input: {
    product_id: ProductId,
    title: Type.Optional(title('The new name. Past orders keep the old one.')),
    price: Type.Optional(price),
    description: Type.Optional(description('What buyers are to read about it; an empty text takes it away.')),
    visibility: Type.Optional(Visibility(shown)),
  },
  atLeastOne: ['title', 'price', 'description', 'visibility'],
  output: {
    ...Product,
    description: Type.String({ description: 'What buyers read about it now; may be empty.' }),
  },
  encode: (input) => ({
    json: {
      label: input.title,
      price_cents: input.price === undefined ? undefined : hundredths(input.price),
      pitch: input.description,
      shown: input.visibility && visibility.encode(input.visibility),
    },
  }),
  decode: ({ ware }) => ({ ...product(fields(ware)), description: fields(ware)['pitch'] }),
})
