import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, defaulted, described, limit, oneOf, refTo } from '../kit/inputs.ts'
import { ledTo } from '../kit/location.ts'
import { same } from '../kit/same-thing.ts'
import { number } from '../kit/wire.ts'
import { Filters, fromCriteria } from './filters.ts'
import { table } from './lists.ts'
import { preset } from './previews.ts'
import { PresetId, Properties, formKey, place, property } from './shared.ts'

const tabs = codec({ investment: 'buy', vacation_comps: 'nightly', rental_comps: 'yearly' })

export const list_filter_presets = endpoint({
  summary: 'List the saved filter presets with what each asks of a home, by name.',
  aliases: ['my saved filters', 'saved search criteria', 'presets'],
  label: 'List filter presets',
  brief: [],
  access: 'read',
  request: 'GET /api/presets',
  input: {},
  output: {
    presets: Type.Array(
      closed({
        preset_id: refTo('preset', 'Pass it to run_filter_preset or export_neighborhood_data.'),
        name: Type.String({ description: 'What you called the preset in the app.' }),
        filters: Filters,
      }),
      { description: 'Your presets, sorted by name; empty when there are none.' },
    ),
  },
  decode: (answer) => ({
    presets: table(answer).map(({ preset, title, crit }) => ({
      preset_id: preset,
      name: title,
      filters: fromCriteria(crit),
    })),
  }),
})

export const run_filter_preset = endpoint({
  summary:
    'Run a filter preset on a city or neighborhood: homes for sale, vacation rentals or long-term rentals there.',
  aliases: ['apply my saved filter to a city', 'search with my criteria', 'run my preset'],
  label: 'Run a filter preset',
  brief: ['preset_id', 'location', 'tab'],
  access: 'read',
  request: 'GET /api/presets/{preset_id}/run',
  input: {
    preset_id: PresetId,
    location: place('The city or neighborhood to look in.'),
    tab: defaulted(
      labelled(
        'Tab',
        oneOf(
          tabs.words,
          'investment: homes for sale, the last listed first. vacation_comps and rental_comps: homes let by the night and by the year, the highest revenue first.',
        ),
      ),
      'investment',
    ),
    limit: limit(25),
  },
  output: {
    preset: Type.String({ description: "The preset's name, as in list_filter_presets." }),
    location: Type.String({ description: 'The full name of the place.' }),
    tab: oneOf(tabs.words, 'Which homes are listed, as the call asked.'),
    listings: described(Properties, 'Homes that match, in the order of the tab; empty when none does.'),
  },
  encode: ({ location, tab, limit: rows }) => ({ query: { where: location, sheet: tabs.encode(tab), rows } }),
  decode: (answer, { input }) => {
    same(input.preset_id, answer['preset'])
    return {
      preset: answer['title'],
      location: answer['place'],
      tab: same(input.tab, tabs.decode(answer['sheet'])),
      listings: table(answer).map(property),
    }
  },
})

export const export_neighborhood_data = endpoint({
  summary: "Export what a preset finds as a spreadsheet by neighborhood; uses one of the plan's monthly exports.",
  aliases: ['spreadsheet of neighborhoods', 'download market data', 'excel of a preset', 'export data'],
  label: 'Export neighborhood data',
  brief: ['preset_id', 'location'],
  approval: {
    headline: 'Export what {preset_id} finds[ in {location}] to a spreadsheet',
    button: 'Export spreadsheet',
    consequences: [{ kind: 'other', text: 'Uses one of your plan’s monthly exports; nobody is told' }],
  },
  effect: 'adds',
  shownBy: [],
  preview: [preset],
  access: 'write',
  request: 'POST /presets/{preset_id}/sheet',
  input: {
    preset_id: PresetId,
    location: Type.Optional(place('Only neighborhoods in this place; everywhere when left out.')),
  },
  output: {
    export_id: refTo('export', 'The id of the file in the app; no endpoint takes it.'),
    preset_id: refTo('preset', 'The preset whose homes were exported.'),
    neighborhoods: Type.Integer({ description: 'How many neighborhoods the spreadsheet has, one a line.' }),
    download_url: Type.String({
      description: 'The CSV file; opens in the browser of whoever is signed in to the app.',
    }),
    exports_used: Type.Integer({ description: "How many of the plan's monthly exports are used, with this one." }),
    exports_per_month: Type.Integer({ description: 'How many exports the plan has for a month in all.' }),
  },
  encode: ({ location }) => ({ form: { where: location } }),
  csrf: formKey,
  answer: 'redirect',
  decode: (_answer, { input, location, origin }) => {
    const { part, query } = ledTo(location, /^(?<page>files\/(?<file>[\w-]+))$/, { done: 'sheet' })
    return {
      export_id: part['file'],
      preset_id: input.preset_id,
      neighborhoods: number(query.get('lines')),
      download_url: `${origin}${part['page']}/download`,
      exports_used: number(query.get('used')),
      exports_per_month: number(query.get('of')),
    }
  },
})
