import type { Thing } from '../kit/declared.ts'

export const things: Readonly<Record<string, Thing>> = {
  listing: {
    label: 'listing',
    toldBy: [
      { read: 'get_listing', by: 'listing_id', id: 'listing_id' },
      { read: 'list_listings', at: 'listings', id: 'listing_id' },
    ],
    title: ['title'],
    facts: ['operation', 'price', 'size_m2', 'status'],
  },
  contact: {
    label: 'contact',
    toldBy: [
      { read: 'list_contacts', at: 'contacts', id: 'contact_id' },
      { read: 'list_demands', at: 'demands', id: 'contact_id' },
    ],
    title: ['name'],
    facts: ['last_message', 'updated_at', 'area', 'max_price'],
  },
}
