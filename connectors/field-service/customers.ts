import { Type } from 'typebox'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { NullableText, closed, defaulted, described } from '../kit/inputs.ts'
import { rows, textOrNull } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import {
  CustomerName,
  CustomerNumber,
  CustomerRef,
  OrderRef,
  PageNumber,
  ServiceType,
  StatusOrStage,
  data,
  page,
  pageQuery,
  ref,
  stages,
  statuses,
} from './shared.ts'

const Customer = {
  customer_number: CustomerRef,
  name: CustomerName,
  email: labelled(
    'Email',
    described(
      NullableText,
      "Where estimates and invoices are emailed to; when null, the primary contact's address is used.",
    ),
  ),
  phone: labelled(
    'Phone number',
    described(NullableText, 'Their phone number, as it was written; null when there is none.'),
  ),
  service_address: labelled(
    'Service address',
    described(NullableText, 'Where the work is done, in one line; null when the app does not know.'),
  ),
}

function customer({ ClientNo, Title, Mail, Tel, SiteLine }: Fields) {
  return {
    customer_number: ref(ClientNo),
    name: Title,
    email: textOrNull(Mail),
    phone: textOrNull(Tel),
    service_address: textOrNull(SiteLine),
  }
}

export const list_customers = endpoint({
  summary: 'List or search the customers with their contact details, 30 a page, oldest first.',
  aliases: [
    'find a customer',
    'search customers by name',
    'phone number of a customer',
    'customer list',
    'do we know this company',
    'how do I reach them',
  ],
  label: 'List customers',
  brief: ['query'],
  access: 'read',
  request: 'GET /app/ajax/clients',
  input: {
    query: labelled(
      'Search',
      Type.Optional(
        Type.String({
          maxLength: 200,
          description: 'Part of a name, email, phone number or street address; case and accents do not matter.',
        }),
      ),
    ),
    page,
  },
  output: {
    customers: Type.Array(closed(Customer), {
      description: 'The customers on this page, oldest first; empty on a page behind the last.',
    }),
    page: PageNumber,
  },
  encode: ({ query, page: number }) => ({ query: { Find: query, ...pageQuery(number) } }),
  decode: (answer) => ({ customers: rows(data(answer)['Rows']).map(customer), page: data(answer)['Page'] }),
})

export const get_customer = endpoint({
  summary: 'Read one customer with addresses, contacts, jobs and opportunities, instructions and notes.',
  aliases: [
    'everything about a customer',
    "customer's addresses and notes",
    'customer profile',
    'gate code or instructions of a customer',
    'where do they live',
    'what have we done for them',
    'is there a gate code',
  ],
  label: 'Read a customer',
  brief: ['customer_number'],
  access: 'read',
  request: 'GET /app/ajax/clients/{customer_number}',
  input: { customer_number: CustomerNumber },
  output: {
    ...Customer,
    billing_address: described(NullableText, 'Where bills go, in one line; null when the app does not know.'),
    contacts: Type.Array(
      closed({
        name: Type.String({ description: 'The full name of the contact, a person.' }),
        email: described(NullableText, 'Their own email address; null when there is none.'),
        primary: Type.Boolean({
          description: 'Whether this is the main contact, who gets emails when the customer has no address.',
        }),
      }),
      { description: 'The people to talk to at the customer; empty when the app has none.' },
    ),
    jobs: Type.Array(closed({ job_number: OrderRef, service_type: ServiceType, status: StatusOrStage }), {
      description: 'The jobs, and after them the opportunities; each oldest first.',
    }),
    special_instructions: Type.String({
      description: 'What to mind when going there, such as where the key is; empty when nothing.',
    }),
    notes: Type.String({ description: 'What the team noted about the customer; empty when nothing.' }),
  },
  decode: (answer) => {
    const { BillingLine, People, Orders, Leads, Directions, Memo, ...client } = data(answer)
    return {
      ...customer(client),
      billing_address: textOrNull(BillingLine),
      contacts: rows(People).map(({ FullName, Mail, Main }) => ({
        name: FullName,
        email: textOrNull(Mail),
        primary: Main,
      })),
      jobs: [
        ...rows(Orders).map((job) => ({ ...head(job), status: statuses.decode(job['State']) })),
        ...rows(Leads).map((lead) => ({ ...head(lead), status: stages.decode(lead['Stage']) })),
      ],
      special_instructions: Directions,
      notes: Memo,
    }
  },
})

function head({ OrderNo, Service }: Fields) {
  return { job_number: ref(OrderNo), service_type: Service }
}

const part = (label: string, description: string) =>
  Type.Optional(labelled(label, Type.String({ maxLength: 120, description })))

function Address(label: string, description: string) {
  const properties = {
    street: part('Street', 'Street and number.'),
    city: part('City', 'City or town.'),
    state: part('State', 'State, region or district.'),
    zip_code: part('Zip code', 'Zip or postal code.'),
    country: part('Country', 'Country, by its name.'),
  }
  return Type.Optional(labelled(label, Type.Object(properties, { additionalProperties: false, description })))
}

interface AddressInput {
  readonly street?: string
  readonly city?: string
  readonly state?: string
  readonly zip_code?: string
  readonly country?: string
}

function address(input: AddressInput | undefined): Fields | undefined {
  if (input === undefined) return undefined
  const { street, city, state, zip_code, country } = input
  return { Street: street, Town: city, Region: state, Postcode: zip_code, Land: country }
}

export const create_customer = endpoint({
  summary: 'Add a customer, a person or a company. Nobody is written to.',
  aliases: ['add a new customer', 'new client', 'save a company as customer', 'add contact'],
  label: 'Add a customer',
  brief: ['name', 'email', 'phone', 'service_address'],
  approval: {
    headline: 'Add {name}[ in {service_address.city}] as a customer[, e-mail {email}][, phone {phone}]',
    button: 'Add customer',
    consequences: [
      { kind: 'other', text: 'Nobody is written to now' },
      { kind: 'other', text: '[Estimates and invoices will be e-mailed to {email}]' },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_customers', from: { query: 'name' } }],
  preview: [],
  verify: {
    read: 'list_customers',
    from: { query: 'name' },
    at: 'customers',
    id: 'customer_number',
    same: { name: 'name', email: 'email' },
  },
  access: 'write',
  request: 'POST /app/ajax/clients',
  input: {
    name: labelled(
      'Name',
      Type.String({ minLength: 1, maxLength: 120, description: 'The full name of the person or the company.' }),
    ),
    is_company: labelled(
      'Company',
      defaulted(
        Type.Boolean({ description: 'true for a company; a person becomes their own primary contact.' }),
        false,
      ),
    ),
    email: labelled(
      'Email',
      Type.Optional(
        Type.String({ format: 'email', maxLength: 254, description: 'Where estimates and invoices are emailed to.' }),
      ),
    ),
    phone: labelled(
      'Phone number',
      Type.Optional(Type.String({ maxLength: 40, description: 'Their phone number, as people write it.' })),
    ),
    service_address: Address('Service address', 'Where the work is done.'),
    billing_address: Address('Billing address', 'Where bills go; the service address when left out.'),
  },
  output: {
    customer_number: CustomerRef,
    name: CustomerName,
    status: Type.Literal('created', { description: 'Always created: the customer was added.' }),
  },
  encode: ({ name, is_company, email, phone, service_address, billing_address }) => ({
    json: {
      Title: name,
      Company: is_company,
      Mail: email,
      Tel: phone,
      Site: address(service_address),
      Billing: address(billing_address),
    },
  }),
  decode: (answer) => {
    const { customer_number, name } = customer(data(answer))
    return { customer_number, name, status: 'created' }
  },
})
