import type { Preview } from '../kit/declared.ts'

export const home: Preview = {
  of: 'property_id',
  read: 'get_property_analysis',
  by: 'property_id',
  shows: ['address', 'price', 'cash_invested'],
  matters: ['address', 'price'],
  conclusive: true,
}
/** What the user loses when the home is removed. */
export const savedHome: Preview = {
  of: 'property_id',
  read: 'list_saved_homes',
  set: { limit: 100 },
  at: 'saved_homes',
  id: 'property_id',
  shows: ['address', 'sale_price', 'rating', 'note', 'saved_on'],
  matters: ['address', 'rating', 'note'],
}
/** The list is complete: all presets. */
export const preset: Preview = {
  of: 'preset_id',
  read: 'list_filter_presets',
  at: 'presets',
  id: 'preset_id',
  shows: ['name', 'filters'],
  matters: ['name', 'filters'],
  conclusive: true,
}
