import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, cursor, defaulted, described, limit, nextCursor, NullableText, oneOf } from '../kit/inputs.ts'
import { ledTo } from '../kit/location.ts'
import { number, textOrNull } from '../kit/wire.ts'
import { listQuery, pageOf } from './lists.ts'
import { product as thisProduct, productToSwitch, wholeProduct } from './previews.ts'
import { Product, chosen, details, priceCents, product, title } from './product.ts'
import { Count, Price, ProductId, Status, Which, formPass, fromDollars, reference, shelf, toDollars } from './shared.ts'

const types = codec({ digital_download: 'download', bundle: 'bundle', video: 'video', cloud_resource: 'cloud' })

const fileUrl = labelled(
  'File address',
  Type.String({
    minLength: 1,
    maxLength: 2000,
    description:
      'The http or https address of the file, reachable without signing in, ending in .pdf, .docx, .pptx, .xlsx, .zip, .png, .jpg or .mp3.',
  }),
)

export const list_products = endpoint({
  summary: "List the store's products, newest first.",
  aliases: [
    'my resources',
    'worksheets in my store',
    'what do I sell',
    'products in draft',
    'list of teaching material',
  ],
  label: 'List products',
  brief: ['status', 'type', 'custom_category'],
  access: 'read',
  request: 'GET /dash/goods',
  input: {
    status: defaulted(
      labelled('Status', oneOf([...shelf.words, 'all'], 'Only products with this status; buyers see active ones.')),
      'all',
    ),
    type: defaulted(labelled('Type', oneOf([...types.words, 'all'], 'Only products of this type.')), 'all'),
    custom_category: Type.Optional(
      labelled(
        'Category',
        Type.String({
          maxLength: 60,
          description:
            "Only products in this category of the store's own, exactly as in list_products; empty for those in none.",
        }),
      ),
    ),
    limit: limit(50),
    cursor,
  },
  output: {
    products: Type.Array(
      closed({
        ...Which,
        type: labelled(
          'Type',
          Type.Enum(types.words, {
            type: 'string',
            description: 'What kind of product it is; upload_revised_file takes digital_download only.',
          }),
        ),
        price_cents: Price,
        status: Status,
        custom_category: described(
          NullableText,
          "The category of the store's own that it is in; null when it is in none.",
        ),
      }),
      { description: 'One page of the products, newest first.' },
    ),
    next_cursor: nextCursor,
  },
  encode: ({ status, type, custom_category, limit: size }, { anchor }) => ({
    query: listQuery(
      {
        shelf: status === 'all' ? 'any' : shelf.encode(status),
        sort: type === 'all' ? 'any' : types.encode(type),
        drawer: custom_category,
      },
      { limit: size, anchor },
    ),
  }),
  decode: (list, { input, anchor, cursor: sealed }) => {
    const { items, next } = pageOf(list, { limit: input.limit, anchor })
    const products = items.map(({ no, name, sort, cost, shelf: stands, drawer }) => ({
      product_id: reference(no),
      title: name,
      type: types.decode(sort),
      price_cents: fromDollars(cost),
      status: shelf.decode(stands),
      custom_category: textOrNull(drawer),
    }))
    return { products, next_cursor: sealed(next) }
  },
})

export const get_product = endpoint({
  summary: 'Read one product in full, with its prices, grades, subjects, tags and file.',
  aliases: ['details of a resource', 'what does my worksheet cost', 'grades and tags of a product', 'open a product'],
  label: 'Show a product',
  brief: ['product_id'],
  access: 'read',
  request: 'GET /dash/goods/{product_id}',
  input: { product_id: ProductId },
  output: Product,
  decode: ({ good }) => product(good),
})

export const create_product = endpoint({
  summary: 'Create a digital download from a file; buyers see it at once only if status is active.',
  aliases: [
    'upload a worksheet',
    'sell a new resource',
    'add a lesson plan to my store',
    'new teaching material',
    'new product',
  ],
  label: 'Create a product',
  brief: ['title', 'price_cents', 'status'],
  approval: {
    headline: 'Create {title} for {price_cents}[ as an {status} product]',
    button: 'Create[ {status}] product',
    consequences: [
      { kind: 'public', text: 'Buyers see it in your store at once', when: { status: ['active'] } },
      { kind: 'money', text: '[Each further license costs {additional_license_price_cents}]' },
      { kind: 'other', text: 'Only you see it until it is made active', when: { status: ['inactive'] } },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_products' }],
  preview: [],
  verify: {
    read: 'list_products',
    set: { limit: 100 },
    at: 'products',
    id: 'product_id',
    same: { title: 'title', price_cents: 'price_cents', status: 'status' },
  },
  access: 'write',
  confirm: true,
  request: 'POST /dash/goods',
  before: '/dash/lists',
  input: {
    title,
    price_cents: priceCents,
    file_url: fileUrl,
    ...details,
    custom_category: Type.Optional(
      labelled(
        'Category',
        Type.String({ maxLength: 60, description: "A category of the store's own, one line; a new one is made." }),
      ),
    ),
    status: defaulted(
      labelled('Status', oneOf(['inactive', 'active'], 'active: live for buyers at once. inactive: only you see it.')),
      'inactive',
    ),
  },
  output: Product,
  encode: (input, { before }) => ({
    json: {
      name: input.title,
      cost: toDollars(input.price_cents),
      link: input.file_url,
      more_cost: toDollars(input.additional_license_price_cents),
      about: input.description,
      ...chosen(input, before),
      labels: input.tags,
      drawer: input.custom_category,
      shelf: shelf.encode(input.status),
    },
  }),
  decode: ({ good }) => product(good),
})

export const update_product = endpoint({
  summary:
    'Change the title, description, prices, grades, subjects or tags of a product, for buyers at once if it is active.',
  aliases: [
    'change the price of a worksheet',
    'edit the title or tags',
    'change the description of a resource',
    'edit product',
    'rename the unit',
    'say that it fits grade four',
  ],
  label: 'Change a product',
  brief: ['product_id', 'title', 'price_cents'],
  approval: {
    headline:
      'Change {product_id}[, its price from {product_id.price_cents} to {price_cents}][, each further license to {additional_license_price_cents}][, its title to {title}][, its description to {description}][, its grades to {grades}][, its subjects to {subjects}][, its tags to {tags}]',
    button: 'Change product',
    consequences: [
      { kind: 'money', text: '[The price becomes {price_cents}]' },
      { kind: 'money', text: '[The price of each further license becomes {additional_license_price_cents}]' },
      { kind: 'public', text: 'Buyers see the change at once if the product is active' },
    ],
  },
  effect: 'changes',
  shownBy: [{ read: 'get_product', from: { product_id: 'product_id' } }],
  preview: [wholeProduct],
  verify: {
    read: 'get_product',
    from: { product_id: 'product_id' },
    same: {
      product_id: 'product_id',
      title: 'title',
      price_cents: 'price_cents',
      description: 'description',
      additional_license_price_cents: 'additional_license_price_cents',
      grades: 'grades',
      subjects: 'subjects',
      tags: 'tags',
    },
  },
  access: 'write',
  confirm: true,
  request: 'PATCH /dash/goods/{product_id}',
  before: '/dash/lists',
  input: {
    product_id: ProductId,
    title: Type.Optional(title),
    price_cents: Type.Optional(priceCents),
    ...details,
  },
  atLeastOne: ['title', 'price_cents', 'description', 'additional_license_price_cents', 'grades', 'subjects', 'tags'],
  output: Product,
  encode: (input, { before }) => ({
    json: {
      name: input.title,
      cost: toDollars(input.price_cents),
      more_cost: toDollars(input.additional_license_price_cents),
      about: input.description,
      ...chosen(input, before),
      labels: input.tags,
    },
  }),
  decode: ({ good }) => product(good),
})

export const set_product_status = endpoint({
  summary: 'Put a product on sale, live for buyers at once, or take it off; past buyers keep their downloads.',
  aliases: [
    'put a resource on sale',
    'take a worksheet off the store',
    'deactivate a product',
    'make a product active',
    'publish a product',
    'pull the worksheet',
    'put it up for sale',
    'take it down',
  ],
  label: 'Change product status',
  brief: ['product_id', 'status'],
  approval: {
    headline: 'Make {product_id} {status} in your store',
    button: 'Make {status}',
    consequences: [
      { kind: 'public', text: 'Buyers see it at once', when: { status: ['active'] } },
      { kind: 'money', text: '[Its price is {product_id.price_cents}, before any sale]', when: { status: ['active'] } },
      { kind: 'public', text: 'Buyers no longer see it', when: { status: ['inactive'] } },
      { kind: 'other', text: 'Past buyers keep their downloads', when: { status: ['inactive'] } },
    ],
  },
  effect: 'changes',
  shownBy: [{ read: 'get_product', from: { product_id: 'product_id' } }],
  preview: [productToSwitch],
  verify: {
    read: 'get_product',
    from: { product_id: 'product_id' },
    same: { product_id: 'product_id', status: 'status' },
  },
  access: 'write',
  confirm: true,
  request: 'POST /shop/goods/{product_id}/shelf',
  input: {
    product_id: ProductId,
    status: labelled('New status', oneOf(shelf.words, 'The new status; another one than it has.')),
  },
  output: { product_id: Which.product_id, status: Status },
  csrf: formPass,
  encode: ({ status }) => ({ form: { shelf: shelf.encode(status) } }),
  answer: 'redirect',
  decode: (_answer, { input, location }) => {
    const { product_id, status } = input
    ledTo(location, `shop/goods/${encodeURIComponent(product_id)}`, { done: shelf.encode(status) })
    return { product_id, status }
  },
})

export const upload_revised_file = endpoint({
  summary: 'Replace the file of a digital download, for past buyers too, and tell them if you wish.',
  aliases: [
    'new version of the file',
    'corrected worksheet',
    'replace the pdf',
    'fix a mistake in the download',
    'update file for buyers',
    'there was an error in it, here is the right one',
  ],
  label: 'Replace the file of a product',
  brief: ['product_id', 'file_url', 'notify_buyers'],
  approval: {
    headline: 'Replace the file of {product_id}[ with {file_url}]',
    button: 'Replace file',
    consequences: [
      { kind: 'people', text: 'Everybody who bought it gets an e-mail', when: { notify_buyers: [true] } },
      { kind: 'people', text: 'Past buyers get the new file too' },
      { kind: 'other', text: 'Past buyers get no e-mail about it', when: { notify_buyers: [false] } },
    ],
  },
  effect: 'changes',
  shownBy: [{ read: 'get_product', from: { product_id: 'product_id' } }],
  preview: [thisProduct],
  access: 'write',
  confirm: true,
  request: 'POST /shop/goods/{product_id}/file',
  input: {
    product_id: ProductId,
    file_url: fileUrl,
    notify_buyers: defaulted(
      labelled(
        'Email past buyers',
        Type.Boolean({ description: 'true: everybody who bought it is emailed, each once.' }),
      ),
      false,
    ),
    note: Type.Optional(
      labelled(
        'Note to buyers',
        Type.String({ maxLength: 1000, description: 'What changed, for that email; only with notify_buyers true.' }),
      ),
    ),
  },
  output: {
    product_id: Which.product_id,
    revision: Type.Integer({ description: 'The number of this file, counted from 1.' }),
    notified_buyers: described(Count, 'How many past buyers were emailed, each once; 0 unless notify_buyers is true.'),
  },
  csrf: formPass,
  encode: ({ file_url, notify_buyers, note }) => ({
    form: { link: file_url, tell: notify_buyers ? 'yes' : 'no', note },
  }),
  answer: 'redirect',
  decode: (_answer, { input, location }) => {
    const page = `shop/goods/${encodeURIComponent(input.product_id)}`
    const { query } = ledTo(location, page, { done: 'file' })
    return {
      product_id: input.product_id,
      revision: number(query.get('revision')),
      notified_buyers: number(query.get('told')),
    }
  },
})
