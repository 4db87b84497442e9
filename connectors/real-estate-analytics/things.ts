import type { Thing } from '../kit/declared.ts'

export const things: Readonly<Record<string, Thing>> = {
  property: {
    label: 'home',
    toldBy: [
      { read: 'get_property_analysis', by: 'property_id', id: 'property_id' },
      { read: 'list_saved_homes', at: 'saved_homes', id: 'property_id' },
      { read: 'find_properties', at: 'properties', id: 'property_id' },
      { read: 'run_filter_preset', at: 'listings', id: 'property_id' },
    ],
    title: ['address'],
    facts: ['price', 'sale_price', 'bedrooms', 'bathrooms'],
  },
  preset: {
    label: 'filter preset',
    toldBy: [{ read: 'list_filter_presets', at: 'presets', id: 'preset_id' }],
    title: ['name'],
    facts: [],
  },
}
