import type { Thing } from '../kit/declared.ts'

export const things: Readonly<Record<string, Thing>> = {
  collection: {
    label: 'collection',
    toldBy: [
      { read: 'get_collection', by: 'collection_id', id: 'collection_id' },
      { read: 'list_collections', at: 'collections', id: 'collection_id' },
    ],
    title: ['name'],
    facts: ['event_date', 'photos'],
  },
  contact: {
    label: 'contact',
    toldBy: [{ read: 'list_contacts', at: 'contacts', id: 'contact_id' }],
    title: ['name'],
    facts: ['email', 'phone', 'type'],
  },
  invoice: {
    label: 'invoice',
    toldBy: [{ read: 'list_invoices', at: 'invoices', id: 'invoice_id' }],
    title: ['client'],
    facts: ['total', 'paid', 'due_date'],
  },
}
