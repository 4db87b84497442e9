import type { Preview } from '../kit/declared.ts'

/** The collection that guests get access to. */
export const guestCollection: Preview = {
  of: 'collection_id',
  read: 'get_collection',
  by: 'collection_id',
  shows: ['name', 'event_date', 'photos', 'password_protected', 'download_pin', 'url'],
  matters: ['name', 'photos', 'password_protected', 'download_pin'],
  conclusive: true,
}

/** The write itself changes the number of photos, so only the name is compared. */
export const filledCollection: Preview = { ...guestCollection, matters: ['name'] }

export const contact: Preview = {
  of: 'contact_id',
  read: 'list_contacts',
  set: { limit: 100 },
  at: 'contacts',
  id: 'contact_id',
  shows: ['name', 'email', 'phone', 'type'],
  matters: ['name', 'email'],
  conclusive: true,
}

export const draft: Preview = {
  of: 'invoice_id',
  read: 'list_invoices',
  set: { limit: 100 },
  at: 'invoices',
  id: 'invoice_id',
  shows: ['client', 'total', 'currency', 'paid', 'due_date'],
  matters: ['client', 'total', 'currency', 'paid', 'due_date'],
  conclusive: true,
}
